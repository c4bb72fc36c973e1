/** Writes turns as the instructions and the contents of a request to Google's API. */
import * as Result from "effect/Result"
import type { Turn } from "../../conversation/Conversation.ts"
import type { Part, ResultPart } from "../../conversation/Part.ts"
import { type UntranslatableRequest, failTranslation } from "../UntranslatableRequest.ts"
import { askBySystem, markSystemText } from "../systemText.ts"
import { emptyText, fillEmptyMessages } from "../messages/blankTexts.ts"
import { pairCalls } from "../pairCalls.ts"
import type { Json } from "./geminiFields.ts"
import { type PartOptions, writeModelParts, writeResults, writeUserParts } from "./writeParts.ts"

type Written<A> = Result.Result<A, UntranslatableRequest>

export interface ContentOptions extends PartOptions {
  /** Whether the model refuses a call of the current turn without a signature. */
  readonly needsSignatures: boolean
}

export interface WrittenContents {
  readonly system: ReadonlyArray<Json>
  readonly contents: ReadonlyArray<Json>
}

interface Content {
  readonly role: "model" | "user"
  readonly parts: ReadonlyArray<Json>
}

/** Instructions after the beginning become marked text of the user. */
export const writeContents = (
  turns: ReadonlyArray<Turn>,
  options: ContentOptions
): Written<WrittenContents> => {
  const paired = pairCalls(askBySystem(turns, options.changes))
  if (Result.isFailure(paired)) return Result.fail(paired.failure)
  const current = paired.success.findLastIndex(({ role }) => role === "user" || role === "system")
  const callNames = new Map<string, string>()
  const system: Array<Json> = []
  const contents: Array<Content> = []
  let index = -1
  for (const turn of paired.success) {
    index++
    const isLeading = turn.role === "system" && contents.length === 0
    const written = isLeading
      ? writeUserParts(turn.parts, options)
      : writeTurn(turn, index > current, callNames, options)
    if (Result.isFailure(written)) return Result.fail(written.failure)
    if (isLeading) system.push(...written.success)
    else
      contents.push({ role: turn.role === "assistant" ? "model" : "user", parts: written.success })
  }
  const filled = fillEmptyMessages(contents, isEmptyContent, (content) => {
    options.changes.add(["messages"])
    return { ...content, parts: [{ text: emptyText }] }
  })
  const merged = mergeContents(filled)
  return merged[0]?.role === "user"
    ? Result.succeed({ system, contents: merged })
    : failTranslation(["messages"], "must begin with a message of the user")
}

const isEmptyContent = ({ parts }: Content): boolean => parts.length === 0

/**
 * `isCurrent`: nothing of the user follows. `callNames` gets the functions of calls by their ids, as the request names
 * them, for the results that follow.
 */
const writeTurn = (
  { parts, role }: Turn,
  isCurrent: boolean,
  callNames: Map<string, string>,
  options: ContentOptions
): Written<ReadonlyArray<Json>> => {
  switch (role) {
    case "assistant":
      for (const part of parts) {
        if (part.type === "call") callNames.set(part.id, options.names.toDialect(part))
      }
      return writeModelParts(parts, options.needsSignatures && isCurrent, options)
    case "tool":
      return writeResults(
        parts.filter(isResult),
        ({ callId, name }) =>
          callNames.get(callId) ?? options.names.toDialect({ name: name ?? "" }),
        options
      )
    case "system":
      return writeUserParts(parts.map(markText), options)
    case "user":
      return writeUserParts(parts, options)
  }
}

const isResult = (part: Part): part is ResultPart => part.type === "result"

const markText = (part: Part): Part =>
  part.type === "text" && part.text !== "" ? { ...part, text: markSystemText(part.text) } : part

/** Roles alternate, and none says nothing. Parts stay apart, because signatures are for one of them. */
const mergeContents = (contents: ReadonlyArray<Content>): ReadonlyArray<Json & Content> => {
  const merged: Array<Json & Content> = []
  let open: Array<Json> = []
  for (const { parts, role } of contents) {
    if (parts.length === 0) continue
    if (merged.at(-1)?.role !== role) {
      open = []
      merged.push({ role, parts: open })
    }
    // Added, not joined as lists: that would copy what came before with every content.
    for (const part of parts) open.push(part)
  }
  return merged
}
