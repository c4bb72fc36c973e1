/** What the `usage` of OpenAI's dialect says, read without trusting any of it. */
import type { NanoUsd } from "../../values/usage/NanoUsd.ts"
import type { ChatMetadata } from "../ChatCapability.ts"
import { isObject } from "../../values/json/isObject.ts"

/** The cost that a `usage` states, where an upstream's word on it counts. */
export type CostParser = (usage: Readonly<Record<string, unknown>>) => NanoUsd | undefined

/** Nothing where the two counts are not there: half a count is none. */
export const parseChatUsage = (usage: unknown, parseCost: CostParser | undefined): ChatMetadata => {
  if (!isObject(usage)) return {}
  const inputTokens = usage["prompt_tokens"]
  const outputTokens = usage["completion_tokens"]
  if (!isCount(inputTokens) || !isCount(outputTokens)) return {}
  const details = Object.fromEntries(
    detailFields.flatMap((name) => {
      const counts = parseCounts(usage[name])
      return counts === undefined ? [] : [[name, counts]]
    })
  )
  const { audio_tokens, cache_write_tokens, cached_tokens } = details["prompt_tokens_details"] ?? {}
  const outputDetails = details["completion_tokens_details"] ?? {}
  const webSearches = parseCounts(usage["server_tool_use"])?.["web_search_requests"]
  const cost = parseCost?.(usage)
  return {
    usage: {
      inputTokens,
      outputTokens,
      ...(cached_tokens === undefined ? undefined : { cachedTokens: cached_tokens }),
      ...(cache_write_tokens === undefined ? undefined : { cacheWriteTokens: cache_write_tokens }),
      ...(audio_tokens === undefined ? undefined : { audioTokens: audio_tokens }),
      ...(outputDetails["audio_tokens"] === undefined
        ? undefined
        : { audioOutputTokens: outputDetails["audio_tokens"] }),
      ...(outputDetails["image_tokens"] === undefined
        ? undefined
        : { imageOutputTokens: outputDetails["image_tokens"] }),
      ...(webSearches === undefined ? undefined : { webSearches }),
      ...(outputDetails["reasoning_tokens"] === undefined
        ? undefined
        : { reasoningTokens: outputDetails["reasoning_tokens"] })
    },
    ...(Object.keys(details).length === 0 ? undefined : { usageDetails: details }),
    ...(cost === undefined ? undefined : { cost })
  }
}

/** What a host pays is in there too, and is not for its callers. */
const detailFields = ["prompt_tokens_details", "completion_tokens_details"]

const parseCounts = (details: unknown): Readonly<Record<string, number>> | undefined => {
  if (!isObject(details)) return undefined
  const counts = Object.entries(details).filter((entry): entry is [string, number] =>
    isCount(entry[1])
  )
  return counts.length === 0 ? undefined : Object.fromEntries(counts)
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0
