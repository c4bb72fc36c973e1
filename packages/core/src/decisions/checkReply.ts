/** Whether what an upstream replied answers exactly what was asked: no partial answers. */
import * as Result from "effect/Result"
import type { Answer, Answers } from "../questions/Answer.ts"
import { deriveAnswer } from "../questions/deriveAnswer.ts"
import type { Questions } from "../questions/Question.ts"
import type { DecisionReply } from "../upstreams/DecisionCapability.ts"
import { UpstreamFailure } from "../upstreams/failures/UpstreamFailure.ts"
import { getRequestCount } from "../values/usage/TokenUsage.ts"

export const checkReply = (
  questions: Questions,
  { cost, model, usage, verdicts }: DecisionReply
): Result.Result<Answers, UpstreamFailure> => {
  const fail = (detail: string) =>
    Result.fail(new UpstreamFailure({ kind: "invalid_answer", detail, usage }))
  const counts = [usage.inputTokens, usage.outputTokens, getRequestCount(usage)]
  if (!counts.every(isCount)) {
    return Result.fail(
      new UpstreamFailure({ kind: "invalid_answer", detail: "a token count is not a whole number" })
    )
  }
  if (cost !== undefined && cost < 0n) return fail("a cost below 0")
  if (model !== undefined && model.length > maxModelCharacters)
    return fail("its model has no real name")
  const answers: Array<readonly [string, Answer]> = []
  for (const [name, question] of Object.entries(questions)) {
    const verdict = verdicts.get(name)
    if (verdict === undefined) return fail(`no answer to "${name}"`)
    const answer = deriveAnswer(question, verdict)
    if (Result.isFailure(answer)) return fail(`"${name}": ${answer.failure}`)
    answers.push([name, answer.success])
  }
  if (verdicts.size > answers.length) return fail("an answer nobody asked for")
  return Result.succeed(Object.fromEntries(answers))
}

/** Longer than any model is called; what an upstream says is shown and kept. */
const maxModelCharacters = 256

const isCount = (count: number): boolean => Number.isSafeInteger(count) && count >= 0
