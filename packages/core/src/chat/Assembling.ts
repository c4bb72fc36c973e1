/** Counts what a streamed answer says, and keeps its beginning for whoever wants to read it. */
import type { ChatChoice, ChatDelta } from "../upstreams/ChatCapability.ts"
import { Fields, isIndexed } from "./Fields.ts"
import { sizeOf } from "./sizeOf.ts"

export interface Assembling {
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

type Ends = Pick<ChatChoice, "finishReason" | "nativeFinishReason">

/** Keeps the first `keptCharacters` or so of what is said: nothing unless somebody reads it. */
export const assembling = (keptCharacters = 0): Assembling => {
  const ends = new Map<number, Ends>()
  const messages = new Map<number, Fields>()
  let room = keptCharacters
  let pieces = 0
  let characters = 0

  const keep = (index: number, delta: object): void => {
    room -= sizeOf(delta)
    if (room < 0) return
    let message = messages.get(index)
    if (message === undefined) messages.set(index, (message = new Fields()))
    message.join(delta)
  }

  return {
    add: (deltas) => {
      for (const { delta, finishReason, index, nativeFinishReason } of deltas) {
        pieces += 1
        characters += charactersIn(delta)
        if (finishReason !== null || !ends.has(index)) {
          ends.set(index, {
            finishReason,
            ...(nativeFinishReason === undefined ? undefined : { nativeFinishReason })
          })
        }
        // Without its middle an answer would say what nobody said.
        if (room > 0) keep(index, delta)
        else room = -1
      }
    },
    choices: () =>
      Array.from(ends, ([index, end]) => ({
        index,
        message: { ...messages.get(index)?.toJson(), role: "assistant" },
        ...end
      })).toSorted((a, b) => a.index - b.index),
    isTruncated: () => room < 0,
    pieces: () => pieces,
    characters: () => characters
  }
}

const charactersIn = (value: unknown): number => {
  if (typeof value === "string") return value.length
  if (typeof value !== "object" || value === null) return 0
  if (Array.isArray(value) && !value.every(isIndexed)) return 0
  let characters = 0
  for (const inner of Object.values(value)) characters += charactersIn(inner)
  return characters
}
