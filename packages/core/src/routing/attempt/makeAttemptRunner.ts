/** Runs one attempt, from what it reserves to its record. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { Reservation } from "../../engine/ledger/Ledger.ts"
import type { LimitExceeded } from "../../engine/ledger/LedgerErrors.ts"
import { reserveWithTimeout } from "../../engine/ledger/reserveWithTimeout.ts"
import { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { isExit } from "../../values/eager.ts"
import type { Candidate } from "../Candidate.ts"
import type { CandidateTarget } from "../CandidateTarget.ts"
import type { CapabilityTraits } from "../RouteQuery.ts"
import type { NoEndpoints } from "../RoutingErrors.ts"
import type { AttemptEnd, AttemptRun } from "./AttemptRun.ts"
import { CostReserver } from "./CostReserver.ts"
import type { RaceEntry } from "./hedging/Race.ts"
import type { Hold } from "./Hold.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"
import { type AttemptServices, RunningAttempt } from "./RunningAttempt.ts"
import type { AttemptFinisher } from "./makeAttemptFinisher.ts"
import { makeReservedCalls } from "./makeReservedCalls.ts"
import * as Step from "../../values/Step.ts"

/** Made once for an engine. */
export const makeAttemptRunner = Effect.fnUntraced(function* (
  services: AttemptServices,
  finisher: AttemptFinisher
) {
  const { endAttempt, release } = finisher
  const { reserve } = yield* CostReserver
  const { callReserved } = yield* makeReservedCalls(finisher)
  const scope = yield* Effect.scope

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
      return Step.map(endAttempt(run, target, attempted, entry), () => ({ attempted }))
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
    return reservation === undefined ? Effect.undefined : Effect.as(release(reservation), undefined)
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
    const reserving = reserve(run.prepared, run.work, target, now, run.isFirst)
    run.isFirst = false
    if (reserving === undefined) {
      const attempt = new RunningAttempt(run, target, services, now, now, entry)
      return callReserved(run, attempt, undefined, isLast, Effect.uninterruptibleMask)
    }
    const reserveAndBegin = (
      reserved: Effect.Effect<Option.Option<Reservation | undefined>, ReservationError>,
      mask: typeof Effect.uninterruptibleMask
    ) =>
      Step.flatMap(
        Step.catchError(reserved, (error) =>
          error instanceof UpstreamFailure ? Effect.succeed(error) : Effect.fail(error)
        ),
        (result) => beginReserved(run, target, isLast, now, result, entry, mask)
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

  return { runAttempt }
})

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

const storageLate = { isStorageLate: true } as const
