/** Encodes the events of an answer as the chunks of https://platform.openai.com/docs/api-reference/chat-streaming. */
import type { ChatDelta, ChatServingInfo, ChatDeltaEvent } from "../../upstreams/ChatCapability.ts"
import type { ChatChunk, ChatChunkDelta } from "./ChatChunk.ts"
import type { ChatUsage } from "../ChatCompletion.ts"

/** The fields that are the same in every chunk. */
export type ChunkHead = Pick<ChatChunk, "id" | "object" | "created" | "model" | "provider">

/** Stateful: the first piece of each choice gets the `role`. */
export const makeChunkEncoder = (head: ChunkHead): ((piece: ChatDeltaEvent) => ChatChunk) => {
  const startedChoices = new Set<number>()
  const toChunkChoice = ({
    delta,
    finishReason,
    index,
    logprobs,
    nativeFinishReason
  }: ChatDelta) => {
    const isFirst = !startedChoices.has(index)
    if (isFirst) startedChoices.add(index)
    return {
      index,
      // Content is passed through unchecked; the type says what the dialect promises.
      delta: (isFirst ? { role: "assistant", ...delta } : delta) as ChatChunkDelta,
      finish_reason: finishReason,
      native_finish_reason: nativeFinishReason ?? finishReason,
      ...(logprobs === undefined ? undefined : { logprobs })
    }
  }
  return (piece) => ({ ...head, choices: piece.choices.map(toChunkChoice), ...toChunkMarks(piece) })
}

export const makeLastChunk = (
  head: ChunkHead,
  { marks, usage }: { readonly marks: ChatServingInfo; readonly usage: ChatUsage }
): ChatChunk => ({
  ...head,
  choices: [],
  ...toChunkMarks(marks),
  usage
})

/** In the fields of the HTTP API; fields the provider omits are left out. */
export const toChunkMarks = ({
  serviceTier,
  systemFingerprint
}: ChatServingInfo): Pick<ChatChunk, "service_tier" | "system_fingerprint"> => ({
  ...(systemFingerprint === undefined ? undefined : { system_fingerprint: systemFingerprint }),
  ...(serviceTier === undefined ? undefined : { service_tier: serviceTier })
})
