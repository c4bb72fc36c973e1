/**
 * Texts of white space alone, which Anthropic's API refuses wherever they stand: "text content blocks must contain
 * non-whitespace text" (https://github.com/anthropics/claude-code/issues/23440, of instructions
 * https://github.com/BoltAI/BoltAI/issues/165).
 */
import type { Turn } from "../../conversation/Conversation.ts"
import type { Part } from "../../conversation/Part.ts"
import type { RequestChanges } from "../RequestChanges.ts"
import { getExtraFields } from "./messagesFields.ts"

const visible = /\S/

export const isBlank = (text: string): boolean => !visible.test(text)

/** A message of the user who said nothing else: https://github.com/NousResearch/hermes-agent/pull/67978. */
export const emptyText = "(empty)"

/** Turns without blank texts; the place of each that is more than empty is added to `changes`. */
export const omitBlankTexts = (
  turns: ReadonlyArray<Turn>,
  changes: RequestChanges
): ReadonlyArray<Turn> =>
  turns.some(({ parts }) => parts.some(holdsBlank))
    ? turns.map((turn, index) =>
        turn.parts.some(holdsBlank)
          ? { ...turn, parts: omitBlankParts(turn.parts, index, changes) }
          : turn
      )
    : turns

const holdsBlank = (part: Part): boolean =>
  part.type === "result" ? part.content.some(isBlankPart) : isBlankPart(part)

const isBlankPart = (part: Part): boolean => {
  if (part.type === "refusal") return isBlank(part.refusal)
  // A block of another type is text in other dialects only.
  return (
    part.type === "text" && isBlank(part.text) && getExtraFields(part.extra)["type"] === undefined
  )
}

const omitBlankParts = <P extends Part>(
  parts: ReadonlyArray<P>,
  index: number,
  changes: RequestChanges
): ReadonlyArray<P> => {
  const kept: Array<P> = []
  for (const part of parts) {
    if (isBlankPart(part)) {
      if (getText(part) !== "") changes.add(["messages", index, "content"])
      moveMark(part, kept)
    } else if (part.type === "result" && part.content.some(isBlankPart)) {
      kept.push({ ...part, content: omitBlankParts(part.content, index, changes) })
    } else kept.push(part)
  }
  return kept
}

const getText = (part: Part): string =>
  part.type === "text" ? part.text : part.type === "refusal" ? part.refusal : ""

/** The prefix that a blank text marks for the cache ends with what stands before it. */
const moveMark = <P extends Part>(blank: P, kept: Array<P>): void => {
  const last = kept.at(-1)
  if (blank.type !== "text" || blank.cache === undefined || last === undefined) return
  if (last.type === "reasoning" || last.type === "refusal" || last.type === "opaque") return
  if (last.cache === undefined) kept[kept.length - 1] = { ...last, cache: blank.cache }
}

/** A message; only its role counts here. */
interface Speaker {
  readonly role?: unknown
}

/**
 * Leaves out messages without content, because the API refuses them. An empty message of the user gets a text where the
 * order of roles needs it: where no other message of the user stands beside it.
 */
export const fillEmptyMessages = <M extends Speaker>(
  messages: ReadonlyArray<M>,
  isEmpty: (message: M) => boolean,
  fill: (message: M, index: number) => M
): ReadonlyArray<M> => {
  if (!messages.some(isEmpty)) return messages
  const kept: Array<M> = []
  /** An empty message of the user that waits for the role of what follows it. */
  let waiting: M | undefined
  for (const [index, message] of messages.entries()) {
    if (isEmpty(message)) {
      if (message.role === "user" && kept.at(-1)?.role !== "user") waiting ??= fill(message, index)
      continue
    }
    if (waiting !== undefined && message.role !== "user") kept.push(waiting)
    waiting = undefined
    kept.push(message)
  }
  return waiting === undefined ? kept : [...kept, waiting]
}
