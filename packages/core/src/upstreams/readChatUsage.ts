/** What the `usage` of OpenAI's dialect says, read without trusting any of it. */
import type { NanoUsd } from "../values/NanoUsd.ts"
import type { ChatReport } from "./ChatCapability.ts"
import { isObject } from "./isObject.ts"

/** The cost that a `usage` states, where an upstream's word on it counts. */
export type CostOf = (usage: Readonly<Record<string, unknown>>) => NanoUsd | undefined

/** Nothing where the two counts are not there: half a count is none. */
export const readChatUsage = (usage: unknown, costOf: CostOf | undefined): ChatReport => {
  if (!isObject(usage)) return {}
  const inputTokens = usage["prompt_tokens"]
  const outputTokens = usage["completion_tokens"]
  if (!isCount(inputTokens) || !isCount(outputTokens)) return {}
  const details = Object.fromEntries(
    detailNames.flatMap((name) => {
      const counts = countsOf(usage[name])
      return counts === undefined ? [] : [[name, counts]]
    })
  )
  const { audio_tokens, cache_write_tokens, cached_tokens } = details["prompt_tokens_details"] ?? {}
  const written = details["completion_tokens_details"] ?? {}
  const webSearches = countsOf(usage["server_tool_use"])?.["web_search_requests"]
  const cost = costOf?.(usage)
  return {
    usage: {
      inputTokens,
      outputTokens,
      ...(cached_tokens === undefined ? undefined : { cachedTokens: cached_tokens }),
      ...(cache_write_tokens === undefined ? undefined : { cacheWriteTokens: cache_write_tokens }),
      ...(audio_tokens === undefined ? undefined : { audioTokens: audio_tokens }),
      ...(written["audio_tokens"] === undefined
        ? undefined
        : { audioOutputTokens: written["audio_tokens"] }),
      ...(written["image_tokens"] === undefined
        ? undefined
        : { imageOutputTokens: written["image_tokens"] }),
      ...(webSearches === undefined ? undefined : { webSearches }),
      ...(written["reasoning_tokens"] === undefined
        ? undefined
        : { reasoningTokens: written["reasoning_tokens"] })
    },
    ...(Object.keys(details).length === 0 ? undefined : { usageDetails: details }),
    ...(cost === undefined ? undefined : { cost })
  }
}

/** What a host pays is in there too, and is not for its callers. */
const detailNames = ["prompt_tokens_details", "completion_tokens_details"]

const countsOf = (details: unknown): Readonly<Record<string, number>> | undefined => {
  if (!isObject(details)) return undefined
  const counts = Object.entries(details).filter((entry): entry is [string, number] =>
    isCount(entry[1])
  )
  return counts.length === 0 ? undefined : Object.fromEntries(counts)
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0
