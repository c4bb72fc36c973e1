/** Writes turns as the instructions and the contents of a request to Google's API. */
import * as Result from "effect/Result"
import type { Turn } from "../../conversation/Conversation.ts"
import type { Part, ResultPart } from "../../conversation/Part.ts"
import { failTranslation } from "../failTranslation.ts"
import { markSystemText } from "../markSystemText.ts"
import { pairCalls } from "../pairCalls.ts"
import type { UntranslatableRequest } from "../UntranslatableRequest.ts"
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
): Written<WrittenContents> =>
  Result.gen(function* () {
    const paired = yield* pairCalls(turns)
    const first = paired.findIndex(({ role }) => role !== "system")
    const leading = first === -1 ? paired : paired.slice(0, first)
    const rest = first === -1 ? [] : paired.slice(first)
    const system: Array<Json> = []
    for (const { parts } of leading) system.push(...(yield* writeUserParts(parts, options)))
    const calls = new Map<string, string>()
    const nameOf = ({ callId, name }: ResultPart) =>
      calls.get(callId) ?? options.names.toDialect({ name: name ?? "" })
    const current = rest.findLastIndex(({ role }) => role === "user" || role === "system")
    const contents: Array<Content> = []
    for (const [index, { parts, role }] of rest.entries()) {
      switch (role) {
        case "assistant":
          for (const part of parts) {
            if (part.type === "call") calls.set(part.id, options.names.toDialect(part))
          }
          contents.push({
            role: "model",
            parts: yield* writeModelParts(
              parts,
              options.needsSignatures && index > current,
              options
            )
          })
          break
        case "tool":
          contents.push({
            role: "user",
            parts: yield* writeResults(parts.filter(isResult), nameOf, options)
          })
          break
        case "system":
          contents.push({
            role: "user",
            parts: yield* writeUserParts(parts.map(markText), options)
          })
          break
        case "user":
          contents.push({ role: "user", parts: yield* writeUserParts(parts, options) })
          break
      }
    }
    const merged = mergeContents(contents)
    if (merged[0]?.role !== "user") {
      return yield* failTranslation(["messages"], "must begin with a message of the user")
    }
    return { system, contents: merged }
  })

const isResult = (part: Part): part is ResultPart => part.type === "result"

const markText = (part: Part): Part =>
  part.type === "text" && part.text !== "" ? { ...part, text: markSystemText(part.text) } : part

/** Roles alternate, and none says nothing. Parts stay apart, because signatures are for one of them. */
const mergeContents = (contents: ReadonlyArray<Content>): ReadonlyArray<Json & Content> => {
  const merged: Array<Json & Content> = []
  for (const { parts, role } of contents) {
    if (parts.length === 0) continue
    const last = merged.at(-1)
    if (last?.role === role) merged[merged.length - 1] = { role, parts: [...last.parts, ...parts] }
    else merged.push({ role, parts })
  }
  return merged
}
