/** Turns SQL errors of store calls into defects, and gives every call a timeout. */
import { Settings, StoreUnavailable } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

/**
 * Dies with `StoreUnavailable` on a transient SQL error, and with the error itself otherwise, since that is
 * a bug. Other errors stay typed. Defects are mapped too: a rollback to a savepoint over a lost connection
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
      orElse: () =>
        Effect.die(
          new StoreUnavailable({ cause: new Error(`no answer in ${storeTimeoutMillis} ms`) })
        )
    })
  )

const dieUnavailable = (error: unknown): Effect.Effect<never> =>
  Effect.die(
    isSqlError(error) && isTransient(error) ? new StoreUnavailable({ cause: error }) : error
  )

export const isUniqueViolation = ({ reason }: SqlError): boolean =>
  reason._tag === "UniqueViolation"

/** Whether the database is unreachable, busy, full or shutting down, so that a retry may succeed. */
const isTransient = ({ reason }: SqlError): boolean => {
  if (reason.isRetryable || reason._tag === "AuthenticationError") return true
  const { cause } = reason
  if (typeof cause !== "object" || cause === null) return false
  // Classes of SQLSTATE: insufficient resources, operator intervention, system error.
  if ("code" in cause && typeof cause.code === "string" && /^(?:53|57P|58)/.test(cause.code)) {
    return true
  }
  return "errcode" in cause && transientSqliteCodes.has(Number(cause.errcode) & 0xff)
}

/** `SQLITE_READONLY`, `SQLITE_IOERR` and `SQLITE_FULL`. */
const transientSqliteCodes: ReadonlySet<number> = new Set([8, 10, 13])
