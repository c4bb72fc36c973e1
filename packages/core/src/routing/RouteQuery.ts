/** What an operation asks of the router, and what the router reports. */
import type { SpanObserver } from "../engine/observability/tracing/withSpan.ts"
import type * as Arr from "effect/Array"
import type * as Effect from "effect/Effect"
import type { Caller } from "../tenants/auth/Caller.ts"
import type { AppliedMap } from "../questions/Answer.ts"
import type { Dialect } from "../conversation/Dialect.ts"
import type { HealthSnapshot } from "../engine/health/HealthSnapshot.ts"
import type { LimitExceeded } from "../engine/ledger/LedgerErrors.ts"
import type { Limit } from "../engine/ledger/Limit.ts"
import type { GenerationId } from "../values/ids/GenerationId.ts"
import type { OperationName } from "../values/OperationName.ts"
import type { Upstream } from "../engine/upstreams/Upstream.ts"
import type { ConversationTraits } from "./affinity/ConversationTraits.ts"
import type { RouteAttempt } from "./attempt/RouteAttempt.ts"
import type { CachedSource, CacheReport } from "./cache/AnswerCaching.ts"
import type { CacheWish } from "./cache/CacheWish.ts"
import type { Candidate } from "./Candidate.ts"
import type { FilterReport } from "./filters/FilterReport.ts"
import type { RequestedModel, Requirements } from "./Requirements.ts"
import type { Affinity, NoAffinity } from "./plan/affinity/Affinity.ts"
import type { Plan } from "./plan/plan.ts"
import type { PipelineStage } from "./PipelineStage.ts"
import type { Preferences } from "./Preferences.ts"
import type { Constraint } from "./restrictions/Constraint.ts"
import type { EndpointBusy, NoEndpoints } from "./RoutingErrors.ts"

/** How an upstream performs an operation. */
export interface CapabilityTraits {
  /** Endpoint parameters, one of which it needs to work well; absent: it needs none. */
  readonly needsOneOf?: ReadonlyArray<string>
  /** It supports a parameter or rejects the call, and never ignores it; absent: it may ignore it. */
  readonly checksParameters?: true
  /** Fields that are for the router, and that its server knows as well, such as `plugins`; absent: none. */
  readonly serverFields?: ReadonlyArray<string>
  /**
   * The family whose reasoning it reads; a function gets the model's name at the upstream. Reasoning of other families
   * is left out of its requests. Absent or undefined: it passes reasoning on as it is.
   */
  readonly reasoningFamily?: string | ((model: string) => string | undefined)
  /**
   * The dialect that it speaks to its provider; a function gets the model's name at the upstream. Absent: OpenAI's chat
   * dialect.
   */
  readonly dialect?: Dialect | ((model: string) => Dialect)
  /** Whether a model, by its name at the upstream, refuses to continue the beginning of an answer. Absent: none does. */
  readonly refusesPrefill?: (model: string) => boolean
  /** Fields of a request that its API has no place for, so that they are left out; absent: none. */
  readonly omittedFields?: ReadonlyArray<string>
  /** It uses only the host's credential, never a customer's. */
  readonly ignoresCredentials?: true
}

/** What an operation asks of the router. */
export interface RouteQuery<Capability extends CapabilityTraits> {
  readonly caller: Caller
  /** The requested model and its fallbacks, in order. */
  readonly models: Arr.NonEmptyReadonlyArray<string>
  readonly operation: OperationName
  /** The capability that an upstream must have to serve the operation. */
  readonly capability: (upstream: Upstream) => Capability | undefined
  readonly preferences: Preferences
  readonly requirements: Requirements
  /** Adapts a candidate to this request, such as its price; absent: it stays as its endpoint declares. */
  readonly priceCandidate?: (candidate: Candidate) => Candidate
  /** The id of the only candidate that may serve, for work bound to one upstream. */
  readonly pin?: string
  /** The seed of the plan; absent: drawn. */
  readonly seed?: number
  /**
   * How long in milliseconds all attempts together may take; absent or undefined: `Settings.totalTimeoutMillis`.
   */
  readonly timeoutMillis?: number | undefined
  /**
   * The limits that the cost counts under, in place of the caller's; customers' credentials are not used then. Absent: the
   * caller pays.
   */
  readonly chargedTo?: ReadonlyArray<Limit>
  /**
   * Limits that the cost counts under besides the caller's, for a question that is part of another request: it takes no
   * place in the caller's limits of tokens and parallel requests. Absent: it is a request of its own.
   */
  readonly budget?: ReadonlyArray<Limit>
  /**
   * The budget under which attempts at a model on trial count in addition; absent: no model has a budget of its own.
   */
  readonly trial?: TrialBudget
  /** The ids of the candidates to plan with; absent: every one that offers the operation. */
  readonly allowedIds?: ReadonlySet<string>
  /** The `user` of the request, which a budget may count; absent: it says none. */
  readonly externalUser?: string
  /** The conversation that the request continues, which stays at its endpoint; absent: it continues none. */
  readonly conversation?: ConversationTraits
  /** What content filters found in the request; absent: nothing, or there are none. */
  readonly filtered?: FilterReport
  /** What its preset says of the cache of responses; absent: nothing. */
  readonly cache?: CacheWish
}

/** The budget of a model on trial. Its attempts are skipped when that has no room for them. */
interface TrialBudget {
  /** The id of the model. */
  readonly model: string
  readonly limits: ReadonlyArray<Limit>
  /** An attempt was skipped. */
  readonly onSkip: (reason: LimitExceeded | NoEndpoints) => void
}

/** The result of an operation, the candidate that served it, and the attempts before. */
export interface RouteResult<A> {
  readonly value: A
  readonly candidate: Candidate
  /** Every attempt made, in order; the last one served. */
  readonly attempts: ReadonlyArray<RouteAttempt>
  /** Where the answer comes from; absent: a provider made it for this request. */
  readonly cached?: CachedSource
}

/** A plan with its inputs: the same seed and health give the same plan. */
export interface PlannedRoute {
  readonly plan: Plan
  /** The requested models, resolved. */
  readonly models: ReadonlyArray<string>
  /** The version of the configuration that the plan used. */
  readonly configuration: number
  readonly seed: number
  readonly health: HealthSnapshot
  readonly requirements: Requirements
  /** The limits that the caller's spending counted under. */
  readonly limits: ReadonlyArray<Limit>
  /** The restrictions of the account and the guardrails of the caller. */
  readonly constraints: ReadonlyArray<Constraint>
  /** The conversation as the plan knew it; absent: the request continues none. */
  readonly affinity?: Affinity | NoAffinity
  /** The candidates that a budget or their endpoint had no room for, once they are known; absent: there are none. */
  readonly skipped?: ReadonlyArray<SkippedCandidate>
  /** Those of the requested models that stand for others; absent: none. */
  readonly routers?: ReadonlyArray<RequestedModel>
  /** For a Decision that may escalate: the plan of the models that are asked again. */
  readonly escalation?: PlannedRoute
}

/** A candidate that was passed over, because a budget or the endpoint had no room for it. */
export interface SkippedCandidate {
  readonly candidate: Candidate
  readonly exceeded: EndpointBusy | LimitExceeded
}

/** The inputs that repeat a plan. */
export interface PlanReplay {
  readonly seed?: number | undefined
  readonly health?: HealthSnapshot | undefined
  /** The conversation as that plan knew it. A seed or a health without it replays a plan without affinity. */
  readonly affinity?: Affinity | NoAffinity | undefined
}

/** The outcome of escalation for a Decision. */
export interface EscalationOutcome {
  /** The model that was to be asked again. */
  readonly to: string
  /**
   * The confidence below which questions were asked again; absent: the condition has no threshold, or not the same for
   * all questions.
   */
  readonly threshold?: number
  /** The questions that were asked again, by name. */
  readonly questions: ReadonlyArray<string>
  /** Why the first answers stand where they were unsure, such as `LimitExceeded` or `no_time`; absent: they do not. */
  readonly failed?: string
  /** Why all questions were asked again; absent: there are enough labels, or the rule needs no labels. */
  readonly reason?: string
}

/** Observes a request as it runs; for an interrupted request this is the only report. */
export interface RouteObserver extends SpanObserver {
  /** The `x-request-id` of the response; absent for calls in process. */
  readonly requestId?: string | undefined
  /** The record of the request that this one repeats; absent: it is no replay. */
  readonly replayOf?: GenerationId
  /** Whether a field without effect refuses the request; undefined: as `Settings.refuseIgnoredFields` says. */
  readonly isStrict?: boolean | undefined
  /** What the caller says of the cache of responses; absent: nothing. */
  readonly cache?: CacheWish
  /** The request uses the cache; the last call counts. */
  readonly onCache?: (report: CacheReport) => void
  /** The id of the record that will be written, however the request ends. */
  readonly onRecordId?: (id: GenerationId) => void
  readonly onPlan: (planned: PlannedRoute) => void
  /**
   * Fields of the request have no effect, or are sent in another form; with a candidate, in the attempt there. Calls add up.
   */
  readonly onIgnored?: (paths: ReadonlyArray<string>, candidate?: Candidate) => void
  /** A budget or the endpoint had no room for an attempt at this candidate, so that others are tried. */
  readonly onSkip?: (candidate: Candidate, exceeded: EndpointBusy | LimitExceeded) => void
  /** It has waited in the request queue for `millis`, until an endpoint had room, it gave up or its caller left. Calls add up. */
  readonly onQueue?: (millis: number) => void
  /** Called once for a Decision that may escalate. */
  readonly onEscalation?: (outcome: EscalationOutcome) => void
  /** The router changed the request or its answer; with a candidate, in the attempt there. */
  readonly onStage?: (stage: PipelineStage, candidate?: Candidate) => void
  /** Content filters found something, in the request or in its answer. */
  readonly onFilter?: (report: FilterReport) => void
  /** An attempt has ended: served, failed or interrupted. */
  readonly onAttempt: (attempted: RouteAttempt) => void
  /** The answers of a Decision were calibrated, by the names of its questions. */
  readonly onCalibration?: (applied: Readonly<Record<string, AppliedMap>>) => void
  /** The cost of an attempt is charged; not called when its reservation lapses instead. */
  readonly onCharge?: (attempted: RouteAttempt) => Effect.Effect<void>
}
