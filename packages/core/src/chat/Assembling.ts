/** Puts the pieces of a streamed answer together again, for its record and for estimating what it used. */
import * as Predicate from "effect/Predicate"
import type { ChatChoice, ChatDelta } from "../upstreams/ChatCapability.ts"

export interface Assembling {
  readonly add: (deltas: ReadonlyArray<ChatDelta>) => void
  /** What was said until now, in the order of the choices. */
  readonly choices: () => ReadonlyArray<ChatChoice>
  /** How many pieces there were. */
  readonly pieces: () => number
  /** How many characters of text they held. */
  readonly characters: () => number
}

interface Fields {
  readonly fields: Map<string, unknown>
  finishReason: string | null
}

/**
 * Texts of one name are joined, lists whose items have an `index`, such as `tool_calls`, are joined item by
 * item, and of anything else the last one counts.
 */
export const assembling = (): Assembling => {
  const byIndex = new Map<number, Fields>()
  let pieces = 0
  let characters = 0

  const joined = (before: unknown, piece: unknown, name: string): unknown => {
    if (typeof piece === "string") {
      characters += piece.length
      if (typeof before !== "string") return piece
      return named.has(name) ? piece || before : before + piece
    }
    if (Array.isArray(piece) && piece.every(isIndexed)) return joinedItems(before, piece)
    if (Predicate.isObject(piece) && !Array.isArray(piece)) return joinedFields(before, piece)
    return piece ?? before
  }

  const joinedFields = (before: unknown, piece: object): object => {
    const fields = new Map<string, unknown>(
      Predicate.isObject(before) ? Object.entries(before) : []
    )
    for (const [name, value] of Object.entries(piece)) {
      fields.set(name, joined(fields.get(name), value, name))
    }
    return Object.fromEntries(fields)
  }

  const joinedItems = (before: unknown, piece: ReadonlyArray<Indexed>): ReadonlyArray<unknown> => {
    const items = new Map<number, unknown>(
      (Array.isArray(before) ? before : []).filter(isIndexed).map((item) => [item.index, item])
    )
    for (const item of piece) items.set(item.index, joinedFields(items.get(item.index), item))
    return Array.from(items.values())
  }

  return {
    add: (deltas) => {
      for (const { delta, finishReason, index } of deltas) {
        pieces += 1
        let choice = byIndex.get(index)
        if (choice === undefined) byIndex.set(index, (choice = { fields: new Map(), finishReason }))
        choice.finishReason = finishReason ?? choice.finishReason
        for (const [name, value] of Object.entries(delta)) {
          choice.fields.set(name, joined(choice.fields.get(name), value, name))
        }
      }
    },
    choices: () =>
      Array.from(byIndex, ([index, { fields, finishReason }]) => ({
        index,
        message: { ...Object.fromEntries(fields), role: "assistant" },
        finishReason
      })).toSorted((a, b) => a.index - b.index),
    pieces: () => pieces,
    characters: () => characters
  }
}

/** Told whole each time, not piece by piece. */
const named: ReadonlySet<string> = new Set(["role", "id", "type", "format", "name"])

interface Indexed {
  readonly index: number
}

const isIndexed = (item: unknown): item is Indexed =>
  Predicate.isObject(item) && typeof item["index"] === "number"
