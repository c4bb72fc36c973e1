/** Counts the content of a streamed answer, and keeps its beginning for the I/O log. */
import type { ChatChoice, ChatDelta } from "../../upstreams/ChatCapability.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"
import { MergedObject, isIndexed } from "./MergedObject.ts"
import { estimateSize } from "../../values/json/estimateSize.ts"

export interface ChatAccumulator {
  readonly add: (deltas: ReadonlyArray<ChatDelta>) => void
  /** The choices so far, by index; messages have only the content that is kept. */
  readonly choices: () => ReadonlyArray<ChatChoice>
  /** Whether the answer is longer than what is kept. */
  readonly isTruncated: () => boolean
  /** The number of pieces. */
  readonly pieces: () => number
  /** The number of characters of text in them. */
  readonly characters: () => number
}

type ChoiceEnd = Pick<ChatChoice, "finishReason" | "nativeFinishReason">

/** Keeps about the first `maxCharacters` of the answer. */
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
          ends.set(index, omitUndefined({ finishReason, nativeFinishReason }))
        }
        // Once a piece is dropped, all later ones are: an answer with a gap would be misleading.
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

/** The characters of all texts in a value. */
export const countCharacters = (value: unknown): number => {
  if (typeof value === "string") return value.length
  if (typeof value !== "object" || value === null) return 0
  if (Array.isArray(value) && !value.every(isIndexed)) return 0
  let characters = 0
  for (const key in value) characters += countCharacters(Reflect.get(value, key))
  return characters
}
