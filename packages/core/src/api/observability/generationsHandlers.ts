/** Handlers of the generation operations. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Contents } from "../../domains/content/Contents.ts"
import type {
  Generation,
  GenerationAttempt
} from "../../engine/observability/generations/Generation.ts"
import { Feedbacks } from "../../domains/feedback/Feedbacks.ts"
import { FeedbackStore } from "../../domains/feedback/FeedbackStore.ts"
import type {
  GenerationFigure,
  GenerationFilter
} from "../../engine/observability/generations/GenerationFilter.ts"
import { GenerationStore } from "../../engine/observability/generations/GenerationStore.ts"
import { Generations } from "../../engine/observability/generations/Generations.ts"
import { toResourceOwner } from "../../tenants/auth/permissions.ts"
import type { OperationName } from "../../values/OperationName.ts"
import { parseTag } from "../../values/Tags.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { encodeGenerationCursor, parseGenerationCursor } from "../contract/pageQueries.ts"
import { toMillis, toRange } from "../contract/queryParameters.ts"
import type { Handlers } from "../operation/Handler.ts"
import { toCursorPageResponse } from "../contract/envelopes.ts"
import { toCursorRequest } from "../contract/pageQueries.ts"
import { makeReplay } from "./makeReplay.ts"
import { toFeedbackResponse } from "./FeedbackResponse.ts"
import { toContentData } from "./GenerationContent.ts"
import { checkSortedTime } from "./checkSortedTime.ts"
import type { GenerationResponse, GenerationsApi } from "./GenerationsApi.ts"
import { toGenerationRecord, toGenerationSummary } from "./toGenerationRecord.ts"

export const generationsHandlers = Effect.gen(function* () {
  const contents = yield* Contents
  const feedbacks = yield* Feedbacks
  const feedbackStore = yield* FeedbackStore
  const generations = yield* Generations
  const replays = yield* makeReplay
  const store = yield* GenerationStore
  return {
    get: ({ query }, { caller }) =>
      Effect.map(generations.find(toResourceOwner(caller), query.id), (generation) => ({
        data: toGenerationResponse(generation)
      })),
    getContent: ({ query }, { caller }) =>
      Effect.map(contents.get(caller, query.id), ({ document, generation }) => ({
        data: toContentData(generation, document)
      })),
    submitFeedback: ({ payload }, { caller }) =>
      Effect.as(
        feedbacks.give(caller, {
          generation: payload.generation_id,
          category: payload.category,
          comment: payload.comment
        }),
        { data: { success: true as const } }
      ),
    listFeedback: ({ query }, { caller }) => {
      const { category, generation_id: generation } = query
      const filter = { account: caller.account, ...omitUndefined({ category, generation }) }
      return Effect.map(feedbackStore.list(filter, toCursorRequest(query)), (page) =>
        toCursorPageResponse(page, toFeedbackResponse)
      )
    },
    list: Effect.fnUntraced(function* ({ query }, { caller }) {
      const { endpoint, model, operation, outcome, provider, tag = "", user } = query
      const filter = omitUndefined({
        from: toMillis(query.from),
        to: toMillis(query.to),
        workspace: query.workspace_id,
        key: query.key_hash,
        session: query.session_id,
        request: query.request_id,
        endpoint,
        model,
        operation,
        outcome,
        preset: query.preset_id,
        provider,
        user,
        externalUser: query.external_user,
        tag: parseTag(tag)
      })
      const { sort } = query
      if (sort !== undefined) {
        const { from = -Infinity, to = yield* Clock.currentTimeMillis } = filter
        yield* checkSortedTime(from, to, "a sorted list; it sorts")
      }
      const after = parseGenerationCursor(query.starting_after ?? "")
      const { next, rows } = yield* store.list(
        { account: caller.account, ...filter, figures: toFigureRanges(query) },
        { limit: query.limit, ...omitUndefined({ after, sort }) }
      )
      return {
        data: rows.map(toGenerationSummary),
        has_more: next !== undefined,
        ...(next === undefined ? undefined : { next_cursor: encodeGenerationCursor(next) })
      }
    }),
    getRecord: ({ params }, { caller }) =>
      Effect.map(generations.find({ account: caller.account }, params.id), (generation) => ({
        data: toGenerationRecord(generation)
      })),
    previewReplay: ({ params, payload }, { caller }) =>
      Effect.map(replays.preview(caller, params.id, payload), (data) => ({ data })),
    replay: ({ params, payload }, { caller, routing }) =>
      Effect.map(replays.replay(caller, params.id, payload, routing), (data) => ({ data }))
  } satisfies Handlers<typeof GenerationsApi>
})

const toFigureRanges = (query: {
  readonly [Name in `${"max" | "min"}_${GenerationFigure}`]?: number
}): NonNullable<GenerationFilter["figures"]> =>
  omitUndefined({
    latency: toRange(query.min_latency, query.max_latency),
    cost: toRange(toNanoUsd(query.min_cost), toNanoUsd(query.max_cost)),
    tokens: toRange(query.min_tokens, query.max_tokens)
  })

const toNanoUsd = (usd: number | undefined): number | undefined =>
  usd === undefined ? undefined : Number(NanoUsd.fromUsdNumber(usd))

/** The values that OpenRouter's clients know. */
const apiTypes: Readonly<Record<OperationName, string>> = {
  chat: "completions",
  decisions: "decisions",
  embeddings: "embeddings",
  images: "image",
  rerank: "rerank",
  speech: "tts",
  transcriptions: "stt",
  videos: "video"
}

/** Converts a generation record to its response. */
const toGenerationResponse = (generation: Generation): typeof GenerationResponse.Type => {
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
    native_tokens_completion_images: usage?.imageOutputTokens ?? null,
    native_tokens_prompt: input,
    native_tokens_reasoning: usage?.reasoningTokens ?? null,
    num_fetches: null,
    num_input_audio_prompt: null,
    num_media_completion: usage?.outputImages ?? null,
    num_media_prompt: usage?.images ?? null,
    num_search_results: null,
    origin: "",
    preset_id: generation.preset ?? null,
    provider_name: generation.provider ?? null,
    provider_responses: attempts.map((attempt) => ({
      endpoint_id: attempt.endpoint,
      is_byok: attempt.isByok ?? false,
      latency: attempt.latencyMillis,
      provider_name: attempt.provider,
      status: attempt.status ?? (attempt.outcome === "served" ? 200 : null)
    })),
    response_cache_source_id: generation.cache?.source ?? null,
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
