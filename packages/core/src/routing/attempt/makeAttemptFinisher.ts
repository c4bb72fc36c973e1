/** Ends attempts: settles what they have reserved, reports them, and records their outcome. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { Health } from "../../engine/health/Health.ts"
import { ModelUsage } from "../../engine/health/ModelUsage.ts"
import type { Reservation } from "../../engine/ledger/Ledger.ts"
import {
  logLapse,
  makePendingSettlements,
  type PendingSettlement
} from "../../engine/ledger/makePendingSettlements.ts"
import type { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import * as Step from "../../values/Step.ts"
import { evaluate, isExit } from "../../values/eager.ts"
import { findStoreUnavailable } from "../../values/errors/StoreUnavailable.ts"
import type { CandidateTarget } from "../CandidateTarget.ts"
import type { CapabilityTraits } from "../RouteQuery.ts"
import type { AttemptSuccess } from "../RouteWork.ts"
import { RoutingRules } from "../RoutingRules.ts"
import type { AttemptEnd, AttemptRun } from "./AttemptRun.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"
import type { AttemptServices, RunningAttempt } from "./RunningAttempt.ts"
import type { RaceEntry } from "./hedging/Race.ts"
import { findLatencyKind } from "./lateness/findLatencyKind.ts"
import { makeRefusalReporter } from "./refusals.ts"
import { toOutcome } from "./toOutcome.ts"

/** Made once for an engine. */
export const makeAttemptFinisher = Effect.fnUntraced(function* ({
  record,
  settings
}: AttemptServices) {
  const health = yield* Health
  const modelUsage = yield* ModelUsage
  const reportRefusal = yield* makeRefusalReporter
  const { failureRules } = yield* RoutingRules
  // Outlives the request: reservations are settled and released here when it no longer waits.
  const scope = yield* Effect.scope
  const keepSettlement = yield* makePendingSettlements

  const countUsage = (attempted: RouteAttempt): void => {
    const { abortReason, candidate, failure, usage } = attempted
    if (usage === undefined || failure !== undefined || abortReason !== undefined) return
    if (attempted.lost === true) return
    modelUsage.record(candidate.endpoint.model, usage, health.time.now())
  }

  const findWarning = ({ candidate, failure, implausible }: RouteAttempt): string | undefined => {
    if (implausible !== undefined) return describeImplausible(candidate, implausible)
    const { provider } = candidate.endpoint
    return failure?.phase === "queue" &&
      health.connectionWaits.claimWarning(provider, health.time.now())
      ? `a request waited in vain for a connection to the provider "${provider}": all ${settings.maxUpstreamConnections} are in use; settings.maxUpstreamConnections allows more`
      : undefined
  }

  const endAttempt = <Capability extends CapabilityTraits, A, R>(
    { deadline, observer, work, prepared: { query } }: AttemptRun<Capability, A, R>,
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
    record(findLatencyKind(work, query), candidate, outcome)
    const warning = findWarning(attempted)
    return warning === undefined
      ? reportRefusal(attempted, usable)
      : Effect.flatMap(Effect.logWarning(warning), () => reportRefusal(attempted, usable))
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
    attempt.endSuspicion()
    const attempted = attempt.toRouteAttempt(exit, run.deadline.now())
    const settled = settle(run, reservation, attempted)
    // Checked instead of composed: nearly every attempt ends here, and each operator allocates.
    const ended =
      isExit(settled) && Exit.isSuccess(settled)
        ? endAttempt(run, target, attempted, entry)
        : Effect.flatMap(settled, () => endAttempt(run, target, attempted, entry))
    if (attempted.lost === true) return Step.map(ended, () => ({ attempted }))
    if (isExit(ended) && Exit.isSuccess(ended) && Exit.isSuccess(exit)) {
      const served = { candidate: target.candidate, value: exit.value.value }
      return Effect.succeed({ attempted, served })
    }
    return Step.flatMap(ended, (): Effect.Effect<AttemptEnd<A>> => {
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

  return {
    endAttempt,
    finishAttempt,
    release: (reservation: Reservation) => releaseReservation(reservation, keepSettlement)
  }
})

/** What ends attempts and reservations. */
export type AttemptFinisher = Effect.Success<ReturnType<typeof makeAttemptFinisher>>

const describeImplausible = (
  { endpoint }: RouteAttempt["candidate"],
  { atMost, reported, what }: NonNullable<RouteAttempt["implausible"]>
): string =>
  `${endpoint.id} reports an implausible ${what} of ${reported}; at most ${atMost} is charged`

/**
 * A ledger that fails does not cost the caller the answer: the settlement is kept until the storage can be used again, and
 * what cannot be settled at all lapses into a full charge.
 */
const settleReservation = (
  reservation: Reservation,
  attempted: RouteAttempt,
  onCharge: () => Effect.Effect<void>,
  keep: KeepSettlement
): Effect.Effect<void> => {
  const cost = attempted.upstreamCost ?? attempted.cost
  const end = (): Effect.Effect<unknown> =>
    cost === undefined ? reservation.release : reservation.settle(cost)
  return Step.matchCause(evaluate(end), {
    onFailure: (cause) => {
      if (findStoreUnavailable(cause) === undefined) return logLapse(cause)
      keep({ ending: Effect.suspend(end), onEnded: Effect.suspend(onCharge) })
      return Effect.void
    },
    onSuccess: onCharge
  })
}

/** Releases what nothing was spent of, if need be once the storage can be used again. */
const releaseReservation = ({ release }: Reservation, keep: KeepSettlement): Effect.Effect<void> =>
  Effect.catchCauseIf(
    release,
    (cause) => findStoreUnavailable(cause) !== undefined,
    () => Effect.sync(() => keep({ ending: release, onEnded: Effect.void }))
  )

type KeepSettlement = (settlement: PendingSettlement) => void

/** Waits for `settlement` for at most `millis`; in `scope` it completes either way. */
const settleBeforeDeadline = (
  settlement: Effect.Effect<void>,
  millis: number,
  scope: Scope.Scope
): Effect.Effect<void> =>
  isExit(settlement)
    ? settlement
    : Effect.flatMap(
        Effect.forkIn(settlement, scope, { startImmediately: true, uninterruptible: true }),
        (fiber) =>
          fiber.pollUnsafe() === undefined
            ? Effect.asVoid(Effect.timeoutOption(Fiber.await(fiber), Math.max(millis, 0)))
            : Effect.void
      )
