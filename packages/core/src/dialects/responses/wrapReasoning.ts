/**
 * Carries reasoning of other providers through `encrypted_content`, which clients send back unchanged. Readable text stays
 * in the summaries of the item, unless the client wants none.
 */
import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"
import type { ReasoningPart } from "../../conversation/Part.ts"
import { findJson, isObject, toList } from "../../values/json/guards.ts"
import { foreignPrefix, readForeignReasoning } from "../reasoningFamily.ts"
import { findIndex, findText, type Json } from "./fields.ts"

/** A part of the reasoning of one item. */
export interface WrappedPart extends Omit<ReasoningPart, "extra" | "type"> {
  /** The place among the summaries of the item of `text`, which is then not wrapped. */
  readonly summaryIndex?: number
}

export const wrapReasoning = (parts: ReadonlyArray<WrappedPart>): string =>
  foreignPrefix +
  Base64Url.encode(
    JSON.stringify(
      parts.map(({ summaryIndex, text, ...part }) =>
        summaryIndex === undefined ? { ...part, text } : { ...part, summaryIndex }
      )
    )
  )

/** Undefined for everything that `wrapReasoning` did not write. */
export const unwrapReasoning = (
  value: string,
  summaries: ReadonlyArray<string>
): ReadonlyArray<ReasoningPart> | undefined => {
  if (!value.startsWith(foreignPrefix)) return undefined
  const text = Result.getOrElse(Base64Url.decodeString(value.slice(foreignPrefix.length)), () => "")
  return toList(findJson(text)).flatMap((part) => {
    if (!isObject(part)) return []
    const reasoning = readForeignReasoning(part)
    return reasoning === undefined
      ? []
      : [{ type: "reasoning", ...reasoning, ...findPartText(part, summaries) }]
  })
}

const findPartText = (part: Json, summaries: ReadonlyArray<string>): { readonly text?: string } => {
  const index = findIndex(part["summaryIndex"])
  const text = index === undefined ? findText(part["text"]) : summaries[index]
  return text === undefined ? {} : { text }
}
