/** Routes a request to an upstream: plans it, runs the attempts, and says why none served. */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type { ContentBlocked } from "./filters/FilterReport.ts"
import type { RateLimited } from "../tenants/auth/AuthErrors.ts"
import type { Caller } from "../tenants/auth/Caller.ts"
import type { Model } from "../engine/catalog/model/Model.ts"
import type { LimitExceeded } from "../engine/ledger/LedgerErrors.ts"
import { Settings } from "../instance/Settings.ts"
import { Deadline } from "../values/Deadline.ts"
import { isExit, isSuccess } from "../values/eager.ts"
import { omitUndefined } from "../values/ownFields.ts"
import { withTimer } from "../values/withTimer.ts"
import { AffinityPins } from "./affinity/AffinityPins.ts"
import { followSuccess } from "./affinity/findAffinity.ts"
import {
  type CallReport,
  UsageLimiter,
  type UsageReport
} from "../tenants/auth/rateLimits/UsageLimiter.ts"
import type { EndpointRoom } from "./attempt/concurrency/makeEndpointLimits.ts"
import type { OperationName } from "../values/OperationName.ts"
import type { Candidate } from "./Candidate.ts"
import { AttemptEngine } from "./attempt/AttemptEngine.ts"
import type { AttemptsResult } from "./attempt/AttemptRun.ts"
import { CostReserver } from "./attempt/CostReserver.ts"
import type { Hold, HoldProblem } from "./attempt/Hold.ts"
import { isPermanentlyRefused } from "./attempt/refusals.ts"
import { CandidateCache } from "./CandidateCache.ts"
import type { RouteWork } from "./RouteWork.ts"
import { findContextLengthExceeded } from "./plan/findContextLengthExceeded.ts"
import { AccessibleModels, type ModelSuggestion } from "./restrictions/AccessibleModels.ts"
import { RestrictionLoader } from "./restrictions/RestrictionLoader.ts"
import { type PreparedRoute, RoutePreparer } from "./RoutePreparer.ts"
import type {
  CapabilityTraits,
  PlannedRoute,
  PlanReplay,
  RouteObserver,
  RouteQuery,
  RouteResult
} from "./RouteQuery.ts"
import {
  AttemptsFailed,
  type ContextLengthExceeded,
  DeadlineExceeded,
  type EndpointBusy,
  ModelNotFound,
  NoEndpoints,
  type WrongOperation
} from "./RoutingErrors.ts"
import * as Step from "../values/Step.ts"

/** How routing fails. */
export type RoutingError =
  | ContentBlocked
  | ModelNotFound
  | WrongOperation
  | NoEndpoints
  | ContextLengthExceeded
  | AttemptsFailed
  | DeadlineExceeded
  | EndpointBusy
  | LimitExceeded
  | RateLimited

/** A plan whose first attempt is reserved. */
export interface HeldRoute<Capability extends CapabilityTraits> {
  readonly planned: PlannedRoute
  /** Why its first attempt could not be reserved; undefined: it could. */
  readonly problem: HoldProblem | undefined
  /** Runs the attempts until the deadline. Tells the observer of attempts, not of the plan. */
  readonly run: <A, R>(
    work: RouteWork<Capability, A, R>,
    observer: RouteObserver,
    deadline: Deadline,
    /** Another plan whose reservation serves as well, should this one come to its candidate. */
    other?: HeldRoute<Capability>
  ) => Effect.Effect<RouteResult<A>, RoutingError, R>
  /** The reservation. */
  readonly hold: Hold
}

/** What `reportLimits` finds. */
export interface LimitReport {
  readonly calls: ReadonlyArray<CallReport>
  readonly usage: ReadonlyArray<UsageReport>
  /** Of each candidate; undefined: it has no limit of parallel requests. */
  readonly rooms: ReadonlyArray<EndpointRoom | undefined>
}

/** Plans requests and runs their attempts. */
export class Routing extends Context.Service<
  Routing,
  {
    /** The models that the restrictions of a caller leave, for all operations. */
    readonly getModelFilter: (caller: Caller) => Effect.Effect<(model: Model) => boolean>
    /** What a caller may have meant by a name that no model has. */
    readonly suggestModels: (caller: Caller, name: string) => Effect.Effect<ModelSuggestion>
    /**
     * The limits of calls, tokens and parallel requests that a request would meet now, of its caller and of each candidate. Nothing is
     * taken.
     */
    readonly reportLimits: (
      caller: Caller,
      candidates: ReadonlyArray<Candidate>,
      operation: OperationName
    ) => Effect.Effect<LimitReport>
    /** The plan a request would get now; empty when no candidate may serve it. */
    readonly plan: <Capability extends CapabilityTraits>(
      query: RouteQuery<Capability>,
      replay?: PlanReplay
    ) => Effect.Effect<PlannedRoute, ModelNotFound | WrongOperation>
    /**
     * Plans and executes, beginning when it is called. An interruption also interrupts the upstream call, which is charged for its known usage,
     * else for the estimated prompt; the rest of its reservation is released.
     */
    readonly route: <Capability extends CapabilityTraits, A, R>(
      query: RouteQuery<Capability>,
      work: RouteWork<Capability, A, R>,
      observer: RouteObserver
    ) => Effect.Effect<RouteResult<A>, RoutingError, R>
    /**
     * Plans and reserves the first attempt, runs `use`, and releases what it did not need. `use` may run the plan, at most
     * once; a plan that cannot be paid for has the reason in `problem`.
     */
    readonly withHold: <Capability extends CapabilityTraits, A, R, B, E, S>(
      query: RouteQuery<Capability>,
      work: RouteWork<Capability, A, R>,
      use: (held: HeldRoute<Capability>) => Effect.Effect<B, E, S>
    ) => Effect.Effect<B, E | ModelNotFound | WrongOperation, S>
    /**
     * Ends a routed request, so that its conversation follows the endpoint that answered. Call it once for each routed
     * query with a `conversation`, with the result unless it failed. It is not part of routing because another operator
     * would run with every request.
     */
    readonly end: (planned: PlannedRoute, result: RouteResult<unknown> | undefined) => void
  }
>()("@signalbox/core/routing/Routing") {
  static readonly layer = Layer.effect(
    Routing,
    Effect.gen(function* () {
      const { getFilter, suggest } = yield* AccessibleModels
      const preparer = yield* RoutePreparer
      const engine = yield* AttemptEngine
      const limiter = yield* UsageLimiter
      const pins = yield* AffinityPins
      const settings = yield* Settings
      const clock = yield* Clock.Clock

      /** An unknown model fails at once, so only such a request pays for the suggestion. */
      const prepare = <Capability extends CapabilityTraits>(
        query: RouteQuery<Capability>,
        replay?: PlanReplay
      ): Effect.Effect<PreparedRoute<Capability>, ModelNotFound | WrongOperation> => {
        const preparing = preparer.prepare(query, replay)
        return isExit(preparing) && !isSuccess(preparing)
          ? Effect.catchTag(preparing, "ModelNotFound", ({ model }) =>
              Effect.flatMap(suggest(query.caller, model), (suggestion) =>
                Effect.fail(new ModelNotFound({ model, ...suggestion }))
              )
            )
          : preparing
      }

      const runPrepared = <Capability extends CapabilityTraits, A, R>(
        prepared: PreparedRoute<Capability>,
        work: RouteWork<Capability, A, R>,
        observer: RouteObserver,
        deadline: Deadline
      ): Effect.Effect<RouteResult<A>, RoutingError, R> => {
        observer.onPlan(prepared.planned)
        const key = prepared.planned.affinity?.key
        if (key !== undefined) pins.begin(key)
        const running = engine.run(prepared, work, observer, deadline)
        return isSuccess(running)
          ? toRouteResult(prepared, running.value)
          : Step.flatMap(running, (result) => toRouteResult(prepared, result))
      }

      const hold = <Capability extends CapabilityTraits, A, R, B, E, S>(
        prepared: PreparedRoute<Capability>,
        work: RouteWork<Capability, A, R>,
        use: (held: HeldRoute<Capability>) => Effect.Effect<B, E, S>
      ): Effect.Effect<B, E, S> =>
        Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(
            engine.hold(prepared, work, settings.totalTimeoutMillis, restore),
            (held) =>
              Effect.onExit(
                restore(
                  use({
                    planned: prepared.planned,
                    problem: held.problem,
                    hold: held,
                    run: (work, observer, deadline, other) =>
                      Effect.flatMap(
                        engine.run(
                          prepared,
                          work,
                          observer,
                          deadline,
                          other === undefined ? [held] : [held, other.hold]
                        ),
                        (result) => toRouteResult(prepared, result)
                      )
                  })
                ),
                () => held.release
              )
          )
        )

      return {
        reportLimits: (caller, candidates, operation) =>
          Effect.zipWith(limiter.reportCalls(caller), limiter.report(caller), (calls, usage) => ({
            calls,
            usage,
            rooms: candidates.map((candidate) => engine.findRoom(candidate, operation))
          })),
        getModelFilter: getFilter,
        suggestModels: suggest,
        withHold: (query, work, use) =>
          Effect.flatMap(prepare(query), (prepared) => hold(prepared, work, use)),
        end: (planned, result) => {
          const key = planned.affinity?.key
          if (key === undefined) return
          pins.end(key)
          // One late answer is no reason to leave a cache.
          if (result === undefined || result.attempts.at(-1)?.hedge === true) return
          followSuccess(planned, result.candidate, pins)
        },
        plan: (query, replay) => Step.map(prepare(query, replay), ({ planned }) => planned),
        route: (query, work, observer) => {
          const totalTimeoutMillis = query.timeoutMillis ?? settings.totalTimeoutMillis
          const deadline = new Deadline(clock, totalTimeoutMillis)
          const preparing = prepare(query)
          if (isSuccess(preparing)) {
            return runPrepared(preparing.value, work, observer, deadline)
          }
          return Step.flatMap(
            isExit(preparing)
              ? preparing
              : withTimer(preparing, clock, totalTimeoutMillis, {
                  onTimeout: () => Exit.fail(new DeadlineExceeded({ models: query.models }))
                }),
            (prepared) => runPrepared(prepared, work, observer, deadline)
          )
        }
      }
    })
  ).pipe(
    Layer.provide([AccessibleModels.layer, AttemptEngine.layer, RoutePreparer.layer]),
    Layer.provide(CostReserver.layer),
    Layer.provide([CandidateCache.layer, RestrictionLoader.layer]),
    Layer.provide(AffinityPins.layer)
  )
}

const toRouteResult = <Capability extends CapabilityTraits, A>(
  { planned, query: { models, requirements } }: PreparedRoute<Capability>,
  { attempts, isFinal, isStorageLate, isTimedOut, reservationError, served }: AttemptsResult<A>
): Effect.Effect<RouteResult<A>, RoutingError> => {
  if (served !== undefined) {
    return Effect.succeed({ value: served.value, candidate: served.candidate, attempts })
  }
  const isFinished = isTimedOut === true || isFinal === true
  // A refused credential stays refused, so the caller can only mend what shared capacity lacks.
  if (reservationError !== undefined && !isFinished && attempts.every(isPermanentlyRefused)) {
    return Effect.fail(reservationError)
  }
  if (Arr.isReadonlyArrayNonEmpty(attempts)) {
    return Effect.fail(new AttemptsFailed({ models, attempts, isFinal: isFinal === true }))
  }
  if (isTimedOut === true) {
    return Effect.fail(new DeadlineExceeded({ models, ...omitUndefined({ isStorageLate }) }))
  }
  const { rejected } = planned.plan
  return Effect.fail(
    findContextLengthExceeded(models, rejected, requirements) ??
      new NoEndpoints({ models, rejected })
  )
}
