/** The metrics of analytics, by the names of OpenRouter's API where it has them: those that rollups give exactly. */
import * as NanoUsd from "../../../values/usage/NanoUsd.ts"
import type { Measures } from "../rollups/Measures.ts"

/** Null where it has no value, such as a ratio of nothing. */
export type ComputeMetric = (measures: Measures) => number | null

export interface AnalyticsMetric {
  readonly name: string
  readonly label: string
  readonly format: "number" | "currency" | "percent"
  readonly isRate: boolean
  readonly compute: ComputeMetric
  /** The same by provider or endpoint, where measures are of attempts; absent where attempts do not tell. */
  readonly computeOfAttempts?: ComputeMetric
}

const metric = (
  name: string,
  label: string,
  compute: ComputeMetric,
  {
    computeOfAttempts = compute,
    format = "number"
  }: Partial<Pick<AnalyticsMetric, "computeOfAttempts" | "format">> = {}
): AnalyticsMetric => ({
  name,
  label,
  format,
  isRate: format === "percent",
  compute,
  computeOfAttempts
})

const currency = { format: "currency" } as const

export const analyticsMetrics: ReadonlyArray<AnalyticsMetric> = [
  metric("request_count", "Request Count", ({ requests }) => requests, {
    // A request has any number of attempts, but one at most answers it.
    computeOfAttempts: ({ errors, requests }) => requests - errors
  }),
  metric("error_count", "Error Count", ({ errors }) => errors),
  {
    name: "byok_request_count",
    label: "BYOK Request Count",
    format: "number",
    isRate: false,
    compute: ({ byok }) => byok
  },
  metric("unpriced_request_count", "Unpriced Request Count", ({ unpriced }) => unpriced),
  metric("tokens_total", "Total Tokens", (of) => of.inputTokens + of.outputTokens),
  metric("tokens_prompt", "Prompt Tokens", ({ inputTokens }) => inputTokens),
  metric("tokens_completion", "Completion Tokens", ({ outputTokens }) => outputTokens),
  metric("reasoning_tokens", "Reasoning Tokens", ({ reasoningTokens }) => reasoningTokens),
  metric("cached_tokens", "Cached Tokens", ({ cachedTokens }) => cachedTokens),
  metric(
    "cache_hit_rate",
    "Cache Hit Rate",
    ({ cachedTokens, inputTokens }) => (inputTokens === 0 ? null : cachedTokens / inputTokens),
    { format: "percent" }
  ),
  metric(
    "total_usage",
    "Total Usage",
    ({ cost, upstreamCost }) => NanoUsd.toUsdNumber(NanoUsd.make(cost + upstreamCost)),
    currency
  ),
  metric("credits_usage", "Credits Usage", ({ cost }) => NanoUsd.toUsdNumber(cost), currency),
  metric(
    "byok_usage",
    "BYOK Usage",
    ({ upstreamCost }) => NanoUsd.toUsdNumber(upstreamCost),
    currency
  )
]
