/**
 * Runs a plan until an attempt succeeds, under one attempt budget and one deadline. All fallbacks happen here;
 * nothing underneath retries.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { constTrue } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { Health } from "../../health/Health.ts"
import { ModelUsage } from "../../health/ModelUsage.ts"
import type { Reservation } from "../../ledger/Ledger.ts"
import type { LimitExceeded } from "../../ledger/LedgerErrors.ts"
import { reserveWithTimeout } from "../../ledger/reserveWithTimeout.ts"
import { Settings } from "../../Settings.ts"
import { UpstreamDefect } from "../../upstreams/failures/UpstreamDefect.ts"
import { UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"
import { getRequestCount, sumUsage, type TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { Candidate } from "../Candidate.ts"
import type { CandidateTarget } from "../CandidateTarget.ts"
import type { AttemptSuccess, Operation, OperationTarget, UsageReporter } from "../Operation.ts"
import { indexDroppedParameters } from "../plan/findDroppedParameters.ts"
import type { PreparedRoute } from "../RoutePreparer.ts"
import type { CapabilityTraits, RouteObserver } from "../RouteQuery.ts"
import type { NoEndpoints } from "../RoutingErrors.ts"
import { RoutingRules } from "../RoutingRules.ts"
import { assessCharge, type ObservedUsage, type UsageBounds } from "./assessCharge.ts"
import { hasFallback, isContextExceeded, isExhausted } from "./attemptBudget.ts"
import { CostReserver } from "./CostReserver.ts"
import { makeDroppedParameterWarner } from "./makeDroppedParameterWarner.ts"
import { makeRefusalReporter } from "./makeRefusalReporter.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"
import { runWithCredential } from "./runWithCredential.ts"
import { settleBeforeDeadline, settleReservation } from "./settleReservation.ts"
import { toOutcome } from "./toOutcome.ts"
import { withAttemptSpan } from "./withAttemptSpan.ts"

export interface AttemptsResult<A> {
  /** Every attempt made, in order; the last one served if `served` is there. */
  readonly attempts: ReadonlyArray<RouteAttempt>
  readonly served?: { readonly candidate: Candidate; readonly value: A }
  /** Why nothing could be reserved for the last candidate passed over. */
  readonly reservationError?: LimitExceeded | NoEndpoints
  /** The last failure rules out further attempts at its model. */
  readonly isFinal?: true
  /** The deadline passed before the plan was exhausted. */
  readonly isTimedOut?: true
}

/** Runs the attempts of a planned request. */
export class AttemptEngine extends Context.Service<
  AttemptEngine,
  {
    /** Tries the candidates in the order of the plan until `deadlineAt`, in milliseconds since the epoch. */
    readonly run: <Capability extends CapabilityTraits, A, R>(
      prepared: PreparedRoute<Capability>,
      operation: Operation<Capability, A, R>,
      observer: RouteObserver,
      deadlineAt: number
    ) => Effect.Effect<AttemptsResult<A>, never, R>
  }
>()("@signalbox/core/routing/attempt/AttemptEngine") {
  static readonly layer = Layer.effect(
    AttemptEngine,
    Effect.gen(function* () {
      const health = yield* Health
      const modelUsage = yield* ModelUsage
      const { reserve } = yield* CostReserver
      const reportRefusal = yield* makeRefusalReporter
      const warnDropped = makeDroppedParameterWarner()
      const { failureRules } = yield* RoutingRules
      const settings = yield* Settings
      const { streamTimeoutMillis } = settings
      // Outlives the request: reservations are settled and released here when it no longer waits.
      const scope = yield* Effect.scope

      const countUsage = (attempted: RouteAttempt): void => {
        const { abortReason, candidate, failure, latencyMillis, startedAt, usage } = attempted
        if (usage === undefined || failure !== undefined || abortReason !== undefined) return
        modelUsage.record(candidate.endpoint.model, usage, startedAt + latencyMillis)
      }

      const endAttempt = <Capability extends CapabilityTraits, A, R>(
        { getTarget, observer, prepared: { query } }: AttemptRun<Capability, A, R>,
        attempted: RouteAttempt
      ): Effect.Effect<unknown> => {
        const totalTimeoutMillis = query.timeoutMillis ?? settings.totalTimeoutMillis
        observer.onAttempt(attempted)
        countUsage(attempted)
        return warnImplausible(attempted).pipe(
          Effect.andThen(health.record(toOutcome(attempted, { failureRules, totalTimeoutMillis }))),
          Effect.andThen(reportRefusal(attempted, getTarget(attempted.candidate).usable))
        )
      }

      const callUpstream = <Capability extends CapabilityTraits, A, R>(
        {
          calledIds,
          dropped,
          getTarget,
          operation,
          prepared: { query }
        }: AttemptRun<Capability, A, R>,
        candidate: Candidate,
        reportUsage: UsageReporter,
        commit: Effect.Effect<void>
      ): Effect.Effect<AttemptSuccess<A>, UpstreamFailure, R> => {
        const { usable, ...target } = getTarget(candidate)
        const callAt = (at: OperationTarget<Capability>) =>
          Effect.suspend(() => {
            calledIds.add(candidate.id)
            return operation.run(at, reportUsage, commit)
          })
        const call = withAttemptSpan(
          usable === undefined
            ? callAt(target)
            : runWithCredential(usable, (credential) => callAt({ ...target, credential })),
          query.operation,
          candidate
        )
        const unsent = dropped.get(candidate.id)
        return unsent === undefined
          ? call
          : Effect.andThen(
              warnDropped(candidate, unsent, query.requirements.ignoredParameters),
              call
            )
      }

      const getUsageBounds = <Capability extends CapabilityTraits, A, R>(
        { calledIds, getTarget, operation }: AttemptRun<Capability, A, R>,
        candidate: Candidate
      ): UsageBounds => ({
        getWorstCase: () => getUnlessDefect(() => operation.getWorstCase?.(getTarget(candidate))),
        getUnreportedUsage: () =>
          calledIds.has(candidate.id)
            ? getUnlessDefect(() => operation.getUnreportedUsage?.(getTarget(candidate)))
            : undefined,
        maxUsageMultiple: settings.maxReportedUsageMultiple,
        maxCostMultiple: settings.maxReportedCostMultiple
      })

      /**
       * One attempt from its reservation to its record; undefined when the deadline leaves no time for it. Only
       * waiting is interruptible: whatever was used is charged and recorded.
       */
      const runAttempt = Effect.fnUntraced(function* <Capability extends CapabilityTraits, A, R>(
        run: AttemptRun<Capability, A, R>,
        candidate: Candidate,
        isLast: boolean,
        restore: Restore
      ): Effect.fn.Return<AttemptEnd<A> | undefined, LimitExceeded | NoEndpoints, R> {
        const { deadlineAt, observer, operation, prepared } = run
        const reservedAt = yield* Clock.currentTimeMillis
        const remainingMillis = deadlineAt - reservedAt
        if (remainingMillis <= 0) return undefined
        const target = run.getTarget(candidate)
        const reservationEffect = reserve(prepared, operation, target, reservedAt, run.isFirst)
        run.isFirst = false
        const reservationResult =
          reservationEffect === undefined
            ? noReservation
            : yield* Effect.catchIf(
                reserveWithTimeout(reservationEffect, remainingMillis, restore, scope),
                isUpstreamFailure,
                Effect.succeed
              )
        if (isUpstreamFailure(reservationResult)) {
          // The upstream's own code failed to estimate the cost, so it is not called.
          const attempted: RouteAttempt = {
            candidate,
            chargedAt: reservedAt,
            startedAt: reservedAt,
            latencyMillis: 0,
            failure: reservationResult
          }
          yield* endAttempt(run, attempted)
          return { attempted }
        }
        if (Option.isNone(reservationResult)) return undefined
        const reservation = reservationResult.value
        // The latency of the ledger must not count as that of the provider.
        const startedAt =
          reservationEffect === undefined ? reservedAt : yield* Clock.currentTimeMillis
        const attemptMillis = deadlineAt - startedAt
        if (attemptMillis <= 0) {
          if (reservation !== undefined) yield* reservation.release
          return undefined
        }

        let observedUsage: ObservedUsage | undefined
        const reportUsage: UsageReporter = (usage, isEstimated = false) => {
          // Without whole token counts there is no price.
          if (!toCounts(usage).every(Number.isSafeInteger)) return
          observedUsage = {
            usage: observedUsage === undefined ? usage : sumUsage(observedUsage.usage, usage),
            isEstimated: isEstimated || observedUsage?.isEstimated === true
          }
        }
        let committedAt: number | undefined
        const commit = Effect.map(Clock.currentTimeMillis, (now) => {
          committedAt ??= now
        })
        // While a fallback is possible, half of the remaining time is kept for it.
        const timeoutMillis = isLast ? attemptMillis : Math.ceil(attemptMillis / 2)
        const timeout = Effect.flatMap(Effect.sleep(timeoutMillis), () =>
          committedAt === undefined
            ? Effect.fail(
                new UpstreamFailure({ kind: "timeout", phase: isLast ? "total" : "attempt" })
              )
            : Effect.delay(
                Effect.fail(new UpstreamFailure({ kind: "timeout", phase: "total" })),
                committedAt + streamTimeoutMillis - startedAt - timeoutMillis
              )
        )
        const exit = yield* Effect.exit(
          restore(Effect.raceFirst(callUpstream(run, candidate, reportUsage, commit), timeout))
        )
        const latencyMillis = (yield* Clock.currentTimeMillis) - startedAt
        const attempted: RouteAttempt = {
          candidate,
          chargedAt: reservedAt,
          startedAt,
          latencyMillis,
          ...(committedAt === undefined
            ? undefined
            : { firstEventMillis: committedAt - startedAt }),
          ...toFailure(exit),
          ...toBackpressure(exit),
          ...assessCharge(candidate, exit, observedUsage, getUsageBounds(run, candidate))
        }
        const onCharge = Effect.suspend(() => observer.onCharge?.(attempted) ?? Effect.void)
        if (reservation === undefined) yield* onCharge
        else {
          const settlement = settleReservation(reservation, attempted, onCharge)
          yield* settleBeforeDeadline(settlement, deadlineAt - startedAt - latencyMillis, scope)
        }
        yield* endAttempt(run, attempted)
        if (Exit.isSuccess(exit)) {
          return { attempted, served: { candidate, value: exit.value.value } }
        }
        // An interruption or a defect of Signalbox propagates.
        if (attempted.failure === undefined) yield* Effect.orDie(exit)
        return { attempted }
      })

      return {
        run: Effect.fnUntraced(function* <Capability extends CapabilityTraits, A, R>(
          prepared: PreparedRoute<Capability>,
          operation: Operation<Capability, A, R>,
          observer: RouteObserver,
          deadlineAt: number
        ): Effect.fn.Return<AttemptsResult<A>, never, R> {
          const candidates = prepared.planned.plan.ordered
          const { canFallBack = constTrue } = operation
          const run: AttemptRun<Capability, A, R> = {
            prepared,
            operation,
            observer,
            deadlineAt,
            // A plan orders the candidates it was given, which are those of the targets.
            getTarget: ({ id }) => prepared.targets.get(id)!,
            dropped: indexDroppedParameters(prepared.planned.plan),
            calledIds: new Set(),
            isFirst: true
          }
          const attempts: Array<RouteAttempt> = []
          let reservationFailure: Pick<AttemptsResult<A>, "reservationError"> = {}
          const unclaimed: Array<Candidate> = []
          /** Models whose failure lies in the request, so that another endpoint would fail too. */
          const unservableModels = new Set<string>()
          let isFinal = false
          const queue = [...candidates]
          for (let position = 0; ; position++) {
            const isForced = position === candidates.length
            if (isForced) {
              // Other requests hold every probe and no candidate is left, so the best one is tried nevertheless.
              if (attempts.length > 0) break
              queue.push(...unclaimed.slice(0, 1))
            }
            const candidate = queue[position]
            if (candidate === undefined) break
            if (
              unservableModels.has(candidate.endpoint.model) ||
              isExhausted(settings, attempts, candidate) ||
              isContextExceeded(candidate, attempts)
            ) {
              continue
            }
            if (!isForced && !(yield* health.claim(candidate.id))) {
              unclaimed.push(candidate)
              continue
            }
            const isLast = !hasFallback(settings, attempts, candidates, position)
            const result = yield* Effect.result(
              Effect.uninterruptibleMask((restore) => runAttempt(run, candidate, isLast, restore))
            )
            if (Result.isFailure(result)) {
              reservationFailure = { reservationError: result.failure }
              continue
            }
            const outcome = result.success
            if (outcome === undefined) return { attempts, ...reservationFailure, isTimedOut: true }
            attempts.push(outcome.attempted)
            if (outcome.served !== undefined) return { attempts, served: outcome.served }
            const { failure, firstEventMillis } = outcome.attempted
            if (failure === undefined) continue
            isFinal = !failureRules[failure.kind].fallback
            const isCommitted = firstEventMillis !== undefined
            if (isCommitted || !canFallBack(failure))
              return { attempts, ...reservationFailure, isFinal: true }
            if (isFinal) unservableModels.add(candidate.endpoint.model)
          }
          return { attempts, ...reservationFailure, ...(isFinal ? { isFinal } : undefined) }
        })
      }
    })
  )
}

/** The state of one request while its attempts run. */
interface AttemptRun<Capability extends CapabilityTraits, A, R> {
  readonly prepared: PreparedRoute<Capability>
  readonly operation: Operation<Capability, A, R>
  readonly observer: RouteObserver
  readonly deadlineAt: number
  readonly getTarget: (candidate: Candidate) => CandidateTarget<Capability>
  /** Parameters that are not sent, by the id of the candidate. */
  readonly dropped: ReadonlyMap<string, ReadonlyArray<string>>
  /** The ids of the candidates whose provider was called. */
  readonly calledIds: Set<string>
  /** Whether no reservation has been asked for yet. */
  isFirst: boolean
}

interface AttemptEnd<A> {
  readonly attempted: RouteAttempt
  readonly served?: { readonly candidate: Candidate; readonly value: A }
}

type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

const isUpstreamFailure = (error: unknown): error is UpstreamFailure =>
  error instanceof UpstreamFailure

const noReservation: Option.Option<Reservation | undefined> = Option.some(undefined)

const toCounts = (usage: TokenUsage): ReadonlyArray<number> => [
  usage.inputTokens,
  usage.outputTokens,
  getRequestCount(usage)
]

/** How an attempt ended, unless it served. */
const toFailure = (
  exit: Exit.Exit<unknown, UpstreamFailure>
): Pick<RouteAttempt, "failure" | "abortReason"> => {
  if (Exit.isSuccess(exit)) return {}
  const failure = Option.getOrUndefined(Exit.findErrorOption(exit))
  if (failure !== undefined) return { failure }
  return { abortReason: Cause.hasInterruptsOnly(exit.cause) ? "interrupted" : "defect" }
}

const toBackpressure = <A>(
  exit: Exit.Exit<AttemptSuccess<A>, UpstreamFailure>
): Pick<RouteAttempt, "backpressureMillis"> =>
  Exit.isSuccess(exit) && exit.value.backpressureMillis !== undefined
    ? { backpressureMillis: exit.value.backpressureMillis }
    : {}

/** Undefined when the upstream's own code has a defect. */
const getUnlessDefect = <A>(compute: () => A): A | undefined => {
  try {
    return compute()
  } catch (defect) {
    if (defect instanceof UpstreamDefect) return undefined
    throw defect
  }
}

const warnImplausible = ({ candidate, implausible }: RouteAttempt): Effect.Effect<void> => {
  if (implausible === undefined) return Effect.void
  const { atMost, reported, what } = implausible
  return Effect.logWarning(
    `${candidate.endpoint.id} reports an implausible ${what} of ${reported}; at most ${atMost} is charged`
  )
}
