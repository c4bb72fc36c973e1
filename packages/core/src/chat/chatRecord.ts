/** What the record of a chat says of its answer, whole or begun. */
import type { IoContent } from "../observability/IoLog.ts"
import type { AnswerFacts } from "../routing/record/toGeneration.ts"
import type { ChatChoice, ChatReply } from "../upstreams/ChatCapability.ts"
import type { ParsedChat } from "./parseChatRequest.ts"

export const toAnswerFacts = ({ choices, id, model, serviceTier }: ChatReply): AnswerFacts => {
  const { finishReason, nativeFinishReason = finishReason } = choices[0] ?? {}
  return {
    model,
    ...(isPresent(finishReason) ? { finishReason } : undefined),
    ...(isPresent(nativeFinishReason) ? { nativeFinishReason } : undefined),
    ...(serviceTier === undefined ? undefined : { serviceTier }),
    ...(id === undefined ? undefined : { upstreamId: id })
  }
}

const isPresent = (reason: string | null | undefined): reason is string =>
  reason !== undefined && reason !== null

/** `choices`: what the caller has of the answer, whole or not; where it has more, that is `isTruncated`. */
export const toIoContent = (
  { bytes, messages, parameters }: ParsedChat,
  choices: ReadonlyArray<ChatChoice>,
  isTruncated = false
): IoContent => ({
  bytes,
  input: { ...parameters, messages },
  ...(choices.length === 0
    ? undefined
    : {
        output: choices.map(({ finishReason, index, message }) => ({
          index,
          message,
          finish_reason: finishReason
        }))
      }),
  ...(isTruncated ? { isTruncated } : undefined)
})
