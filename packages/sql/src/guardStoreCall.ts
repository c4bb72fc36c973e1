/** How the verbs of a store end that cannot do what they are asked. */
import { Settings, StoreUnavailable } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

/**
 * Dies with `StoreUnavailable` of what may pass, and of what is a bug with the error itself. A savepoint that
 * cannot be gone back to, because its connection is lost, is a defect already.
 */
export const orDieUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, never, R> =>
  effect.pipe(Effect.catch(dieUnavailable), Effect.catchDefect(dieUnavailable))

/** The same, and no later than `Settings.storeTimeoutMillis`. */
export const guardStoreCall = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, never, R> => orDieUnavailable(withStoreTimeout(effect))

export const withStoreTimeout = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Settings, ({ storeTimeoutMillis }) =>
    Effect.timeoutOrElse(effect, {
      duration: storeTimeoutMillis,
      orElse: () => dieTimedOut(storeTimeoutMillis)
    })
  )

const dieTimedOut = (millis: number): Effect.Effect<never> =>
  Effect.die(new StoreUnavailable({ cause: new Error(`no answer in ${millis} ms`) }))

export const dieUnavailable = (error: unknown): Effect.Effect<never> =>
  Effect.die(
    isSqlError(error) && isTransient(error) ? new StoreUnavailable({ cause: error }) : error
  )

/** The database is away, busy, full or being shut down; what is asked of it is right. */
const isTransient = ({ reason }: SqlError): boolean => {
  if (reason.isRetryable || reason._tag === "AuthenticationError") return true
  const { cause } = reason
  if (typeof cause !== "object" || cause === null) return false
  if ("code" in cause && typeof cause.code === "string" && /^(?:53|57P|58)/.test(cause.code)) {
    return true
  }
  return "errcode" in cause && transientSqliteCodes.has(Number(cause.errcode) & 0xff)
}

/** Read only, input or output, full. */
const transientSqliteCodes: ReadonlySet<number> = new Set([8, 10, 13])
