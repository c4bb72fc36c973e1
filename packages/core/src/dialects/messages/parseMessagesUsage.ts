/** Parses the untrusted usage of Anthropic's API. */
import type { ChatMetadata } from "../../engine/upstreams/ChatCapability.ts"
import type { CostParser } from "../../engine/upstreams/openaiChat/parseChatUsage.ts"
import { isObject } from "../../values/json/guards.ts"
import { omitUndefined, setOwn } from "../../values/ownFields.ts"
import { type TokenUsage, parseCount } from "../../values/usage/TokenUsage.ts"
import { isEmpty } from "../readField.ts"
import { addIterations } from "./parseIterations.ts"

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

/** Empty unless both token counts are present. The input excludes cached tokens, unlike elsewhere. */
export const parseMessagesUsage = (
  usage: unknown,
  parseCost: CostParser | undefined
): ChatMetadata => {
  const top = parseTokens(usage)
  if (top === undefined || !isObject(usage)) return {}
  const webSearches = findDetail(usage["server_tool_use"], "web_search_requests")
  const iterations = addIterations(top, usage["iterations"], parseTokens)
  const tokens: TokenUsage =
    webSearches === undefined ? iterations.usage : { ...iterations.usage, webSearches }
  const { cacheWriteTokens, cachedTokens, reasoningTokens } = tokens
  const input = toDetails({ cached_tokens: cachedTokens, cache_write_tokens: cacheWriteTokens })
  const output = toDetails({ reasoning_tokens: reasoningTokens })
  const metadata: { -readonly [K in keyof ChatMetadata]: ChatMetadata[K] } = { usage: tokens }
  if (iterations.byModel.length > 0) metadata.usageByModel = iterations.byModel
  if (input !== undefined || output !== undefined) {
    metadata.usageDetails = omitUndefined({
      prompt_tokens_details: input,
      completion_tokens_details: output
    })
  }
  const cost = parseCost?.(usage)
  if (cost !== undefined) metadata.cost = cost
  const speed = findWord(usage["speed"])
  if (speed !== undefined) metadata.speed = speed
  const inferenceGeo = findWord(usage["inference_geo"])
  if (inferenceGeo !== undefined) metadata.inferenceGeo = inferenceGeo
  return metadata
}

/** Parses the usage of an answer, or of one of its iterations. */
const parseTokens = (usage: unknown): TokenUsage | undefined => {
  if (!isObject(usage)) return undefined
  const uncached = parseCount(usage["input_tokens"])
  const outputTokens = parseCount(usage["output_tokens"])
  if (uncached === undefined || outputTokens === undefined) return undefined
  const cachedTokens = parseCount(usage["cache_read_input_tokens"])
  const cacheWriteTokens = parseCount(usage["cache_creation_input_tokens"])
  const cacheWrite1hTokens = findDetail(usage["cache_creation"], "ephemeral_1h_input_tokens")
  const reasoningTokens = findDetail(usage["output_tokens_details"], "thinking_tokens")
  const inputTokens = uncached + (cachedTokens ?? 0) + (cacheWriteTokens ?? 0)
  if (!Number.isSafeInteger(inputTokens)) return undefined
  return {
    inputTokens,
    outputTokens,
    ...omitUndefined({
      cachedTokens,
      cacheWriteTokens,
      // Zero says nothing that an absent count does not.
      cacheWrite1hTokens: cacheWrite1hTokens === 0 ? undefined : cacheWrite1hTokens,
      reasoningTokens
    })
  }
}

/** The tier of the usage, by its name in chat. */
export const parseServiceTier = (usage: unknown): Pick<ChatMetadata, "serviceTier"> => {
  const tier = isObject(usage) ? findWord(usage["service_tier"]) : undefined
  return tier === undefined ? {} : { serviceTier: tier === "standard" ? "default" : tier }
}

const findWord = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" && value.length <= maxWordLength ? value : undefined

const maxWordLength = 256

const findDetail = (details: unknown, name: string): number | undefined =>
  isObject(details) ? parseCount(details[name]) : undefined

const toDetails = (
  counts: Readonly<Record<string, number | undefined>>
): Readonly<Record<string, unknown>> | undefined => {
  const known = omitUndefined(counts)
  return isEmpty(known) ? undefined : known
}
