/** Parses the untrusted `usage` of an answer in OpenAI's dialect. */
import type { NanoUsd } from "../../values/usage/NanoUsd.ts"
import type { ChatMetadata } from "../ChatCapability.ts"
import { isObject } from "../../values/json/isObject.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"

/** Reads the cost from a `usage`; undefined when it has none. */
export type CostParser = (usage: Readonly<Record<string, unknown>>) => NanoUsd | undefined

/** Empty unless both token counts are present. */
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
  const inputDetails = details["prompt_tokens_details"] ?? {}
  const outputDetails = details["completion_tokens_details"] ?? {}
  return {
    usage: {
      inputTokens,
      outputTokens,
      ...omitUndefined({
        cachedTokens: inputDetails["cached_tokens"],
        cacheWriteTokens: inputDetails["cache_write_tokens"],
        audioTokens: inputDetails["audio_tokens"],
        audioOutputTokens: outputDetails["audio_tokens"],
        imageOutputTokens: outputDetails["image_tokens"],
        reasoningTokens: outputDetails["reasoning_tokens"],
        webSearches: parseCounts(usage["server_tool_use"])?.["web_search_requests"]
      })
    },
    ...(Object.keys(details).length === 0 ? undefined : { usageDetails: details }),
    ...omitUndefined({ cost: parseCost?.(usage) })
  }
}

/** Other fields, such as the cost for the host, are not shown to callers. */
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
