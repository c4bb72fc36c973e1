/** Parses the untrusted usage of Anthropic's API. */
import type { ChatMetadata } from "../../upstreams/ChatCapability.ts"
import type { CostParser } from "../../upstreams/openaiChat/parseChatUsage.ts"
import { isObject } from "../../values/json/isObject.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"
import { setOwn } from "../../values/setOwn.ts"
import { isEmpty } from "../readField.ts"

/**
 * Adds `later` to the usage so far: counts are totals, so one that is repeated replaces the earlier one. In place, because a
 * provider may report it with every event.
 */
export const addMessagesUsage = (usage: Record<string, unknown>, later: unknown): void => {
  if (!isObject(later)) return
  for (const name of Object.keys(later)) {
    const value = later[name]
    if (value !== null && value !== undefined) setOwn(usage, name, value)
  }
}

/** Empty unless both token counts are present. The input is counted without what a cache held, unlike elsewhere. */
export const parseMessagesUsage = (
  usage: unknown,
  parseCost: CostParser | undefined
): ChatMetadata => {
  if (!isObject(usage)) return {}
  const uncached = findCount(usage["input_tokens"])
  const outputTokens = findCount(usage["output_tokens"])
  if (uncached === undefined || outputTokens === undefined) return {}
  const cachedTokens = findCount(usage["cache_read_input_tokens"])
  const cacheWriteTokens = findCount(usage["cache_creation_input_tokens"])
  const cacheWrite1hTokens = findDetail(usage["cache_creation"], "ephemeral_1h_input_tokens")
  const reasoningTokens = findDetail(usage["output_tokens_details"], "thinking_tokens")
  const webSearches = findDetail(usage["server_tool_use"], "web_search_requests")
  const inputTokens = uncached + (cachedTokens ?? 0) + (cacheWriteTokens ?? 0)
  if (!Number.isSafeInteger(inputTokens)) return {}
  const details = omitUndefined({
    prompt_tokens_details: toDetails({
      cached_tokens: cachedTokens,
      cache_write_tokens: cacheWriteTokens
    }),
    completion_tokens_details: toDetails({ reasoning_tokens: reasoningTokens })
  })
  return {
    usage: {
      inputTokens,
      outputTokens,
      ...omitUndefined({
        cachedTokens,
        cacheWriteTokens,
        // Zero says nothing that an absent count does not.
        cacheWrite1hTokens: cacheWrite1hTokens === 0 ? undefined : cacheWrite1hTokens,
        reasoningTokens,
        webSearches
      })
    },
    ...(isEmpty(details) ? undefined : { usageDetails: details }),
    ...omitUndefined({ cost: parseCost?.(usage) })
  }
}

/** The tier of the usage, in the word of chat. */
export const parseServiceTier = (usage: unknown): Pick<ChatMetadata, "serviceTier"> => {
  const tier = isObject(usage) ? usage["service_tier"] : undefined
  if (typeof tier !== "string" || tier === "" || tier.length > maxTierLength) return {}
  return { serviceTier: tier === "standard" ? "default" : tier }
}

const maxTierLength = 256

const findCount = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined

const findDetail = (details: unknown, name: string): number | undefined =>
  isObject(details) ? findCount(details[name]) : undefined

const toDetails = (
  counts: Readonly<Record<string, number | undefined>>
): Readonly<Record<string, unknown>> | undefined => {
  const known = omitUndefined(counts)
  return isEmpty(known) ? undefined : known
}
