/** Checks that a reply answers exactly the questions of the request; partial replies are rejected. */
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
  if (![usage.inputTokens, usage.outputTokens, getRequestCount(usage)].every(isCount)) {
    // Without the usage, which is not valid.
    const detail = "a token count is not a whole number"
    return Result.fail(new UpstreamFailure({ kind: "invalid_answer", detail }))
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
  if (verdicts.size > answers.length) return fail("an answer to a question that was not asked")
  return Result.succeed(Object.fromEntries(answers))
}

/** The name is shown to callers and stored, so its length is bounded. */
const maxModelCharacters = 256

const isCount = (count: number): boolean => Number.isSafeInteger(count) && count >= 0
