/** Converts measures to their response. */
import * as Histogram from "../../values/Histogram.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { Measures } from "../../engine/observability/rollups/Measures.ts"
import type { FiguresResponse } from "./SeriesApi.ts"

export const toFiguresResponse = (measures: Measures): typeof FiguresResponse.Type => ({
  requests: measures.requests,
  errors: measures.errors,
  byok_requests: measures.byok,
  unpriced_requests: measures.unpriced,
  tokens_prompt: measures.inputTokens,
  tokens_completion: measures.outputTokens,
  tokens_cached: measures.cachedTokens,
  tokens_reasoning: measures.reasoningTokens,
  cost: NanoUsd.toUsdNumber(measures.cost),
  upstream_inference_cost: NanoUsd.toUsdNumber(measures.upstreamCost),
  latency: toPercentiles(measures.latency),
  time_to_first_token: toPercentiles(measures.firstEvent)
})

const toPercentiles = (histogram: Histogram.Histogram): (typeof FiguresResponse.Type)["latency"] =>
  histogram.count === 0
    ? null
    : {
        p50: Histogram.getQuantile(histogram, 0.5),
        p90: Histogram.getQuantile(histogram, 0.9),
        p99: Histogram.getQuantile(histogram, 0.99)
      }
