/** The record of one routed request, answered or not. */
import * as Exit from "effect/Exit"
import { truncateText } from "../../engine/observability/generations/truncateGeneration.ts"
import type {
  ChatApiName,
  Generation,
  GenerationExperiment
} from "../../engine/observability/generations/Generation.ts"
import { toErrorType } from "../../values/errors/toErrorType.ts"
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import type { OperationName } from "../../values/OperationName.ts"
import type { Trace } from "../../values/Trace.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import {
  type RouteAttempt,
  sumCost,
  sumUpstreamCost,
  sumAttemptUsage
} from "../attempt/RouteAttempt.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { CachedSource } from "../cache/AnswerCaching.ts"
import { isByok } from "../Candidate.ts"
import type { FilterReport } from "../filters/FilterReport.ts"
import { reportAffinity } from "../plan/affinity/reportAffinity.ts"
import { type DroppedParameters, indexDroppedParameters } from "../plan/findDroppedParameters.ts"
import type { Preferences } from "../Preferences.ts"
import type { PlannedRoute, RouteResult } from "../RouteQuery.ts"
import {
  findExceededLimit,
  toGenerationConstraints,
  toGenerationLimits,
  toSkipReason
} from "./toGenerationBounds.ts"
import { toGenerationPreferences } from "./toGenerationPreferences.ts"
import { toGenerationAttempt, toGenerationReasons } from "./toGenerationAttempt.ts"

/** Labels that a caller may set on a request, in the fields of the HTTP API. */
export interface RequestLabels {
  readonly session_id?: string
  /** `externalUser` of its record. */
  readonly user?: string
  readonly trace?: Trace
}

/** What an answer adds to the record of its request. */
export type AnswerFacts = Pick<
  Generation,
  | "escalation"
  | "finishReason"
  | "labelMass"
  | "labelable"
  | "method"
  | "nativeFinishReason"
  | "serviceTier"
  | "upstreamId"
> & {
  /** The upstream's name for the model that answered. */
  readonly model: string | undefined
}

export interface FinishedRequest<A> {
  readonly id: GenerationId
  readonly caller: Caller
  readonly operation: OperationName
  /** Absent: the API of the operation. */
  readonly api?: ChatApiName | undefined
  readonly requestedModel: string
  /** Absent: it took part in no canary. */
  readonly experiment?: GenerationExperiment | undefined
  /** The id of its preset; absent: none. */
  readonly preset?: string | undefined
  /** The models it was routed among: the requested one and its fallbacks, in a canary behind the model on trial. */
  readonly models: ReadonlyArray<string>
  /** Absent: content filters found nothing. */
  readonly filtered?: FilterReport | undefined
  readonly preferences: Preferences
  readonly labels: RequestLabels
  /** Absent: it did not come over HTTP. */
  readonly requestId?: string | undefined
  /** Absent: it is no replay. */
  readonly replayOf?: GenerationId | undefined
  readonly isStreamed: boolean
  readonly startedAt: number
  readonly latencyMillis: number
  /** Milliseconds in the request queue, all waits together; undefined: it did not wait. */
  readonly queueMillis?: number | undefined
  /** Undefined when the request ended before it was planned. */
  readonly planned: PlannedRoute | undefined
  /** The version in force when the request ended. */
  readonly configuration: number
  readonly attempts: ReadonlyArray<RouteAttempt>
  readonly exit: Exit.Exit<RouteResult<A>, unknown>
  /** Whether the cache of responses had no answer; absent: it had one, or was not asked. */
  readonly isCacheMiss?: true | undefined
  readonly toAnswerFacts: (value: A) => AnswerFacts
}

type Draft<A> = { -readonly [K in keyof A]: A[K] }

/** Filled in place: a generation has many optional fields, and every request makes one. */
export const toGeneration = <A>(request: FinishedRequest<A>): Generation => {
  const { attempts, caller, exit, labels, planned } = request
  const generation: Draft<Generation> = {
    id: request.id,
    account: caller.account,
    workspace: caller.workspace,
    operation: request.operation,
    startedAt: request.startedAt,
    latencyMillis: request.latencyMillis,
    requestedModel: request.requestedModel,
    attempts: toGenerationAttempts(attempts, planned?.plan.dropped),
    configuration: planned?.configuration ?? request.configuration,
    rejected: toGenerationReasons(planned?.plan.rejected ?? noReasons),
    demoted: toGenerationReasons(planned?.plan.demoted ?? noReasons)
  }
  if (planned?.skipped !== undefined) {
    generation.rejected = [...generation.rejected, ...planned.skipped.map(toSkipReason)]
  }
  if (Exit.isSuccess(exit)) {
    addAnswerFields(generation, exit.value, request.toAnswerFacts(exit.value.value))
    if (exit.value.cached !== undefined) addCacheHit(generation, exit.value.cached)
  } else {
    generation.error = toErrorType(exit.cause)
    const exceeded = findExceededLimit(exit.cause)
    if (exceeded !== undefined) generation.exceeded = exceeded
  }
  if (request.isCacheMiss === true) generation.cache ??= { status: "miss" }
  addRequestFields(generation, request)
  if (request.requestId !== undefined) generation.requestId = request.requestId
  if (request.replayOf !== undefined) generation.replayOf = request.replayOf
  if (request.api !== undefined) generation.api = request.api
  if (request.experiment !== undefined) generation.experiment = request.experiment
  if (request.preset !== undefined) generation.preset = request.preset
  if (request.filtered !== undefined && request.filtered.found.length > 0) {
    generation.filters = request.filtered.found
  }
  if (request.queueMillis !== undefined) generation.queueMillis = request.queueMillis
  if (request.isStreamed) generation.streamed = true
  if (caller.keyHash !== undefined) generation.keyHash = caller.keyHash
  if (caller.user !== undefined) generation.user = caller.user
  if (caller.tags !== undefined) generation.tags = caller.tags
  if (planned !== undefined) generation.strategy = planned.plan.strategy
  // A conversation does not follow the win of a second attempt.
  const isFollowed = Exit.isSuccess(exit) && attempts.at(-1)?.hedge !== true
  const affinity = planned && reportAffinity(planned, isFollowed ? exit.value.candidate : undefined)
  if (affinity !== undefined) generation.affinity = affinity
  const usage = sumAttemptUsage(attempts)
  if (usage !== undefined) generation.usage = usage
  const cost = sumCost(attempts)
  if (cost !== undefined) generation.cost = cost
  const upstreamCost = sumUpstreamCost(attempts)
  if (upstreamCost !== undefined) generation.upstreamCost = upstreamCost
  if (labels.session_id !== undefined) generation.session = labels.session_id
  if (labels.user !== undefined) generation.externalUser = labels.user
  if (labels.trace !== undefined) generation.trace = labels.trace
  return generation
}

const noReasons: ReadonlyArray<never> = []

const toGenerationAttempts = (
  attempts: ReadonlyArray<RouteAttempt>,
  dropped: ReadonlyArray<DroppedParameters> | undefined
): Generation["attempts"] => {
  if (dropped === undefined) return attempts.map((attempted) => toGenerationAttempt(attempted))
  const byCandidate = indexDroppedParameters({ dropped })
  return attempts.map((attempted) =>
    toGenerationAttempt(attempted, byCandidate.get(attempted.candidate.id))
  )
}

/** Adds the caller's preferences for routing, and the other restrictions of the plan. */
const addRequestFields = (
  generation: Draft<Generation>,
  {
    models,
    planned,
    preferences,
    requestedModel
  }: Pick<FinishedRequest<never>, "models" | "planned" | "preferences" | "requestedModel">
): void => {
  const first = Math.max(0, models.indexOf(requestedModel))
  if (models.length - first > 1) {
    const named = models.slice(first)
    const ids = planned?.models.slice(first)
    generation.models = named
    if (ids?.some((id, at) => id !== named[at]) === true) generation.resolvedModels = ids
  }
  const set = toGenerationPreferences(preferences)
  if (set !== undefined) generation.preferences = set
  if (planned === undefined) return
  const constraints = toGenerationConstraints(planned.constraints)
  if (constraints.length > 0) generation.constraints = constraints
  const limits = toGenerationLimits(planned.limits)
  if (limits.length > 0) generation.limits = limits
}

/** A hit has no attempts: nothing else sets its usage and its cost. */
const addCacheHit = (generation: Draft<Generation>, { cost, id, match }: CachedSource): void => {
  generation.cache = {
    status: "hit",
    source: id,
    ...(cost === undefined ? undefined : { saved: cost }),
    ...(match === undefined ? undefined : { match })
  }
  generation.usage = { inputTokens: 0, outputTokens: 0 }
  generation.cost = NanoUsd.zero
}

const addAnswerFields = (
  generation: Draft<Generation>,
  { candidate }: RouteResult<unknown>,
  facts: AnswerFacts
): void => {
  generation.model = candidate.endpoint.model
  // Truncated here because log lines and spans have it too, not only records.
  if (facts.model !== undefined) generation.upstreamModel = truncateText(facts.model)
  generation.provider = candidate.providerName
  if (isByok(candidate)) generation.isByok = true
  const { escalation, finishReason, labelMass, labelable, method, nativeFinishReason } = facts
  if (finishReason !== undefined) generation.finishReason = finishReason
  if (nativeFinishReason !== undefined) generation.nativeFinishReason = nativeFinishReason
  if (facts.serviceTier !== undefined) generation.serviceTier = facts.serviceTier
  if (facts.upstreamId !== undefined) generation.upstreamId = facts.upstreamId
  if (method !== undefined) generation.method = method
  if (labelMass !== undefined) generation.labelMass = labelMass
  if (labelable !== undefined) generation.labelable = labelable
  if (escalation !== undefined) generation.escalation = escalation
}
