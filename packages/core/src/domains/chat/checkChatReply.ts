/** Rejects replies without an answer, so that the router falls back. */
import * as Result from "effect/Result"
import type { Part } from "../../conversation/Part.ts"
import type { ChatReply } from "../../engine/upstreams/ChatCapability.ts"
import { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { type SayableReader, unsayableFailure } from "./findUnsayable.ts"

/** Some providers report an error as the finish reason. */
export const errorFinishFailure = new UpstreamFailure({
  kind: "server_error",
  detail: "the answer ended with an error"
})

export const emptyAnswerFailure = new UpstreamFailure({
  kind: "invalid_answer",
  detail: "the answer is empty"
})

export const isErrorReason = (reason: string | null | undefined): boolean => reason === "error"

/** `sayable`: what of it reaches its caller; undefined: all. */
export const checkChatReply = (
  reply: ChatReply,
  sayable: SayableReader | undefined
): Result.Result<ChatReply, UpstreamFailure> => {
  const { choices } = reply
  if (choices.some(({ answer }) => isErrorReason(answer.end.reason))) {
    return Result.fail(errorFinishFailure)
  }
  const isEmpty =
    isZeroCompletion(reply) && choices.every(({ answer }) => !answer.parts.some(hasContent))
  if (sayable?.hasOnlyOmitted() === true) return Result.fail(unsayableFailure)
  return isEmpty ? Result.fail(emptyAnswerFailure) : Result.succeed(reply)
}

/** An answer with neither output tokens nor a finish reason is not charged. */
export const isZeroCompletion = ({
  choices,
  usage
}: Pick<ChatReply, "choices" | "usage">): boolean =>
  (usage?.outputTokens ?? 0) === 0 &&
  choices.every(({ answer: { end } }) => end.reason === null || end.reason === "")

const hasContent = (part: Part): boolean => part.type !== "text" || part.text !== ""
