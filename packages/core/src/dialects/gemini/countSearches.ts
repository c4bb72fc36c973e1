/** Counts the web searches of an answer of Google's API. */
import type { ChatMetadata } from "../../engine/upstreams/ChatCapability.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import type { Json } from "./geminiFields.ts"

/**
 * Counts searches as Google sells them: each query from Gemini 3 on, and before that each prompt with at least one
 * query (https://ai.google.dev/gemini-api/docs/pricing).
 */
export const countSearches = (json: Json): number => {
  let queries = 0
  const { candidates, modelVersion } = json
  for (const candidate of toList(candidates)) {
    const grounding = isObject(candidate) ? candidate["groundingMetadata"] : undefined
    const found = isObject(grounding) ? grounding["webSearchQueries"] : undefined
    if (Array.isArray(found)) queries += found.length
  }
  const isByPrompt = typeof modelVersion === "string" && soldByPrompt.test(modelVersion)
  return isByPrompt ? Math.min(queries, 1) : queries
}

const soldByPrompt = /gemini-[12]\b/

export const addSearches = (report: ChatMetadata, webSearches: number): ChatMetadata =>
  webSearches === 0
    ? report
    : {
        ...report,
        ...(report.usage === undefined ? undefined : { usage: { ...report.usage, webSearches } }),
        ...toServerCalls(webSearches)
      }

/** The model reads once what they found. */
export const toServerCalls = (webSearches: number): Pick<ChatMetadata, "serverCalls"> =>
  webSearches === 0 ? {} : { serverCalls: { calls: 1, webSearches } }
