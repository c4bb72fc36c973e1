/** Counts what a streamed answer says, and keeps its beginning for whoever wants to read it. */
import type { ChatChoice, ChatDelta } from "../upstreams/ChatCapability.ts"
import { MergedObject, isIndexed } from "./MergedObject.ts"
import { estimateSize } from "./estimateSize.ts"

export interface ChatAccumulator {
  readonly add: (deltas: ReadonlyArray<ChatDelta>) => void
  /** How each choice ended, in their order; a message has as much of what was said as is kept. */
  readonly choices: () => ReadonlyArray<ChatChoice>
  /** Whether more was said than is kept. */
  readonly isTruncated: () => boolean
  /** How many pieces there were. */
  readonly pieces: () => number
  /** How many characters of text they held. */
  readonly characters: () => number
}

type ChoiceEnd = Pick<ChatChoice, "finishReason" | "nativeFinishReason">

/** Keeps the first `keptCharacters` or so of what is said: nothing unless somebody reads it. */
export const makeChatAccumulator = (maxCharacters = 0): ChatAccumulator => {
  const ends = new Map<number, ChoiceEnd>()
  const messages = new Map<number, MergedObject>()
  let remaining = maxCharacters
  let pieces = 0
  let characters = 0

  const mergeDelta = (index: number, delta: object): void => {
    remaining -= estimateSize(delta)
    if (remaining < 0) return
    let message = messages.get(index)
    if (message === undefined) messages.set(index, (message = new MergedObject()))
    message.merge(delta)
  }

  return {
    add: (deltas) => {
      for (const { delta, finishReason, index, nativeFinishReason } of deltas) {
        pieces += 1
        characters += countCharacters(delta)
        if (finishReason !== null || !ends.has(index)) {
          ends.set(index, {
            finishReason,
            ...(nativeFinishReason === undefined ? undefined : { nativeFinishReason })
          })
        }
        // Without its middle an answer would say what nobody said.
        if (remaining > 0) mergeDelta(index, delta)
        else remaining = -1
      }
    },
    choices: () =>
      Array.from(ends, ([index, end]) => ({
        index,
        message: { ...messages.get(index)?.toJson(), role: "assistant" },
        ...end
      })).toSorted((a, b) => a.index - b.index),
    isTruncated: () => remaining < 0,
    pieces: () => pieces,
    characters: () => characters
  }
}

const countCharacters = (value: unknown): number => {
  if (typeof value === "string") return value.length
  if (typeof value !== "object" || value === null) return 0
  if (Array.isArray(value) && !value.every(isIndexed)) return 0
  let characters = 0
  for (const inner of Object.values(value)) characters += countCharacters(inner)
  return characters
}
