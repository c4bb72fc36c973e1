/** Parses the reasoning items of requests and answers. */
import * as Result from "effect/Result"
import * as Base64Url from "effect/encoding/Base64Url"
import type { ReasoningPart } from "../../conversation/Part.ts"
import { findJson, isObject, toList } from "../../values/json/guards.ts"
import { foreignPrefix, readForeignReasoning } from "../reasoningFamily.ts"
import { findIndex, findNonEmptyText, findText, type Json } from "./fields.ts"

/**
 * Returns summaries, then readable reasoning, then encrypted reasoning, all with the id of the item. OpenRouter's items
 * may name their format and have a signature.
 */
export const parseReasoningItem = (
  item: Json,
  defaultFormat: string
): ReadonlyArray<ReasoningPart> => {
  const summaries = listTexts(item["summary"])
  const encrypted = findNonEmptyText(item["encrypted_content"])
  const wrapped = encrypted === undefined ? undefined : unwrapReasoning(encrypted, summaries)
  if (wrapped !== undefined) return wrapped
  const id = findNonEmptyText(item["id"])
  const common = {
    type: "reasoning" as const,
    format: findNonEmptyText(item["format"]) ?? defaultFormat,
    ...(id === undefined ? undefined : { id })
  }
  const texts = listTexts(item["content"])
  const signature = findNonEmptyText(item["signature"])
  return [
    ...summaries.map((text): ReasoningPart => ({ ...common, text, isSummary: true })),
    ...texts.map((text, at): ReasoningPart => ({
      ...common,
      text,
      ...(signature !== undefined && at === texts.length - 1 ? { signature } : undefined)
    })),
    ...(encrypted === undefined ? [] : [{ ...common, encrypted }])
  ]
}

const listTexts = (parts: unknown): ReadonlyArray<string> =>
  toList(parts).flatMap((part) => (isObject(part) ? [findText(part["text"]) ?? ""] : []))

/** OpenAI's own format; reasoning of other providers is wrapped. */
export const openaiFormat = "openai-responses-v1"

/** A part of the reasoning of one item. */
export interface WrappedPart extends Omit<ReasoningPart, "extra" | "type"> {
  /** The place among the summaries of the item of `text`, which is then not wrapped. */
  readonly summaryIndex?: number
}

/**
 * Carries reasoning of other providers through `encrypted_content`, which clients send back unchanged. Readable text stays
 * in the summaries of the item, unless the client wants none.
 */
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
const unwrapReasoning = (
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
