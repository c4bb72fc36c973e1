/** How the verbs of a store end that cannot do what they are asked. */
import { Settings, StoreUnavailable } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

/**
 * Dies with `StoreUnavailable` of what may pass, and of what is a bug with the error itself. A savepoint that
 * cannot be gone back to, because its connection is lost, is a defect already.
 */
export const orUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, never, R> => effect.pipe(Effect.catch(die), Effect.catchDefect(die))

/** The same, and no later than `Settings.storeDeadlineMillis`. */
export const inTime = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, never, R> =>
  orUnavailable(bounded(effect))

export const bounded = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Settings, ({ storeDeadlineMillis }) =>
    Effect.timeoutOrElse(effect, {
      duration: storeDeadlineMillis,
      orElse: () => late(storeDeadlineMillis)
    })
  )

const late = (millis: number): Effect.Effect<never> =>
  Effect.die(new StoreUnavailable({ cause: new Error(`no answer in ${millis} ms`) }))

export const die = (error: unknown): Effect.Effect<never> =>
  Effect.die(isSqlError(error) && mayPass(error) ? new StoreUnavailable({ cause: error }) : error)

/** The database is away, busy, full or being shut down; what is asked of it is right. */
const mayPass = ({ reason }: SqlError): boolean => {
  if (reason.isRetryable || reason._tag === "AuthenticationError") return true
  const { cause } = reason
  if (typeof cause !== "object" || cause === null) return false
  if ("code" in cause && typeof cause.code === "string" && /^(?:53|57P|58)/.test(cause.code)) {
    return true
  }
  return "errcode" in cause && sqliteFaults.has(Number(cause.errcode) & 0xff)
}

/** Read only, input or output, full. */
const sqliteFaults: ReadonlySet<number> = new Set([8, 10, 13])
