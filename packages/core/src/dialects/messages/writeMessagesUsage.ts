/** Writes usage in the fields of Anthropic's API. */
import type { UsageFacts } from "../AnswerFacts.ts"

/** A new object that the caller may extend. Unknown counts are null; the input excludes cached tokens. */
export const writeMessagesUsage = ({
  serviceTier,
  usage,
  usageFields
}: UsageFacts): Record<string, unknown> => {
  const {
    cachedTokens,
    cacheWrite1hTokens,
    cacheWriteTokens,
    inputTokens = 0,
    outputTokens = 0,
    reasoningTokens,
    webSearches
  } = usage ?? {}
  return {
    input_tokens: Math.max(0, inputTokens - (cachedTokens ?? 0) - (cacheWriteTokens ?? 0)),
    cache_creation_input_tokens: cacheWriteTokens ?? null,
    cache_read_input_tokens: cachedTokens ?? null,
    cache_creation:
      cacheWrite1hTokens === undefined
        ? null
        : {
            ephemeral_5m_input_tokens: Math.max(0, (cacheWriteTokens ?? 0) - cacheWrite1hTokens),
            ephemeral_1h_input_tokens: cacheWrite1hTokens
          },
    output_tokens: outputTokens,
    output_tokens_details:
      reasoningTokens === undefined ? null : { thinking_tokens: reasoningTokens },
    server_tool_use:
      webSearches === undefined
        ? null
        : { web_search_requests: webSearches, web_fetch_requests: 0 },
    service_tier: serviceTier === "default" ? "standard" : (serviceTier ?? null),
    inference_geo: null,
    ...usageFields
  }
}
