/** What requests add up to, as the HTTP API shows it. */
import * as Schema from "effect/Schema"
import type { Measures } from "../../engine/observability/rollups/Measures.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"

export const measureFields = {
  requests: Schema.Int,
  /** Requests that ended with an error. */
  errors: Schema.Int,
  /** Requests on the account's own credentials. */
  byok_requests: Schema.Int,
  /** Answered requests whose cost is unknown; `cost` lacks them. */
  unpriced_requests: Schema.Int,
  tokens_prompt: Schema.Finite,
  tokens_completion: Schema.Finite,
  /** The part of `tokens_prompt` read from prompt caches. */
  tokens_cached: Schema.Finite,
  /** The part of `tokens_completion` spent on reasoning. */
  tokens_reasoning: Schema.Finite,
  /** Characters of text to speak. */
  characters: Schema.Finite,
  /** Seconds of audio to transcribe. */
  audio_seconds: Schema.Finite,
  /** Images that were made. */
  output_images: Schema.Finite,
  /** USD. */
  cost: Schema.Finite,
  /** USD that providers bill to the owners of credentials. */
  upstream_inference_cost: Schema.Finite,
  /** Requests that the cache of responses answered. */
  response_cache_hits: Schema.Int,
  /** Requests that used it, and that a provider had to answer. */
  response_cache_misses: Schema.Int,
  /** USD that the hits would have cost, which is not part of `cost`. */
  response_cache_saved: Schema.Finite
}

export const toMeasureFields = (measures: Measures) => ({
  requests: measures.requests,
  errors: measures.errors,
  byok_requests: measures.byok,
  unpriced_requests: measures.unpriced,
  tokens_prompt: measures.inputTokens,
  tokens_completion: measures.outputTokens,
  tokens_cached: measures.cachedTokens,
  tokens_reasoning: measures.reasoningTokens,
  characters: measures.characters,
  audio_seconds: measures.audioMillis / 1_000,
  output_images: measures.outputImages,
  cost: NanoUsd.toUsdNumber(measures.cost),
  upstream_inference_cost: NanoUsd.toUsdNumber(measures.upstreamCost),
  response_cache_hits: measures.cacheHits,
  response_cache_misses: measures.cacheMisses,
  response_cache_saved: NanoUsd.toUsdNumber(measures.saved)
})

/** How often each category of feedback was given; those never given are left out. */
export const FeedbackCountsResponse = Schema.Record(Schema.String, Schema.Int)
