/** Parses the untrusted usage of Anthropic's API. */
import type { ChatMetadata } from "../../engine/upstreams/ChatCapability.ts"
import type { CostParser } from "../../engine/upstreams/openaiChat/parseChatUsage.ts"
import { isObject } from "../../values/json/guards.ts"
import { omitUndefined, setOwn } from "../../values/ownFields.ts"
import type { ModelUsage } from "../../values/usage/ModelUsage.ts"
import { parseCount, sumUsage, type TokenUsage } from "../../values/usage/TokenUsage.ts"
import { isEmpty } from "../UntranslatableRequest.ts"

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

/** The usage of a whole answer, and what of it was used by models that the iterations name. */
interface IterationsUsage {
  readonly usage: TokenUsage
  readonly byModel: ReadonlyArray<ModelUsage>
}

/**
 * The counts at the top are those of the model that answered. The list beside them has the counts of the advisor, which
 * is another model (https://platform.claude.com/docs/en/agents-and-tools/tool-use/advisor-tool), of a compaction
 * (https://platform.claude.com/docs/en/build-with-claude/compaction-threshold), and of models that declined before a
 * fallback answered (https://platform.claude.com/cookbook/fable-5-fallback-billing-guide).
 */
const addIterations = (
  top: TokenUsage,
  iterations: unknown,
  parseTokens: (usage: unknown) => TokenUsage | undefined
): IterationsUsage => {
  if (!Array.isArray(iterations)) return { usage: top, byModel: [] }
  const list: ReadonlyArray<unknown> = iterations
  const fallbackAt = list.findLastIndex(
    (each) => isObject(each) && each["type"] === "fallback_message"
  )
  let usage = top
  const byModel: Array<ModelUsage> = []
  for (let index = 0; index < Math.min(list.length, maxIterations); index++) {
    const each = list[index]
    if (!isObject(each)) continue
    const isBeside = besideTop.has(each["type"]) || index < fallbackAt
    const tokens = isBeside ? parseTokens(each) : index === fallbackAt ? top : undefined
    if (tokens === undefined) continue
    const part = { ...tokens, requests: 0 }
    if (isBeside) usage = sumUsage(usage, part)
    const { model } = each
    if (typeof model === "string" && model !== "") byModel.push({ model, usage: part })
  }
  return { usage, byModel }
}

const besideTop: ReadonlySet<unknown> = new Set(["advisor_message", "compaction"])

/** More than a provider's loop of tools has. */
const maxIterations = 1_024
