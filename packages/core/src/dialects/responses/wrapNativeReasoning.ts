/**
 * Marks the encrypted reasoning of providers other than OpenAI with its provider, so that no other provider gets it
 * back.
 */
import type { ReasoningFormat } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"
import { findNonEmptyText, type Json } from "./fields.ts"
import { parseReasoningItem } from "./parseReasoningItem.ts"
import { wrapReasoning } from "./wrapReasoning.ts"

/** `json` is a response or one of its events. */
export const wrapNativeReasoning = (json: Json, format: ReasoningFormat): Json => {
  const { item, output, response } = json
  return {
    ...json,
    ...(isObject(item) ? { item: wrapItem(item, format) } : undefined),
    ...(isObject(response) ? { response: wrapNativeReasoning(response, format) } : undefined),
    ...(Array.isArray(output)
      ? { output: output.map((each) => (isObject(each) ? wrapItem(each, format) : each)) }
      : undefined)
  }
}

const wrapItem = (item: Json, format: ReasoningFormat): Json => {
  if (item["type"] !== "reasoning") return item
  if (findNonEmptyText(item["encrypted_content"]) === undefined) return item
  let summaries = 0
  const parts = parseReasoningItem(item, format).map((part) =>
    part.isSummary === true ? { ...part, summaryIndex: summaries++ } : part
  )
  return { ...item, encrypted_content: wrapReasoning(parts) }
}
