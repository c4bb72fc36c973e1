/** Logs failures of the database in few lines, even if many calls fail. */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { FoundFailure } from "../errors/findStoreFailure.ts"
import { toErrorAdvice } from "../errors/toErrorAdvice.ts"

/** A call that failed, and what that means. */
export interface FailedCall {
  readonly error: unknown
  readonly failure: FoundFailure
}

export class StorageLog {
  readonly #clock: Clock.Clock
  /** When a failure that is no outage was logged, in monotonic milliseconds, by its reason. */
  readonly #loggedAt = new Map<string, number>()
  /** Reasons of the present outage. */
  readonly #reasons = new Set<string>()

  constructor(clock: Clock.Clock) {
    this.#clock = clock
  }

  /** Whether a failure that is no outage would be logged: not within a minute of another one with the same reason. */
  isDue(failure: FoundFailure): boolean {
    const last = this.#loggedAt.get(toReason(failure))
    return last === undefined || readMonotonicMillis(this.#clock) - last >= logMillis
  }

  /** Logs a failure that is no outage, if it is due. */
  readonly logFailure = ({ error, failure }: FailedCall): Effect.Effect<void> => {
    if (!this.isDue(failure)) return Effect.void
    const reason = toReason(failure)
    this.#loggedAt.set(reason, readMonotonicMillis(this.#clock))
    return Effect.logWarning(
      `calls to the storage fail, which is said once a minute: ${reason}`,
      toErrorAdvice(error)
    )
  }

  /** Logs the start of an outage, and each further reason once: the end of the sessions is often the first of several. */
  logOutage({ error, failure }: FailedCall): Effect.Effect<void> {
    const reason = toReason(failure)
    if (this.#reasons.has(reason)) return Effect.void
    const isStart = this.#reasons.size === 0
    this.#reasons.add(reason)
    return Effect.logError(
      isStart
        ? `the storage cannot be used, and requests that need it get 503: ${reason}`
        : `the storage still cannot be used: ${reason}`,
      toErrorAdvice(error)
    )
  }

  logRecovery(outageMillis: number): Effect.Effect<void> {
    this.#reasons.clear()
    return Effect.logInfo(
      `the storage can be used again, after ${Math.round(outageMillis / 1_000)} s`
    )
  }
}

export const toReason = ({ code, means }: FoundFailure): string =>
  code === undefined ? means : `${means} (${code})`

/** Milliseconds on the clock that does not jump, since an arbitrary moment. */
export const readMonotonicMillis = (clock: Clock.Clock): number =>
  Number(clock.monotonicTimeNanosUnsafe() / nanosPerMilli)

const nanosPerMilli = 1_000_000n
const logMillis = 60_000
