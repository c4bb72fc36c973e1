/** A timer that needs no fiber, for deadlines of requests. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import { minCoarseMillis, startCoarseTimer } from "./CoarseTimers.ts"

/** A timer that has been started. */
export interface Timer {
  /** A second time, or after the timer has fired, it does nothing. */
  readonly stop: () => void
}

/**
 * Calls `run` once when `millis` have passed, and never in the same turn. `clock` is the clock that effects sleep on: for a clock
 * other than the system's, such as a `TestClock`, a fiber sleeps on it. Timers of the system's clock for at least five seconds
 * may be a tenth of a second late (`CoarseTimers.ts`).
 */
export const startTimer = (clock: Clock.Clock, millis: number, run: () => void): Timer => {
  if (!Number.isFinite(millis)) return noTimer
  if (!isSystemClock(clock) || millis > maxTimeoutMillis) {
    const fiber = Effect.runFork(
      Effect.sleep(millis).pipe(
        Effect.andThen(Effect.sync(run)),
        Effect.provideService(Clock.Clock, clock)
      )
    )
    return { stop: () => fiber.interruptUnsafe() }
  }
  if (millis >= minCoarseMillis) return startCoarseTimer(millis, run)
  const timeout = setTimeout(run, millis)
  return { stop: () => clearTimeout(timeout) }
}

/** It has stopped, or never fires. */
export const noTimer: Timer = { stop: constVoid }

/** Whether its time and its timers are the system's. */
export const isSystemClock = (clock: Clock.Clock): boolean => clock === systemClock

const systemClock = Context.get(Context.empty(), Clock.Clock)

/** `setTimeout` fires at once when it is given more. */
const maxTimeoutMillis = 2 ** 31 - 1
