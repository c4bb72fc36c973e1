/** Ends the reservation of an attempt, without making an answer wait for a slow ledger. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { Reservation } from "../../engine/ledger/Ledger.ts"
import { logLapse, type PendingSettlement } from "../../engine/ledger/makePendingSettlements.ts"
import { findStoreUnavailable } from "../../values/errors/StoreUnavailable.ts"
import { evaluate, isExit } from "../../values/eager.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"
import * as Step from "../../values/Step.ts"

/**
 * A ledger that fails does not cost the caller the answer: the settlement is kept until the storage can be used again, and
 * what cannot be settled at all lapses into a full charge.
 */
export const settleReservation = (
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
export const releaseReservation = (
  { release }: Reservation,
  keep: KeepSettlement
): Effect.Effect<void> =>
  Effect.catchCauseIf(
    release,
    (cause) => findStoreUnavailable(cause) !== undefined,
    () => Effect.sync(() => keep({ ending: release, onEnded: Effect.void }))
  )

type KeepSettlement = (settlement: PendingSettlement) => void

/** Waits for `settlement` for at most `millis`; in `scope` it completes either way. */
export const settleBeforeDeadline = (
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
