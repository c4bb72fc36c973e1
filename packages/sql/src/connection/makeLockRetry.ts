/** Waits for the lock of a SQLite file. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { SqlError } from "effect/sql/SqlError"

export interface LockRetry {
  /** Called when its result is due. */
  <A>(attempt: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError>
  /** Notices that a statement could take the lock. */
  readonly recordSuccess: (statement: string) => void
}

/**
 * Retries while another connection writes. The busy timeout of SQLite would block the whole process, which
 * may be the one that has to end the other transaction. Once a call has waited in vain, none waits until one has written,
 * because all would stand in line for the only connection, those that read included. Keeps the clock it was made with, so that a
 * `TestClock` does not stop it.
 */
export const makeLockRetry = Effect.fnUntraced(function* (lockWaitMillis: number) {
  const clock = yield* Clock.Clock
  let isHeld = false
  const policy = {
    while: isLocked,
    schedule: Schedule.spaced(lockRetryMillis),
    times: Math.ceil(lockWaitMillis / lockRetryMillis)
  }
  const recordLock = (error: SqlError): Effect.Effect<void> =>
    Effect.sync(() => {
      if (isLocked(error)) isHeld = true
    })
  const retryWhileLocked = <A>(attempt: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> =>
    isHeld
      ? attempt
      : Effect.retry(attempt, policy).pipe(
          Effect.tapError(recordLock),
          Effect.provideService(Clock.Clock, clock)
        )
  return Object.assign(retryWhileLocked, {
    recordSuccess: (statement: string) => {
      if (isHeld && !isRead.test(statement)) isHeld = false
    }
  })
})

/** Statements that need no lock of others, as far as this matters. */
const isRead = /^\s*(?:SELECT|PRAGMA|WITH)\b/i

const isLocked = ({ reason }: SqlError): boolean => reason._tag === "LockTimeoutError"

const lockRetryMillis = 10
