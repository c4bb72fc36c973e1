/** Routes a request to an upstream: plans it, runs the attempts, and says why none served. */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Caller } from "../auth/Caller.ts"
import type { Model } from "../catalog/model/Model.ts"
import type { LimitExceeded } from "../ledger/LedgerErrors.ts"
import { Settings } from "../Settings.ts"
import { AttemptEngine } from "./attempt/AttemptEngine.ts"
import { CostReserver } from "./attempt/CostReserver.ts"
import { isPermanentlyRefused } from "./attempt/isCredentialRefused.ts"
import { CandidateCache } from "./CandidateCache.ts"
import type { Operation } from "./Operation.ts"
import { findContextLengthExceeded } from "./plan/findContextLengthExceeded.ts"
import { AccessibleModels } from "./restrictions/AccessibleModels.ts"
import { RestrictionLoader } from "./restrictions/RestrictionLoader.ts"
import { RoutePreparer } from "./RoutePreparer.ts"
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
  type ModelNotFound,
  NoEndpoints,
  type WrongOperation
} from "./RoutingErrors.ts"

/** How routing fails. */
export type RoutingError =
  | ModelNotFound
  | WrongOperation
  | NoEndpoints
  | ContextLengthExceeded
  | AttemptsFailed
  | DeadlineExceeded
  | LimitExceeded

/** Plans requests and runs their attempts. */
export class Routing extends Context.Service<
  Routing,
  {
    /** The models that the restrictions of a caller leave, whatever the operation. */
    readonly getModelFilter: (caller: Caller) => Effect.Effect<(model: Model) => boolean>
    /** The plan a request would get now; empty when no candidate may serve it. */
    readonly plan: <Capability extends CapabilityTraits>(
      query: RouteQuery<Capability>,
      replay?: PlanReplay
    ) => Effect.Effect<PlannedRoute, ModelNotFound | WrongOperation>
    /**
     * Plans and executes. An interruption also interrupts the upstream call, which is charged for its known usage,
     * else for the estimated prompt; the rest of its reservation is released.
     */
    readonly route: <Capability extends CapabilityTraits, A, R>(
      query: RouteQuery<Capability>,
      operation: Operation<Capability, A, R>,
      observer: RouteObserver
    ) => Effect.Effect<RouteResult<A>, RoutingError, R>
  }
>()("@signalbox/core/routing/Routing") {
  static readonly layer = Layer.effect(
    Routing,
    Effect.gen(function* () {
      const { getFilter } = yield* AccessibleModels
      const { prepare } = yield* RoutePreparer
      const engine = yield* AttemptEngine
      const settings = yield* Settings

      return {
        getModelFilter: getFilter,
        plan: (query, replay) => Effect.map(prepare(query, replay), ({ planned }) => planned),
        route: Effect.fnUntraced(function* (query, operation, observer) {
          const { models } = query
          const totalTimeoutMillis = query.timeoutMillis ?? settings.totalTimeoutMillis
          const deadlineAt = (yield* Clock.currentTimeMillis) + totalTimeoutMillis
          const prepared = yield* Effect.timeoutOrElse(prepare(query), {
            duration: totalTimeoutMillis,
            orElse: () => Effect.fail(new DeadlineExceeded({ models }))
          })
          observer.onPlan(prepared.planned)
          const { attempts, isFinal, isTimedOut, reservationError, served } = yield* engine.run(
            prepared,
            operation,
            observer,
            deadlineAt
          )
          if (served !== undefined) return { ...served, attempts }
          const isFinished = isTimedOut === true || isFinal === true
          // A refused credential stays refused, so the caller can only mend what shared capacity lacks.
          if (
            reservationError !== undefined &&
            !isFinished &&
            attempts.every(isPermanentlyRefused)
          ) {
            return yield* reservationError
          }
          if (Arr.isReadonlyArrayNonEmpty(attempts)) {
            return yield* new AttemptsFailed({ models, attempts, isFinal: isFinal === true })
          }
          if (isTimedOut === true) return yield* new DeadlineExceeded({ models })
          const { rejected } = prepared.planned.plan
          return yield* (
            findContextLengthExceeded(models, rejected, query.requirements) ??
              new NoEndpoints({ models, rejected })
          )
        })
      }
    })
  ).pipe(
    Layer.provide([AccessibleModels.layer, AttemptEngine.layer, RoutePreparer.layer]),
    Layer.provide(CostReserver.layer),
    Layer.provide([CandidateCache.layer, RestrictionLoader.layer])
  )
}
