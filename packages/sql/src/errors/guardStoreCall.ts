/** Turns SQL errors of store calls into defects, and gives every call a timeout. */
import { Settings, StorageStatus, StoreUnavailable } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { findStoreFailure, NoAnswer } from "./findStoreFailure.ts"

/**
 * Dies with `StoreUnavailable` on an error of the storage (`storeFailures.ts`), and with the error itself otherwise, since
 * that is a bug. Other errors stay typed. Defects are mapped too: a rollback to a savepoint over a lost connection
 * dies.
 */
export const orDieUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError, R>
): Effect.Effect<A, Exclude<E, SqlError>, R> =>
  effect.pipe(Effect.catchIf(isSqlError, dieUnavailable), Effect.catchDefect(dieUnavailable))

/** `orDieUnavailable` that also dies with `StoreUnavailable` after `Settings.storeTimeoutMillis`. */
export const guardStoreCall = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError, R>
): Effect.Effect<A, Exclude<E, SqlError>, R> => orDieUnavailable(withStoreTimeout(effect))

const withStoreTimeout = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Settings, ({ storeTimeoutMillis }) =>
    Effect.timeoutOrElse(effect, {
      duration: storeTimeoutMillis,
      orElse: () => Effect.die(new NoAnswer(storeTimeoutMillis))
    })
  )

/** The status is looked up only when a call fails. */
const dieUnavailable = (error: unknown): Effect.Effect<never> =>
  findStoreFailure(error) === undefined
    ? Effect.die(error)
    : Effect.flatMap(StorageStatus, ({ recordFailure }) =>
        Effect.die(
          new StoreUnavailable({
            cause: error,
            ...(recordFailure(error) ? { isLogged: true } : undefined)
          })
        )
      )

export const isUniqueViolation = ({ reason }: SqlError): boolean =>
  reason._tag === "UniqueViolation"
