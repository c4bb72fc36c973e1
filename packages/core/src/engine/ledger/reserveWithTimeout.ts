/** Reserves within a timeout; a reservation that comes too late is released. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { Reservation } from "./Ledger.ts"

/**
 * Returns none when `reserve` takes longer than `millis`. `reserve` itself is not interrupted, because the state of the
 * store would be unknown: it runs on in `scope`, which releases a late reservation. Call it in an uninterruptible
 * region, so that the reservation cannot get lost; `restore` makes the wait interruptible.
 */
export const reserveWithTimeout = <E>(
  reserve: Effect.Effect<Reservation | undefined, E>,
  millis: number,
  restore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>,
  scope: Scope.Scope,
  release: (reservation: Reservation) => Effect.Effect<void>
): Effect.Effect<Option.Option<Reservation | undefined>, E> =>
  Effect.flatMap(Effect.forkIn(reserve, scope, detachedOptions), (fiber) => {
    const done = fiber.pollUnsafe()
    if (done !== undefined) return Effect.asSome(done)
    return Effect.onExit(restore(Effect.timeoutOption(Fiber.join(fiber), millis)), (exit) =>
      Exit.isSuccess(exit) && Option.isSome(exit.value)
        ? Effect.void
        : Effect.forkIn(releaseWhenReserved(fiber, release), scope, detachedOptions)
    )
  })

const detachedOptions = { startImmediately: true, uninterruptible: true } as const

const releaseWhenReserved = <E>(
  fiber: Fiber.Fiber<Reservation | undefined, E>,
  release: (reservation: Reservation) => Effect.Effect<void>
) =>
  Effect.flatMap(Fiber.await(fiber), (exit) =>
    Exit.isSuccess(exit) && exit.value !== undefined ? release(exit.value) : Effect.void
  )
