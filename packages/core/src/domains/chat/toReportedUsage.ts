/** The provider's report about an answer whose usage or cost was capped, for the caller. */
import type { ImplausibleReport } from "../../engine/observability/generations/Generation.ts"
import { omitUndefined } from "../../values/ownFields.ts"

/** What the provider reported before a cap was applied: the counts of the usage, or the cost. */
export interface ReportedUsage {
  readonly prompt_tokens?: number
  readonly completion_tokens?: number
  readonly total_tokens?: number
  readonly prompt_tokens_details?: Readonly<Record<string, number>>
  readonly completion_tokens_details?: Readonly<Record<string, number>>
  readonly server_tool_use?: { readonly web_search_requests: number }
  /** USD. */
  readonly cost?: number
}

/** The provider's report about an answer whose usage or cost was capped, for the caller. */
export const toReportedUsage = ({ reported, usage, what }: ImplausibleReport): ReportedUsage => {
  if (usage === undefined) return what === "cost" ? { cost: reported } : {}
  const { inputTokens, outputTokens, webSearches } = usage
  return omitUndefined({
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: nonEmpty({
      cached_tokens: usage.cachedTokens,
      cache_write_tokens: usage.cacheWriteTokens,
      audio_tokens: usage.audioTokens
    }),
    completion_tokens_details: nonEmpty({
      reasoning_tokens: usage.reasoningTokens,
      audio_tokens: usage.audioOutputTokens,
      image_tokens: usage.imageOutputTokens
    }),
    server_tool_use: webSearches === undefined ? undefined : { web_search_requests: webSearches }
  })
}

const nonEmpty = (
  counts: Readonly<Record<string, number | undefined>>
): Readonly<Record<string, number>> | undefined => {
  const known = Object.entries(counts).flatMap(([name, count]) =>
    count === undefined ? [] : [[name, count] as const]
  )
  return known.length === 0 ? undefined : Object.fromEntries(known)
}
