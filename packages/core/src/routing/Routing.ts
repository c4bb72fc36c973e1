/** Takes a request to an upstream: candidates, plan, reservations, attempts, health. */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AccountStore } from "../accounts/AccountStore.ts"
import type { Caller } from "../auth/Caller.ts"
import type { Credentials } from "../byok/Credentials.ts"
import type { Catalog } from "../catalog/Catalog.ts"
import type { Model } from "../catalog/Model.ts"
import type { Guardrails } from "../guardrails/Guardrails.ts"
import { Health } from "../health/Health.ts"
import { ModelUsage } from "../health/ModelUsage.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import type { LimitExceeded } from "../ledger/LedgerErrors.ts"
import type { Limit } from "../ledger/Limit.ts"
import { Settings } from "../Settings.ts"
import { catchUpstreamDefect } from "../upstreams/containUpstream.ts"
import { UpstreamDefect } from "../upstreams/failures/UpstreamDefect.ts"
import type { WorkspaceStore } from "../workspaces/WorkspaceStore.ts"
import { runAttempts } from "./attempt/runAttempts.ts"
import type { RouteAttempt } from "./attempt/RouteAttempt.ts"
import { makeAccessibleModels } from "./restrictions/AccessibleModels.ts"
import type { Candidate } from "./Candidate.ts"
import { findContextLengthExceeded } from "./plan/findContextLengthExceeded.ts"
import { indexDroppedParameters } from "./plan/findDroppedParameters.ts"
import { isPermanentlyRefused } from "./attempt/isPermanentlyRefused.ts"
import { runWithCredential } from "./attempt/runWithCredential.ts"
import { toOutcome } from "./attempt/toOutcome.ts"
import { makeRoutePreparer } from "./RoutePreparer.ts"
import type {
  RouteObserver,
  CapabilityTraits,
  Operation,
  PlannedRoute,
  RouteQuery,
  PlanReplay,
  RouteResult,
  OperationTarget
} from "./RouteQuery.ts"
import { makeCostReserver } from "./attempt/CostReserver.ts"
import { makeRestrictionLoader } from "./restrictions/RestrictionLoader.ts"
import {
  AttemptsFailed,
  type ContextLengthExceeded,
  type ModelNotFound,
  NoEndpoints,
  DeadlineExceeded,
  type WrongOperation
} from "./RoutingErrors.ts"
import { RoutingRules } from "./RoutingRules.ts"
import type { SpendLimits } from "./restrictions/SpendLimits.ts"
import { makeDroppedParameterWarner } from "./attempt/DroppedParameterWarner.ts"
import { makeCredentialOwnerNotifier } from "./attempt/CredentialOwnerNotifier.ts"
import { withAttemptSpan } from "./attempt/withAttemptSpan.ts"

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
    /** What the restrictions of an account and its guardrails leave of the models, whatever is asked of them. */
    readonly getModelFilter: (caller: Caller) => Effect.Effect<(model: Model) => boolean>
    /** The plan a request would get now, without executing it; empty when nobody may serve it. */
    readonly plan: <Capability extends CapabilityTraits>(
      query: RouteQuery<Capability>,
      replay?: PlanReplay
    ) => Effect.Effect<PlannedRoute, ModelNotFound | WrongOperation>
    /**
     * Plans and executes. Interrupting it interrupts the upstream call and charges what that is known
     * to have used, else the estimated prompt; the rest of its reservation is released.
     */
    readonly route: <Capability extends CapabilityTraits, A, R>(
      query: RouteQuery<Capability>,
      operation: Operation<Capability, A, R>,
      observer: RouteObserver
    ) => Effect.Effect<RouteResult<A>, RoutingError, R>
  }
>()("@signalbox/core/routing/Routing") {
  static readonly layer: Layer.Layer<
    Routing,
    never,
    | AccountStore
    | Catalog
    | Credentials
    | Guardrails
    | Health
    | Ledger
    | ModelUsage
    | SpendLimits
    | WorkspaceStore
  > = Layer.effect(
    Routing,
    Effect.gen(function* () {
      const health = yield* Health
      const usage = yield* ModelUsage
      const settings = yield* Settings
      const { failureRules } = yield* RoutingRules
      const scope = yield* Effect.scope
      const prepare = yield* makeRoutePreparer
      const reserve = yield* makeCostReserver
      const loadRestrictions = yield* makeRestrictionLoader
      const notifyOwner = yield* makeCredentialOwnerNotifier
      const warnDropped = makeDroppedParameterWarner()

      const countUsage = (attempted: RouteAttempt): void => {
        const { abortReason, candidate, failure, latencyMillis, startedAt, usage: used } = attempted
        if (used === undefined || failure !== undefined || abortReason !== undefined) return
        usage.record(candidate.endpoint.model, used, startedAt + latencyMillis)
      }

      return {
        getModelFilter: yield* makeAccessibleModels,
        plan: (query, replay) => Effect.map(prepare(query, replay), ({ planned }) => planned),
        route: Effect.fnUntraced(function* (query, operation, observer) {
          const { caller, models } = query
          const { maxAttempts, maxCredentialAttempts, maxRejectedCredentials } = settings
          const totalTimeoutMillis = query.timeoutMillis ?? settings.totalTimeoutMillis
          const deadlineAt = (yield* Clock.currentTimeMillis) + totalTimeoutMillis
          const { planned, prospects } = yield* Effect.timeoutOrElse(prepare(query), {
            duration: totalTimeoutMillis,
            orElse: () => Effect.fail(new DeadlineExceeded({ models }))
          })
          observer.onPlan(planned)
          const { limits } = planned
          const { ordered, rejected } = planned.plan
          // A plan orders the candidates it was given, which are those of the prospects.
          const getTarget = ({ id }: Candidate) => prospects.get(id)!
          /** The ids of the candidates whose provider was asked. */
          const calledIds = new Set<string>()
          const dropped = indexDroppedParameters(planned.plan)
          let isFirst = true
          const { attempts, isFinal, isTimedOut, reservationError, served } = yield* runAttempts(
            ordered,
            {
              claim: ({ id }) => health.claim(id),
              reserve: (candidate, now) => {
                const prospect = getTarget(candidate)
                const reserveUnder = (limits: ReadonlyArray<Limit>) =>
                  catchUpstreamDefect(
                    Effect.flatMap(operation.prepareWorstCase ?? Effect.void, () =>
                      reserve(query, operation, prospect, { limits, now, rejected })
                    )
                  )
                if (!isFirst) {
                  // Credits may have been granted since.
                  return Effect.flatMap(loadRestrictions(caller), (latest) =>
                    reserveUnder(latest.limits)
                  )
                }
                isFirst = false
                return limits.length === 0 || operation.getWorstCase === undefined
                  ? undefined
                  : reserveUnder(limits)
              },
              run: (candidate, spent, commit) => {
                const { usable, ...target } = getTarget(candidate)
                const ask = (at: OperationTarget<typeof target.capability>) =>
                  Effect.suspend(() => {
                    calledIds.add(candidate.id)
                    return operation.run(at, spent, commit)
                  })
                const running = withAttemptSpan(
                  usable === undefined
                    ? ask(target)
                    : runWithCredential(usable, (credential) => ask({ ...target, credential })),
                  query.operation,
                  candidate
                )
                const unsent = dropped.get(candidate.id)
                return unsent === undefined
                  ? running
                  : Effect.andThen(
                      warnDropped(candidate, unsent, query.requirements.ignoredParameters),
                      running
                    )
              },
              getUsageBounds: (candidate) => {
                const target = getTarget(candidate)
                return {
                  getWorstCase: () => getUnlessDefect(() => operation.getWorstCase?.(target)),
                  getUnreportedUsage: () =>
                    calledIds.has(candidate.id)
                      ? getUnlessDefect(() => operation.getUnreportedUsage?.(target))
                      : undefined,
                  maxUsageMultiple: settings.maxReportedUsageMultiple,
                  maxCostMultiple: settings.maxReportedCostMultiple
                }
              }
            },
            {
              budget: {
                maxAttempts,
                maxCredentialAttempts,
                maxRefusedCredentials: maxRejectedCredentials,
                deadlineAt,
                streamTimeoutMillis: settings.streamTimeoutMillis
              },
              failureRules,
              canFallBack: operation.canFallBack,
              onCharge: (attempted) => observer.onCharge?.(attempted) ?? Effect.void,
              onEnd: (attempted) => {
                observer.onAttempt(attempted)
                countUsage(attempted)
                return warnImplausible(attempted).pipe(
                  Effect.andThen(
                    health.record(toOutcome(attempted, { failureRules, totalTimeoutMillis }))
                  ),
                  Effect.andThen(notifyOwner(attempted, getTarget(attempted.candidate)))
                )
              },
              scope
            }
          )
          if (served !== undefined) return { ...served, attempts }
          const isFinished = isTimedOut === true || isFinal === true
          // With credentials that stay refused, only what shared capacity lacks would help.
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
          // Nothing was tried: there was no time, or there was nobody.
          if (isTimedOut === true) return yield* new DeadlineExceeded({ models })
          return yield* (
            findContextLengthExceeded(models, rejected, query.requirements) ??
              new NoEndpoints({ models, rejected })
          )
        })
      }
    })
  )
}

/** What an upstream's own code cannot say is unknown. */
const getUnlessDefect = <A>(work: () => A): A | undefined => {
  try {
    return work()
  } catch (defect) {
    if (defect instanceof UpstreamDefect) return undefined
    throw defect
  }
}

const warnImplausible = ({ candidate, implausible }: RouteAttempt): Effect.Effect<void> => {
  if (implausible === undefined) return Effect.void
  const { atMost, reported, what } = implausible
  return Effect.logWarning(
    `${candidate.endpoint.id} states ${what} of ${reported}, which cannot be: ${atMost} is charged at most`
  )
}
