/** Converts a generation record to its response. */
import type {
  Generation,
  GenerationAttempt
} from "../../engine/observability/generations/Generation.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { OperationName } from "../../values/OperationName.ts"
import type { GenerationResponse } from "./GenerationsApi.ts"

/** The values that OpenRouter's clients know. */
const apiTypes: Readonly<Record<OperationName, string>> = {
  chat: "completions",
  decisions: "decisions",
  embeddings: "embeddings",
  rerank: "rerank",
  videos: "video"
}

export const toGenerationResponse = (generation: Generation): typeof GenerationResponse.Type => {
  const { attempts, cost, error, upstreamCost, usage } = generation
  const usd = cost === undefined ? 0 : NanoUsd.toUsdNumber(cost)
  const input = usage?.inputTokens ?? null
  const output = usage?.outputTokens ?? null
  return {
    api: generation.operation === "chat" ? (generation.api ?? "chat") : null,
    api_type: apiTypes[generation.operation],
    app_id: null,
    cache_discount: null,
    cancelled: error === "Interrupted" || error === "VideoCancelled",
    created_at: new Date(generation.startedAt).toISOString(),
    data_region: "global",
    external_user: generation.externalUser ?? null,
    finish_reason: generation.finishReason ?? null,
    generation_time: generation.latencyMillis,
    http_referer: null,
    id: generation.id,
    is_byok: generation.isByok ?? false,
    latency: error === undefined ? findLatency(attempts.at(-1)) : null,
    model: generation.model ?? generation.requestedModel,
    moderation_latency: null,
    native_finish_reason: generation.nativeFinishReason ?? generation.finishReason ?? null,
    native_tokens_cached: usage?.cachedTokens ?? null,
    native_tokens_completion: output,
    native_tokens_completion_images: null,
    native_tokens_prompt: input,
    native_tokens_reasoning: usage?.reasoningTokens ?? null,
    num_fetches: null,
    num_input_audio_prompt: null,
    num_media_completion: null,
    num_media_prompt: null,
    num_search_results: null,
    origin: "",
    preset_id: null,
    provider_name: generation.provider ?? null,
    provider_responses: attempts.map((attempt) => ({
      endpoint_id: attempt.endpoint,
      is_byok: attempt.isByok ?? false,
      latency: attempt.latencyMillis,
      provider_name: attempt.provider,
      status: attempt.status ?? (attempt.outcome === "served" ? 200 : null)
    })),
    router: null,
    service_tier: generation.serviceTier ?? null,
    session_id: generation.session ?? null,
    streamed: generation.streamed ?? false,
    tokens_completion: output,
    tokens_prompt: input,
    total_cost: usd,
    upstream_id: generation.upstreamId ?? null,
    upstream_inference_cost: upstreamCost === undefined ? null : NanoUsd.toUsdNumber(upstreamCost),
    upstream_model: generation.upstreamModel ?? null,
    usage: usd,
    user_agent: null,
    web_search_engine: null,
    workspace_id: generation.workspace
  }
}

/** For a stream, the time to its first event. */
const findLatency = (last: GenerationAttempt | undefined): number | null =>
  last?.firstEventMillis ?? last?.latencyMillis ?? null
