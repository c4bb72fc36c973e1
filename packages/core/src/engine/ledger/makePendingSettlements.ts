/** Ends reservations that could not be ended for want of the storage, once it can be used again. */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import * as Metric from "effect/Metric"
import type * as Scope from "effect/Scope"
import { Settings } from "../../instance/Settings.ts"
import { findStoreUnavailable } from "../../values/errors/StoreUnavailable.ts"

/** How many settlements wait for the store. */
export const waitingSettlements = Metric.gauge("signalbox_queue_waiting", {
  attributes: { queue: "settlements" }
})

/** `ending` settles or releases a reservation, and may be repeated; `onEnded` follows it once. */
export interface PendingSettlement {
  readonly ending: Effect.Effect<unknown>
  readonly onEnded: Effect.Effect<void>
}

/**
 * Returns a function that keeps a settlement until the store takes it; settlements run in order. Their number is
 * bounded by the requests that ran when the store failed, since nothing is reserved without it. When the scope closes,
 * it waits for the store for at most `Settings.storeTimeoutMillis`; the remaining reservations, which the store holds,
 * turn into full charges at the end of their leases, as after a crash.
 */
export const makePendingSettlements: Effect.Effect<
  (settlement: PendingSettlement) => void,
  never,
  Scope.Scope
> = Effect.gen(function* () {
  const { storeTimeoutMillis } = yield* Settings
  const context = yield* Effect.context()
  const pending: Array<PendingSettlement> = []
  const countPending = (): void => waitingSettlements.updateUnsafe(pending.length, context)
  const hasPending = yield* Latch.make()
  const isSettled = yield* Latch.make(true)
  /** A single failed call is repeated at once, without a warning. */
  let hasWaited = false

  const settleNext = Effect.fnUntraced(function* ({ ending, onEnded }: PendingSettlement) {
    const exit = yield* Effect.exit(Effect.uninterruptible(ending))
    if (Exit.isFailure(exit) && findStoreUnavailable(exit.cause) !== undefined) {
      hasWaited = true
      return yield* Effect.sleep(retryMillis)
    }
    pending.shift()
    countPending()
    if (Exit.isFailure(exit)) return yield* logLapse(exit.cause)
    yield* Effect.catchCause(onEnded, (cause) =>
      Effect.logError("What a settled reservation has spent could not be recorded", cause)
    )
  })
  const settleAll = Effect.gen(function* () {
    hasPending.closeUnsafe()
    for (let next = pending[0]; next !== undefined; next = pending[0]) yield* settleNext(next)
    isSettled.openUnsafe()
    if (!hasWaited) return
    hasWaited = false
    yield* Effect.logInfo("the settlements that waited for the storage are done")
  })
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(hasPending.await, settleAll)))
  // Runs before the fiber is interrupted.
  yield* Effect.addFinalizer(() =>
    Effect.flatMap(
      Effect.timeoutOption(Effect.interruptible(isSettled.await), storeTimeoutMillis),
      () =>
        pending.length === 0
          ? Effect.void
          : Effect.logError(
              `${pending.length} reservations could not be settled before the instance closed, and will lapse into full charges`
            )
    )
  )
  return (settlement) => {
    pending.push(settlement)
    countPending()
    isSettled.closeUnsafe()
    hasPending.openUnsafe()
  }
})

/** Says that a reservation cannot be ended. */
export const logLapse = (cause: Cause.Cause<unknown>): Effect.Effect<void> =>
  Effect.logError("A reservation could not be settled and will lapse into a charge", cause)

const retryMillis = 1_000
