/** Checks that a reply answers exactly the questions of the request; partial replies are rejected. */
import * as Result from "effect/Result"
import type { Answer, Answers } from "../../questions/Answer.ts"
import { deriveAnswer } from "../../questions/deriveAnswer.ts"
import type { Questions } from "../../questions/Question.ts"
import type { DecisionReply } from "../../engine/upstreams/DecisionCapability.ts"
import { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { setOwn } from "../../values/ownFields.ts"
import { getRequestCount } from "../../values/usage/TokenUsage.ts"

export const checkReply = (
  questions: Questions,
  { cost, model, usage, verdicts }: DecisionReply
): Result.Result<Answers, UpstreamFailure> => {
  const { inputTokens, outputTokens } = usage
  if (!isCount(inputTokens) || !isCount(outputTokens) || !isCount(getRequestCount(usage))) {
    return failInvalid("a token count is not a whole number")
  }
  if (cost !== undefined && cost < 0n) return failInvalid("a cost below 0", usage)
  if (model !== undefined && model.length > maxModelCharacters)
    return failInvalid("its model has no real name", usage)
  const answers: Record<string, Answer> = {}
  const names = Object.keys(questions)
  for (const name of names) {
    const verdict = verdicts.get(name)
    if (verdict === undefined) return failInvalid(`no answer to "${name}"`, usage)
    const answer = deriveAnswer(questions[name]!, verdict)
    if (Result.isFailure(answer)) return failInvalid(`"${name}": ${answer.failure}`, usage)
    setOwn(answers, name, answer.success)
  }
  if (verdicts.size > names.length)
    return failInvalid("an answer to a question that was not asked", usage)
  return Result.succeed(answers)
}

/** `usage` is left out when it is not valid. */
const failInvalid = (detail: string, usage?: DecisionReply["usage"]) =>
  Result.fail(
    new UpstreamFailure({
      kind: "invalid_answer",
      detail,
      ...(usage === undefined ? undefined : { usage })
    })
  )

/** The name is shown to callers and stored, so its length is bounded. */
const maxModelCharacters = 256

const isCount = (count: number): boolean => Number.isSafeInteger(count) && count >= 0
