/** Converts generation records to what management keys see. */
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"
import type {
  ExceededLimit,
  Generation,
  GenerationAttempt,
  GenerationEscalation,
  GenerationReason
} from "../../engine/observability/generations/Generation.ts"
import type { GenerationRecordResponse, GenerationSummaryResponse } from "./GenerationRecord.ts"

export const toGenerationSummary = (
  generation: Generation
): typeof GenerationSummaryResponse.Type => ({
  id: generation.id,
  created_at: new Date(generation.startedAt).toISOString(),
  operation: generation.operation,
  workspace_id: generation.workspace,
  key_hash: generation.keyHash ?? null,
  user: generation.user ?? null,
  external_user: generation.externalUser ?? null,
  tags: generation.tags ?? {},
  session_id: generation.session ?? null,
  preset_id: generation.preset ?? null,
  request_id: generation.requestId ?? null,
  requested_model: generation.requestedModel,
  models: generation.models ?? [generation.requestedModel],
  resolved_models:
    // A request that was not planned has no strategy.
    generation.strategy === undefined
      ? null
      : (generation.resolvedModels ?? generation.models ?? null),
  preferences: generation.preferences ?? null,
  omitted_preferences: generation.omittedPreferences ?? [],
  constraints: generation.constraints ?? [],
  limits: (generation.limits ?? []).map((limit) => ({ name: null, ...limit })),
  model: generation.model ?? null,
  provider_name: generation.provider ?? null,
  outcome: generation.error ?? "answered",
  streamed: generation.streamed ?? false,
  cache: generation.cache === undefined ? null : toCacheUse(generation.cache),
  latency: generation.latencyMillis,
  queue_wait: generation.queueMillis ?? 0,
  attempt_count: generation.attempts.length,
  ...toSpending(generation)
})

export const toGenerationRecord = (
  generation: Generation
): typeof GenerationRecordResponse.Type => ({
  ...toGenerationSummary(generation),
  api: generation.operation === "chat" ? (generation.api ?? "chat") : null,
  attempts: generation.attempts.map(toAttempt),
  rejected: generation.rejected.map(toRule),
  demoted: generation.demoted.map(toRule),
  configuration_version: generation.configuration,
  strategy: generation.strategy ?? null,
  affinity: generation.affinity ?? null,
  finish_reason: generation.finishReason ?? null,
  native_finish_reason: generation.nativeFinishReason ?? null,
  service_tier: generation.serviceTier ?? null,
  upstream_id: generation.upstreamId ?? null,
  upstream_model: generation.upstreamModel ?? null,
  experiment: generation.experiment ?? null,
  filters: generation.filters ?? null,
  exceeded_limit: generation.exceeded === undefined ? null : toExceededLimit(generation.exceeded),
  escalation: generation.escalation === undefined ? null : toEscalation(generation.escalation),
  method: generation.method ?? null,
  label_mass: generation.labelMass ?? null,
  trace: generation.trace ?? null,
  replay_of: generation.replayOf ?? null
})

const toCacheUse = ({ match, saved, source, status }: NonNullable<Generation["cache"]>) => ({
  status,
  source_id: source ?? null,
  saved: saved === undefined ? null : NanoUsd.toUsdNumber(saved),
  match: match ?? (status === "hit" ? ("exact" as const) : null)
})

const toExceededLimit = ({ amount, available, cap, interval, kind, name }: ExceededLimit) => ({
  kind,
  name: name ?? null,
  interval,
  limit_usd: NanoUsd.toUsdNumber(cap),
  required_usd: NanoUsd.toUsdNumber(amount),
  available_usd: NanoUsd.toUsdNumber(available)
})

/** Infinity, which means everything, has no number in JSON. */
const toEscalation = ({ failed, threshold, ...counts }: GenerationEscalation) => ({
  ...counts,
  threshold: threshold ?? null,
  failed: failed ?? null
})

const toAttempt = (
  attempt: GenerationAttempt
): (typeof GenerationRecordResponse.Type)["attempts"][number] => ({
  endpoint_id: attempt.endpoint,
  provider_name: attempt.provider,
  outcome: attempt.outcome,
  status: attempt.status ?? null,
  latency: attempt.latencyMillis,
  queue_wait: attempt.queueMillis ?? 0,
  connection_wait: attempt.queuedMillis ?? 0,
  time_to_first_token: attempt.firstEventMillis ?? null,
  hedge: attempt.hedge ?? false,
  lost: attempt.lost ?? false,
  credential_id: attempt.credential ?? null,
  dropped_parameters: attempt.dropped ?? [],
  is_estimated: attempt.estimated ?? false,
  implausible_report:
    attempt.implausible === undefined
      ? null
      : {
          what: attempt.implausible.what,
          reported: attempt.implausible.reported,
          at_most: attempt.implausible.atMost,
          usage: attempt.implausible.usage === undefined ? null : toUsage(attempt.implausible.usage)
        },
  ...toSpending(attempt)
})

const toRule = ({
  credential,
  endpoint,
  found,
  rule,
  source,
  wanted
}: GenerationReason): (typeof GenerationRecordResponse.Type)["rejected"][number] => ({
  endpoint_id: endpoint,
  credential_id: credential ?? null,
  rule,
  source,
  wanted,
  found
})

const toSpending = ({
  cost,
  isByok,
  upstreamCost,
  usage
}: Pick<GenerationAttempt, "cost" | "isByok" | "upstreamCost" | "usage">) => ({
  usage: usage === undefined ? null : toUsage(usage),
  cost: cost === undefined ? null : NanoUsd.toUsdNumber(cost),
  upstream_inference_cost: upstreamCost === undefined ? null : NanoUsd.toUsdNumber(upstreamCost),
  is_byok: isByok ?? false
})

const toUsage = (usage: TokenUsage) => ({
  tokens_prompt: usage.inputTokens,
  tokens_completion: usage.outputTokens,
  tokens_cached: usage.cachedTokens ?? null,
  tokens_cache_write: usage.cacheWriteTokens ?? null,
  tokens_reasoning: usage.reasoningTokens ?? null,
  images: usage.images ?? null,
  web_searches: usage.webSearches ?? null,
  characters: usage.characters ?? null,
  audio_seconds: usage.audioMillis === undefined ? null : usage.audioMillis / 1_000,
  output_images: usage.outputImages ?? null
})
