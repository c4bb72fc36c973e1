/** Makes the pieces of an answer what the wire calls chunks. */
import type { ChatDelta } from "../upstreams/ChatCapability.ts"
import type { ChatChunk } from "./ChatChunk.ts"
import type { ChatUsage } from "./ChatCompletion.ts"

/** What is the same in each chunk. */
export type ChunkHead = Pick<ChatChunk, "id" | "object" | "created" | "model" | "provider">

/** In order: the first piece of each choice says whose it is. */
export const chunking = (head: ChunkHead): ((deltas: ReadonlyArray<ChatDelta>) => ChatChunk) => {
  const begun = new Set<number>()
  const choiceOf = ({ delta, finishReason, index, logprobs, nativeFinishReason }: ChatDelta) => {
    const isFirst = !begun.has(index)
    if (isFirst) begun.add(index)
    return {
      index,
      delta: isFirst ? { role: "assistant", ...delta } : delta,
      finish_reason: finishReason,
      native_finish_reason: nativeFinishReason ?? finishReason,
      ...(logprobs === undefined ? undefined : { logprobs })
    }
  }
  return (deltas) => ({ ...head, choices: deltas.map(choiceOf) })
}

export const lastChunk = (head: ChunkHead, usage: ChatUsage): ChatChunk => ({
  ...head,
  choices: [],
  usage
})
