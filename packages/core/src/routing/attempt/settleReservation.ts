/** Ends the reservation of an attempt, without making an answer wait for a slow ledger. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { Reservation } from "../../ledger/Ledger.ts"
import { evaluate } from "../../values/evaluate.ts"
import { isExit } from "../../values/isExit.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"

/** A ledger that fails does not cost the caller the answer: the open reservation lapses into a full charge. */
export const settleReservation = (
  reservation: Reservation,
  attempted: RouteAttempt,
  onCharge: () => Effect.Effect<void>
): Effect.Effect<void> => {
  const cost = attempted.upstreamCost ?? attempted.cost
  return Effect.matchCauseEffectEager(
    evaluate((): Effect.Effect<unknown> =>
      cost === undefined ? reservation.release : reservation.settle(cost)
    ),
    {
      onFailure: (cause) =>
        Effect.logError("A reservation could not be settled and will lapse into a charge", cause),
      onSuccess: onCharge
    }
  )
}

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
