/** A request in progress and after its end, with what its record needs. */
import type * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type {
  ChatApiName,
  Generation,
  GenerationExperiment
} from "../../engine/observability/generations/Generation.ts"
import type { EndedRequest } from "../../engine/observability/generations/Generations.ts"
import type { ContentPolicy, IoContent } from "../../engine/observability/broadcast/Sink.ts"
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import type { RouteAttempt } from "../attempt/RouteAttempt.ts"
import type { CacheReport } from "../cache/AnswerCaching.ts"
import type { Candidate } from "../Candidate.ts"
import type { PipelineStage } from "../PipelineStage.ts"
import {
  type AnswerFacts,
  type FinishedRequest,
  toGeneration,
  type RequestLabels
} from "./toGeneration.ts"
import { findContentPolicy } from "../restrictions/findContentPolicy.ts"
import type {
  EscalationOutcome,
  RouteObserver,
  CapabilityTraits,
  PlannedRoute,
  RouteQuery,
  RouteResult
} from "../RouteQuery.ts"
import type { RoutingError } from "../Routing.ts"

/** A request in progress. */
export interface ActiveRequest<A> {
  readonly id: GenerationId
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly labels: RequestLabels
  /** Absent: the API of the operation. */
  readonly api?: ChatApiName | undefined
  /** The model that the caller requested; absent: the first one of the query. */
  readonly requestedModel?: string | undefined
  /** Absent: it takes part in no canary. */
  readonly experiment?: GenerationExperiment | undefined
  /** The id of the preset whose settings it has; absent: none. */
  readonly preset?: string | undefined
  readonly isStreamed: boolean
  /** Filled as attempts end. */
  readonly attempts: Array<RouteAttempt>
  readonly listener: RouteObserver | undefined
  readonly toAnswerFacts: (value: A) => AnswerFacts
  /** The request, and as much of the answer as the caller received, in the form of the HTTP API. */
  readonly toContent: (exit: Exit.Exit<RouteResult<A>, RoutingError>) => IoContent
  /** Called once with the outcome. */
  readonly onEnd?: ((exit: Exit.Exit<RouteResult<A>, RoutingError>) => void) | undefined
}

/** Collects what a request's record needs while it is routed. */
export class RecordedRoute<
  A,
  Capability extends CapabilityTraits = CapabilityTraits
> implements RouteObserver {
  readonly query: RouteQuery<Capability>
  readonly request: ActiveRequest<A>
  /** Monotonic, unlike the start of the request. */
  readonly startedAt: number
  planned: PlannedRoute | undefined = undefined
  /** The cache of responses had no answer. Declared without a field, because few requests use it. */
  declare isCacheMiss?: true
  /** Milliseconds in the request queue, all waits together, and those before the next attempt. Few requests wait. */
  declare queueMillis?: number
  declare nextQueueMillis?: number | undefined
  readonly #countCost: CostCounter

  constructor(
    query: RouteQuery<Capability>,
    request: ActiveRequest<A>,
    countCost: CostCounter,
    startedAt: number
  ) {
    this.startedAt = startedAt
    this.query = query
    this.request = request
    this.#countCost = countCost
  }

  get isStrict(): boolean | undefined {
    return this.request.listener?.isStrict
  }

  onPlan(planned: PlannedRoute): void {
    this.planned = planned
    this.request.listener?.onPlan(planned)
  }

  onIgnored(paths: ReadonlyArray<string>, candidate?: Candidate): void {
    this.request.listener?.onIgnored?.(paths, candidate)
  }

  onStage(stage: PipelineStage, candidate?: Candidate): void {
    this.request.listener?.onStage?.(stage, candidate)
  }

  onCache(report: CacheReport): void {
    if (report.status === "MISS") this.isCacheMiss = true
    this.request.listener?.onCache?.(report)
  }

  onSkip(...[candidate, exceeded]: Parameters<NonNullable<RouteObserver["onSkip"]>>): void {
    const { planned } = this
    if (planned !== undefined) {
      this.planned = { ...planned, skipped: [...(planned.skipped ?? []), { candidate, exceeded }] }
    }
    this.request.listener?.onSkip?.(candidate, exceeded)
  }

  onEscalation(outcome: EscalationOutcome): void {
    this.request.listener?.onEscalation?.(outcome)
  }

  onQueue(millis: number): void {
    this.queueMillis = (this.queueMillis ?? 0) + millis
    this.nextQueueMillis = (this.nextQueueMillis ?? 0) + millis
  }

  onAttempt(attempted: RouteAttempt): void {
    const { attempts, listener } = this.request
    const { nextQueueMillis: queueMillis } = this
    if (queueMillis === undefined) attempts.push(attempted)
    else {
      attempts.push({ ...attempted, queueMillis })
      this.nextQueueMillis = undefined
    }
    listener?.onAttempt(attempted)
  }

  onCharge(attempted: RouteAttempt): Effect.Effect<void> {
    return this.#countCost(this.query.caller, this.request.id, attempted)
  }
}

type CostCounter = (
  caller: Caller,
  id: GenerationId,
  attempted: RouteAttempt
) => Effect.Effect<void>

/**
 * A route that has ended. Its record is made when it is first read, which is after the answer, and reads its parts from here,
 * so that no object is made for them.
 */
export class EndedRoute<A> implements EndedRequest, FinishedRequest<A> {
  readonly route: RecordedRoute<A>
  readonly exit: Exit.Exit<RouteResult<A>, RoutingError>
  readonly latencyMillis: number
  readonly configuration: number
  #generation: Generation | undefined

  constructor(
    route: RecordedRoute<A>,
    exit: Exit.Exit<RouteResult<A>, RoutingError>,
    latencyMillis: number,
    configuration: number
  ) {
    this.route = route
    this.exit = exit
    this.latencyMillis = latencyMillis
    this.configuration = configuration
  }

  get id() {
    return this.route.request.id
  }
  get caller() {
    return this.route.query.caller
  }
  get operation() {
    return this.route.query.operation
  }
  get api() {
    return this.route.request.api
  }
  get requestedModel() {
    const { query, request } = this.route
    return request.requestedModel ?? query.models[0]
  }
  get experiment() {
    return this.route.request.experiment
  }
  get preset() {
    return this.route.request.preset
  }
  get models() {
    return this.route.query.models
  }
  get filtered() {
    return this.route.query.filtered
  }
  get preferences() {
    return this.route.query.preferences
  }
  get labels() {
    return this.route.request.labels
  }
  get requestId() {
    return this.route.request.listener?.requestId
  }
  get replayOf() {
    return this.route.request.listener?.replayOf
  }
  get isStreamed() {
    return this.route.request.isStreamed
  }
  get startedAt() {
    return this.route.request.startedAt
  }
  get queueMillis() {
    return this.route.queueMillis
  }
  get planned() {
    return this.route.planned
  }
  get attempts() {
    return this.route.request.attempts
  }
  get isCacheMiss() {
    return this.route.isCacheMiss
  }

  toAnswerFacts(value: A): AnswerFacts {
    return this.route.request.toAnswerFacts(value)
  }

  get content(): IoContent {
    return this.route.request.toContent(this.exit)
  }

  get contentPolicy(): ContentPolicy {
    const { planned, query } = this.route
    return planned === undefined ? "forbidden" : findContentPolicy(planned, query.preferences)
  }

  get generation(): Generation {
    return (this.#generation ??= toGeneration(this))
  }
}
