/** Parses the reasoning items of requests and answers. */
import type { ReasoningPart } from "../../conversation/Part.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { findNonEmptyText, findText, type Json } from "./fields.ts"
import { unwrapReasoning } from "./wrapReasoning.ts"

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
