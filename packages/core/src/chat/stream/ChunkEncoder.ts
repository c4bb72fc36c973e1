/** Encodes the events of an answer as the chunks of https://platform.openai.com/docs/api-reference/chat-streaming. */
import type { ChatDelta, ChatServingInfo, ChatDeltaEvent } from "../../upstreams/ChatCapability.ts"
import type { ChatChunk, ChatChunkChoice } from "./ChatChunk.ts"
import type { ChatUsage } from "../ChatCompletion.ts"

/** The fields that are the same in every chunk. */
export type ChunkHead = Pick<ChatChunk, "id" | "object" | "created" | "model" | "provider">

export const makeChunkEncoder = (head: ChunkHead): ((piece: ChatDeltaEvent) => ChatChunk) => {
  const startedChoices = new Set<number>()
  return (piece) => ({
    ...head,
    choices: piece.choices.map((choice) => toChunkChoice(choice, startedChoices)),
    ...toChunkMarks(piece)
  })
}

/** The first piece of each choice gets the `role`. */
const toChunkChoice = (
  { delta, finishReason, index, logprobs, nativeFinishReason }: ChatDelta,
  startedChoices: Set<number>
): ChatChunkChoice => {
  const isFirst = !startedChoices.has(index)
  if (isFirst) startedChoices.add(index)
  return {
    index,
    // Content is passed through unchecked; the type says what the dialect promises.
    delta: isFirst ? { role: "assistant", ...delta } : delta,
    finish_reason: finishReason,
    native_finish_reason: nativeFinishReason ?? finishReason,
    ...(logprobs === undefined ? undefined : { logprobs })
  }
}

/** Encodes pieces that arrive together as server-sent events. The fields that never change are serialized once. */
export const makeEventEncoder = (
  head: ChunkHead
): ((pieces: ReadonlyArray<ChatDeltaEvent>) => string) => {
  const start = `data: ${JSON.stringify(head).slice(0, -1)},"choices":[`
  const startedChoices = new Set<number>()
  return (pieces) => {
    let text = ""
    for (const { choices, serviceTier, systemFingerprint } of pieces) {
      text += start
      for (let i = 0; i < choices.length; i++) {
        const choice = choices[i]
        if (choice !== undefined)
          text += (i === 0 ? "" : ",") + encodeChoice(choice, startedChoices)
      }
      text += "]"
      if (systemFingerprint !== undefined)
        text += `,"system_fingerprint":${JSON.stringify(systemFingerprint)}`
      if (serviceTier !== undefined) text += `,"service_tier":${JSON.stringify(serviceTier)}`
      text += "}\n\n"
    }
    return text
  }
}

/** The JSON of `toChunkChoice`. The usual piece is text of a choice that goes on. */
const encodeChoice = (delta: ChatDelta, startedChoices: Set<number>): string => {
  const { finishReason, index, logprobs, nativeFinishReason } = delta
  const isUsual =
    finishReason === null &&
    nativeFinishReason === undefined &&
    logprobs === undefined &&
    startedChoices.has(index) &&
    Number.isSafeInteger(index)
  return isUsual
    ? `{"index":${index},"delta":${JSON.stringify(delta.delta)},"finish_reason":null,"native_finish_reason":null}`
    : JSON.stringify(toChunkChoice(delta, startedChoices))
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
