/** Reads the counts of tokens that a provider of the AI SDK reports. */
import type { LanguageModelV4Usage } from "@ai-sdk/provider"
import type { ChatMetadata, TokenUsage } from "@signalbox/core/upstream"
import { isObject } from "./isObject.ts"

type Report = Pick<ChatMetadata, "usage" | "usageDetails">

/** Empty unless both totals, or parts of them, are reported. */
export const parseUsage = (usage: LanguageModelV4Usage | undefined): Report => {
  // Providers are code of others: their values are checked like JSON.
  const input = readCounts(usage?.inputTokens)
  const output = readCounts(usage?.outputTokens)
  const inputTokens =
    input("total") ?? sum(input("noCache"), input("cacheRead"), input("cacheWrite"))
  const outputTokens = output("total") ?? sum(output("text"), output("reasoning"))
  if (inputTokens === undefined || outputTokens === undefined) return {}
  const cachedTokens = input("cacheRead")
  const cacheWriteTokens = input("cacheWrite")
  const reasoningTokens = output("reasoning")
  const tokens: TokenUsage = {
    inputTokens,
    outputTokens,
    ...(cachedTokens === undefined ? undefined : { cachedTokens }),
    ...(cacheWriteTokens === undefined ? undefined : { cacheWriteTokens }),
    ...(reasoningTokens === undefined ? undefined : { reasoningTokens })
  }
  const prompt = {
    ...(cachedTokens === undefined ? undefined : { cached_tokens: cachedTokens }),
    ...(cacheWriteTokens === undefined ? undefined : { cache_write_tokens: cacheWriteTokens })
  }
  const details = {
    ...(Object.keys(prompt).length === 0 ? undefined : { prompt_tokens_details: prompt }),
    ...(reasoningTokens === undefined
      ? undefined
      : { completion_tokens_details: { reasoning_tokens: reasoningTokens } })
  }
  return {
    usage: tokens,
    ...(Object.keys(details).length === 0 ? undefined : { usageDetails: details })
  }
}

const readCounts =
  (counts: unknown) =>
  (name: string): number | undefined => {
    const count = isObject(counts) ? counts[name] : undefined
    return typeof count === "number" && Number.isSafeInteger(count) && count >= 0
      ? count
      : undefined
  }

const sum = (...counts: ReadonlyArray<number | undefined>): number | undefined => {
  const known = counts.filter((count) => count !== undefined)
  return known.length === 0 ? undefined : known.reduce((total, count) => total + count, 0)
}
