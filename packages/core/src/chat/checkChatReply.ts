/** Rejects replies without an answer, so that the router falls back. */
import * as Result from "effect/Result"
import type { ChatReply } from "../upstreams/ChatCapability.ts"
import { UpstreamFailure } from "../upstreams/failures/UpstreamFailure.ts"

/** Some providers report an error as the finish reason. */
export const errorFinishFailure = new UpstreamFailure({
  kind: "server_error",
  detail: "the answer ended with an error"
})

export const emptyAnswerFailure = new UpstreamFailure({
  kind: "invalid_answer",
  detail: "the answer is empty"
})

export const isErrorReason = (finishReason: string | null): boolean => finishReason === "error"

export const checkChatReply = (reply: ChatReply): Result.Result<ChatReply, UpstreamFailure> => {
  const { choices } = reply
  if (choices.some(({ finishReason }) => isErrorReason(finishReason))) {
    return Result.fail(errorFinishFailure)
  }
  const isEmpty =
    isZeroCompletion(reply) &&
    choices.every(({ message }) => !Object.entries(message).some(hasContent))
  return isEmpty ? Result.fail(emptyAnswerFailure) : Result.succeed(reply)
}

/** An answer with neither output tokens nor a finish reason is not charged. */
export const isZeroCompletion = ({
  choices,
  usage
}: Pick<ChatReply, "choices" | "usage">): boolean =>
  (usage?.outputTokens ?? 0) === 0 &&
  choices.every(({ finishReason }) => finishReason === null || finishReason === "")

const hasContent = ([name, value]: readonly [string, unknown]): boolean =>
  name !== "role" &&
  value !== null &&
  value !== undefined &&
  value !== "" &&
  !(Array.isArray(value) && value.length === 0)
