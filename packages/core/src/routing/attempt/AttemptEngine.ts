/**
 * Runs a plan until an attempt succeeds, under one attempt budget and one deadline. All fallbacks happen here;
 * nothing underneath retries. Nothing is forked or timed for what has its result at once.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { Health } from "../../engine/health/Health.ts"
import { ModelUsage } from "../../engine/health/ModelUsage.ts"
import type { Reservation } from "../../engine/ledger/Ledger.ts"
import type { LimitExceeded } from "../../engine/ledger/LedgerErrors.ts"
import { makePendingSettlements } from "../../engine/ledger/makePendingSettlements.ts"
import { reserveWithTimeout } from "../../engine/ledger/reserveWithTimeout.ts"
import { Settings } from "../../instance/Settings.ts"
import {
  type FailurePhase,
  UpstreamFailure
} from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { CurrentConnectionWait } from "../../engine/upstreams/transport/sendOnce.ts"
import { isTraced } from "../../engine/observability/tracing/withSpan.ts"
import type { Deadline } from "../../values/Deadline.ts"
import { evaluate, isExit, isSuccess } from "../../values/eager.ts"
import { withTimer } from "../../values/withTimer.ts"
import type { Candidate } from "../Candidate.ts"
import type { CandidateTarget } from "../CandidateTarget.ts"
import type { AttemptSuccess, Operation } from "../Operation.ts"
import { indexDroppedParameters } from "../plan/findDroppedParameters.ts"
import type { PreparedRoute } from "../RoutePreparer.ts"
import type { CapabilityTraits, RouteObserver } from "../RouteQuery.ts"
import { NoEndpoints } from "../RoutingErrors.ts"
import { RoutingRules } from "../RoutingRules.ts"
import type { AttemptEnd, AttemptRun, AttemptsResult } from "./AttemptRun.ts"
import { hasFallback, isContextExceeded, isExhausted } from "./attemptBudget.ts"
import { CostReserver } from "./CostReserver.ts"
import { makeHedgedAttempts } from "./hedging/HedgedAttempts.ts"
import { Hedger } from "./hedging/Hedger.ts"
import type { RaceEntry } from "./hedging/Race.ts"
import { Hold } from "./Hold.ts"
import { makeDroppedParameterWarner } from "./makeDroppedParameterWarner.ts"
import { makeRefusalReporter, recordRefusal } from "./refusals.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"
import { type AttemptServices, RunningAttempt } from "./RunningAttempt.ts"
import { runWithCredential } from "./runWithCredential.ts"
import { releaseReservation, settleBeforeDeadline, settleReservation } from "./settleReservation.ts"
import { toOutcome } from "./toOutcome.ts"
import { withAttemptSpan } from "./withAttemptSpan.ts"

/** Runs the attempts of a planned request. */
export class AttemptEngine extends Context.Service<
  AttemptEngine,
  {
    /**
     * Tries the candidates in the order of the plan until the deadline. The first upstream is called before it returns. `holds` are reservations for some of them.
     */
    readonly run: <Capability extends CapabilityTraits, A, R>(
      prepared: PreparedRoute<Capability>,
      operation: Operation<Capability, A, R>,
      observer: RouteObserver,
      deadline: Deadline,
      holds?: ReadonlyArray<Hold>
    ) => Effect.Effect<AttemptsResult<A>, never, R>
    /** Reserves the first attempt of a plan, within `millis`; `release` of the hold ends it. Call it in an uninterruptible region. */
    readonly hold: <Capability extends CapabilityTraits, A, R>(
      prepared: PreparedRoute<Capability>,
      operation: Operation<Capability, A, R>,
      millis: number,
      restore: <B, E, S>(effect: Effect.Effect<B, E, S>) => Effect.Effect<B, E, S>
    ) => Effect.Effect<Hold>
  }
>()("@signalbox/core/routing/attempt/AttemptEngine") {
  static readonly layer = Layer.effect(
    AttemptEngine,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const health = yield* Health
      const modelUsage = yield* ModelUsage
      const { reserve } = yield* CostReserver
      const reportRefusal = yield* makeRefusalReporter
      const warnDropped = makeDroppedParameterWarner()
      const { failureRules, hedging } = yield* RoutingRules
      const settings = yield* Settings
      const { streamTimeoutMillis } = settings
      const hedger =
        hedging === undefined ? undefined : new Hedger(hedging, settings.maxTrackedEndpoints)
      const record: AttemptServices["record"] = ({ hedging }, { endpoint }, outcome) => {
        health.record(outcome)
        if (hedging !== undefined) hedger?.record(hedging.kind, endpoint.model, outcome)
      }
      const services: AttemptServices = { healthOffset: health.time.offset, record, settings }
      // Outlives the request: reservations are settled and released here when it no longer waits.
      const scope = yield* Effect.scope
      const keepSettlement = yield* makePendingSettlements
      const release = (reservation: Reservation) => releaseReservation(reservation, keepSettlement)

      const countUsage = (attempted: RouteAttempt): void => {
        const { abortReason, candidate, failure, usage } = attempted
        if (usage === undefined || failure !== undefined || abortReason !== undefined) return
        if (attempted.lost === true) return
        modelUsage.record(candidate.endpoint.model, usage, health.time.now())
      }

      const endAttempt = <Capability extends CapabilityTraits, A, R>(
        { deadline, observer, operation, prepared: { query } }: AttemptRun<Capability, A, R>,
        { candidate, usable }: CandidateTarget<Capability>,
        attempted: RouteAttempt,
        entry: RaceEntry | undefined
      ): Effect.Effect<unknown> => {
        const totalTimeoutMillis = query.timeoutMillis ?? settings.totalTimeoutMillis
        // The attempts of a race are reported together, in their order.
        if (entry === undefined) observer.onAttempt(attempted)
        else entry.attempted = attempted
        countUsage(attempted)
        const outcome = toOutcome(
          attempted,
          { failureRules, totalTimeoutMillis },
          health.time.offset - deadline.offset
        )
        record(operation, candidate, outcome)
        return attempted.implausible === undefined
          ? reportRefusal(attempted, usable)
          : Effect.flatMap(warnImplausible(attempted), () => reportRefusal(attempted, usable))
      }

      const callUpstream = <Capability extends CapabilityTraits, A, R>(
        { dropped, observer, prepared: { query } }: AttemptRun<Capability, A, R>,
        attempt: RunningAttempt<Capability, A, R>
      ): Effect.Effect<AttemptSuccess<A>, UpstreamFailure, R> => {
        const { candidate, usable } = attempt.target
        if (usable === undefined && dropped.size === 0 && !isTraced()) {
          return attempt.callUpstream(undefined, observer)
        }
        const call = () =>
          withAttemptSpan(
            () =>
              usable === undefined
                ? attempt.callUpstream(undefined, observer)
                : runWithCredential(usable, (credential) =>
                    attempt.callUpstream(credential, observer)
                  ),
            query.operation,
            candidate
          )
        const unsent = dropped.get(candidate.id)
        if (unsent === undefined) return call()
        observer.onIgnored?.(unsent, candidate)
        return Effect.flatMapEager(warnDropped(candidate, unsent, query.requirements), call)
      }

      const settle = <Capability extends CapabilityTraits, A, R>(
        { deadline, observer }: AttemptRun<Capability, A, R>,
        reservation: Reservation | undefined,
        attempted: RouteAttempt
      ): Effect.Effect<void> => {
        if (reservation === undefined) return observer.onCharge?.(attempted) ?? Effect.void
        const onCharge = () => observer.onCharge?.(attempted) ?? Effect.void
        const { latencyMillis, startedAt } = attempted
        return settleBeforeDeadline(
          settleReservation(reservation, attempted, onCharge, keepSettlement),
          deadline.at - startedAt - latencyMillis,
          scope
        )
      }

      const finishAttempt = <Capability extends CapabilityTraits, A, R>(
        run: AttemptRun<Capability, A, R>,
        attempt: RunningAttempt<Capability, A, R>,
        reservation: Reservation | undefined,
        exit: Exit.Exit<AttemptSuccess<A>, UpstreamFailure>
      ): Effect.Effect<AttemptEnd<A>> => {
        const { entry, target } = attempt
        health.end(target.candidate.id)
        const attempted = attempt.toRouteAttempt(exit, run.deadline.now())
        const settled = settle(run, reservation, attempted)
        // Checked instead of composed: nearly every attempt ends here, and each operator allocates.
        const ended =
          isExit(settled) && Exit.isSuccess(settled)
            ? endAttempt(run, target, attempted, entry)
            : Effect.flatMap(settled, () => endAttempt(run, target, attempted, entry))
        if (attempted.lost === true) return Effect.mapEager(ended, () => ({ attempted }))
        if (isExit(ended) && Exit.isSuccess(ended) && Exit.isSuccess(exit)) {
          const served = { candidate: target.candidate, value: exit.value.value }
          return Effect.succeed({ attempted, served })
        }
        return Effect.flatMapEager(ended, (): Effect.Effect<AttemptEnd<A>> => {
          if (Exit.isSuccess(exit)) {
            const served = { candidate: target.candidate, value: exit.value.value }
            return Effect.succeed({ attempted, served })
          }
          // An interruption or a defect of Signalbox propagates.
          return attempted.failure === undefined
            ? Effect.orDie(Exit.failCause(exit.cause))
            : Effect.succeed({ attempted })
        })
      }

      /** Calls the upstream under the reservation. Only waiting is interruptible: what was used is charged and recorded. */
      const callReserved = <Capability extends CapabilityTraits, A, R>(
        run: AttemptRun<Capability, A, R>,
        attempt: RunningAttempt<Capability, A, R>,
        reservation: Reservation | undefined,
        isLast: boolean,
        mask: typeof Effect.uninterruptibleMask
      ): Effect.Effect<AttemptEnd<A>, never, R> => {
        health.begin(attempt.target.candidate.id)
        const called = evaluate(() => callUpstream(run, attempt))
        if (isExit(called)) return finishAttempt(run, attempt, reservation, called)
        const { startedAt } = attempt
        const attemptMillis = run.deadline.at - startedAt
        // While a fallback is possible, half of the remaining time is kept for it.
        const timeoutMillis = isLast ? attemptMillis : Math.ceil(attemptMillis / 2)
        let isExtended = false
        /** How much of the time was a wait for a connection, which is not the provider's. */
        let addedMillis = 0
        const checkTime = () => {
          const { committedAt } = attempt
          if (committedAt === undefined) {
            const left = attemptMillis - timeoutMillis - addedMillis
            const millis = Math.min(attempt.getQueuedMillis() - addedMillis, left)
            addedMillis += millis
            return millis > 0 ? millis : failWithTimeout(isLast ? "total" : "attempt")
          }
          if (isExtended) return failWithTimeout("total")
          isExtended = true
          return committedAt + streamTimeoutMillis - startedAt - timeoutMillis - addedMillis
        }
        const waiting = withTimer(called, clock, timeoutMillis, checkTime, (context) =>
          Context.add(context, CurrentConnectionWait, attempt)
        )
        return mask((restore) =>
          Effect.flatMap(Effect.exit(restore(waiting)), (exit) =>
            finishAttempt(run, attempt, reservation, exit)
          )
        )
      }

      /** Goes on once it is known what could be reserved; undefined when that took too long. */
      const beginReserved = <Capability extends CapabilityTraits, A, R>(
        run: AttemptRun<Capability, A, R>,
        target: CandidateTarget<Capability>,
        isLast: boolean,
        reservedAt: number,
        reserved: Option.Option<Reservation | undefined> | UpstreamFailure,
        entry: RaceEntry | undefined,
        mask: typeof Effect.uninterruptibleMask
      ): Effect.Effect<AttemptEnd<A> | undefined, never, R> => {
        if (reserved instanceof UpstreamFailure) {
          // The upstream's own code failed to estimate the cost, so it is not called.
          const attempted: RouteAttempt = {
            candidate: target.candidate,
            chargedAt: reservedAt,
            startedAt: reservedAt,
            latencyMillis: 0,
            failure: reserved
          }
          return Effect.mapEager(endAttempt(run, target, attempted, entry), () => ({ attempted }))
        }
        if (Option.isNone(reserved)) {
          run.reservationFailure = storageLate
          return Effect.undefined
        }
        const reservation = reserved.value
        // The latency of the ledger must not count as the provider's.
        const startedAt = run.deadline.now()
        if (startedAt < run.deadline.at) {
          const attempt = new RunningAttempt(run, target, services, reservedAt, startedAt, entry)
          return callReserved(run, attempt, reservation, isLast, mask)
        }
        run.reservationFailure = storageLate
        return reservation === undefined
          ? Effect.undefined
          : Effect.as(release(reservation), undefined)
      }

      /** One attempt from its reservation to its record; undefined when the deadline leaves no time for it. */
      const runAttempt = <Capability extends CapabilityTraits, A, R>(
        run: AttemptRun<Capability, A, R>,
        candidate: Candidate,
        isLast: boolean,
        entry?: RaceEntry
      ): Effect.Effect<AttemptEnd<A> | undefined, LimitExceeded | NoEndpoints, R> => {
        const now = run.deadline.now()
        const remainingMillis = run.deadline.at - now
        if (remainingMillis <= 0) return Effect.undefined
        // A plan only reorders the given candidates, and each of them has a target.
        const target = run.prepared.targets.get(candidate.id)!
        const held = takeHeld(run.holds, candidate.id)
        if (held !== undefined) {
          run.isFirst = false
          const attempt = new RunningAttempt(run, target, services, now, now, entry)
          return callReserved(run, attempt, held, isLast, Effect.uninterruptibleMask)
        }
        const reserving = reserve(run.prepared, run.operation, target, now, run.isFirst)
        run.isFirst = false
        if (reserving === undefined) {
          const attempt = new RunningAttempt(run, target, services, now, now, entry)
          return callReserved(run, attempt, undefined, isLast, Effect.uninterruptibleMask)
        }
        const reserveAndBegin = (
          reserved: Effect.Effect<Option.Option<Reservation | undefined>, ReservationError>,
          mask: typeof Effect.uninterruptibleMask
        ) =>
          reserved.pipe(
            Effect.catchEager((error) =>
              error instanceof UpstreamFailure ? Effect.succeed(error) : Effect.fail(error)
            ),
            Effect.flatMapEager((result) =>
              beginReserved(run, target, isLast, now, result, entry, mask)
            )
          )
        return isExit(reserving)
          ? reserveAndBegin(Exit.map(reserving, Option.some), Effect.uninterruptibleMask)
          : Effect.uninterruptibleMask((restore) =>
              reserveAndBegin(
                reserveWithTimeout(reserving, remainingMillis, restore, scope, release),
                (wait) => wait(restore)
              )
            )
      }

      const isOpen = <Capability extends CapabilityTraits, A, R>(
        { attempts, unservableModels }: AttemptRun<Capability, A, R>,
        candidate: Candidate
      ): boolean =>
        attempts.length === 0 ||
        !(
          unservableModels?.has(candidate.endpoint.model) === true ||
          isExhausted(settings, attempts, candidate) ||
          isContextExceeded(candidate, attempts)
        )

      /** The next candidate to try; undefined when the plan is exhausted. */
      const takeCandidate = <Capability extends CapabilityTraits, A, R>(
        run: AttemptRun<Capability, A, R>
      ): Candidate | undefined => {
        const candidates = run.prepared.planned.plan.ordered
        const { renewed } = run
        if (renewed !== undefined) {
          run.renewed = undefined
          return renewed
        }
        while (run.position < candidates.length) {
          const candidate = candidates[run.position++]!
          if (candidate.id === run.hedgedId || !isOpen(run, candidate)) continue
          if (health.claim(candidate.id)) return candidate
          run.unclaimed ??= candidate
        }
        // Other requests hold every probe and no candidate is left, so the best one is tried nevertheless.
        const forced = run.attempts.length === 0 ? run.unclaimed : undefined
        run.unclaimed = undefined
        return forced
      }

      /** Undefined when another candidate may be tried. */
      const applyEnd = <Capability extends CapabilityTraits, A, R>(
        run: AttemptRun<Capability, A, R>,
        end: AttemptEnd<A> | undefined
      ): AttemptsResult<A> | undefined => {
        const { attempts, operation, reservationFailure } = run
        if (end === undefined) return { attempts, ...reservationFailure, isTimedOut: true }
        const { attempted, served } = end
        attempts.push(attempted)
        if (served !== undefined) return { attempts, served }
        const { candidate, failure, firstEventMillis } = attempted
        if (failure === undefined) return undefined
        run.isFinal = !failureRules[failure.kind].fallback
        const isCommitted = firstEventMillis !== undefined
        if (isCommitted || operation.canFallBack?.(failure) === false) {
          return { attempts, ...reservationFailure, isFinal: true }
        }
        if (failure.isCredentialRenewed === true && !run.hasRenewed) {
          run.hasRenewed = true
          run.renewed = candidate
          return undefined
        }
        if (run.isFinal) (run.unservableModels ??= new Set()).add(candidate.endpoint.model)
        return undefined
      }

      const hedged =
        hedger === undefined
          ? undefined
          : makeHedgedAttempts({
              clock,
              failureRules,
              health,
              hedger,
              settings,
              engine: { applyEnd, isOpen, runAttempt }
            })

      const tryCandidates = <Capability extends CapabilityTraits, A, R>(
        run: AttemptRun<Capability, A, R>
      ): Effect.Effect<AttemptsResult<A>, never, R> => {
        const { attempts } = run
        const candidates = run.prepared.planned.plan.ordered
        const takeEnd = (
          candidate: Candidate,
          end: Result.Result<AttemptEnd<A> | undefined, LimitExceeded | NoEndpoints>
        ) => {
          if (Result.isSuccess(end)) return applyEnd(run, end.success)
          recordRefusal(run, candidate, end.failure)
          return undefined
        }
        for (;;) {
          const candidate = takeCandidate(run)
          if (candidate === undefined) {
            const { isFinal, reservationFailure } = run
            return Effect.succeed({
              attempts,
              ...reservationFailure,
              ...(isFinal ? { isFinal } : undefined)
            })
          }
          const isLast = !hasFallback(settings, attempts, candidates, run.position - 1)
          if (hedged?.isWanted(run, candidate) === true) {
            return Effect.flatMap(hedged.run(run, candidate, isLast), (result) =>
              result === undefined ? tryCandidates(run) : Effect.succeed(result)
            )
          }
          const running = runAttempt(run, candidate, isLast)
          if (isSuccess(running)) {
            const result = applyEnd(run, running.value)
            if (result !== undefined) return Effect.succeed(result)
            continue
          }
          const end = Effect.result(running)
          if (!isExit(end)) {
            return Effect.flatMap(end, (end) => {
              const result = takeEnd(candidate, end)
              return result === undefined ? tryCandidates(run) : Effect.succeed(result)
            })
          }
          if (Exit.isFailure(end)) return Exit.failCause(end.cause)
          const result = takeEnd(candidate, end.value)
          if (result !== undefined) return Effect.succeed(result)
        }
      }

      return {
        hold: (prepared, operation, millis, restore) => {
          const [first] = prepared.planned.plan.ordered
          const { models } = prepared.query
          if (first === undefined) {
            const { rejected } = prepared.planned.plan
            const problem = new NoEndpoints({ models, rejected })
            return Effect.succeed(new Hold(undefined, undefined, release, problem))
          }
          const target = prepared.targets.get(first.id)!
          const reserving = reserve(
            prepared,
            operation,
            target,
            clock.currentTimeMillisUnsafe(),
            true
          )
          if (reserving === undefined)
            return Effect.succeed(new Hold(undefined, undefined, release))
          return Effect.match(reserveWithTimeout(reserving, millis, restore, scope, release), {
            onFailure: (error) =>
              new Hold(
                undefined,
                undefined,
                release,
                error instanceof UpstreamFailure ? "upstream" : error
              ),
            onSuccess: (reserved) =>
              Option.isNone(reserved)
                ? new Hold(undefined, undefined, release, "timeout")
                : new Hold(first.id, reserved.value, release)
          })
        },
        run: (prepared, operation, observer, deadline, holds) =>
          tryCandidates({
            prepared,
            operation,
            observer,
            deadline,
            holds,
            dropped: indexDroppedParameters(prepared.planned.plan),
            attempts: [],
            unservableModels: undefined,
            unclaimed: undefined,
            renewed: undefined,
            hasRenewed: false,
            hedgeMillis: hedged?.begin(prepared, operation),
            hedgedId: undefined,
            reservationFailure: undefined,
            position: 0,
            isFirst: true,
            isFinal: false
          })
      }
    })
  )
}

type ReservationError = LimitExceeded | NoEndpoints | UpstreamFailure

const takeHeld = (
  holds: ReadonlyArray<Hold> | undefined,
  candidate: string
): Reservation | undefined => {
  if (holds === undefined) return undefined
  for (const hold of holds) {
    const held = hold.take(candidate)
    if (held !== undefined) return held
  }
  return undefined
}

const failWithTimeout = (phase: FailurePhase): Exit.Exit<never, UpstreamFailure> =>
  Exit.fail(new UpstreamFailure({ kind: "timeout", phase }))

const warnImplausible = ({ candidate, implausible }: RouteAttempt): Effect.Effect<void> => {
  if (implausible === undefined) return Effect.void
  const { atMost, reported, what } = implausible
  return Effect.logWarning(
    `${candidate.endpoint.id} reports an implausible ${what} of ${reported}; at most ${atMost} is charged`
  )
}

const storageLate = { isStorageLate: true } as const
