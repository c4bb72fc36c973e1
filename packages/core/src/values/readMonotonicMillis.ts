/** The clock for durations: unlike the time of day, it never jumps. */
import type * as Clock from "effect/Clock"
import { isSystemClock } from "./startTimer.ts"

/**
 * Whole milliseconds since an arbitrary moment of this process; only differences mean something. A step of NTP, the end of
 * a suspension and a migration of the virtual machine change the time of day, and not this: see `CLOCK_MONOTONIC` in
 * https://man7.org/linux/man-pages/man2/clock_gettime.2.html and
 * https://developer.mozilla.org/docs/Web/API/Performance/now. `setTimeout` runs on the same clock.
 */
export const readMonotonicMillis = (clock: Clock.Clock): number =>
  // A whole number that is small enough needs no allocation.
  isSystemClock(clock)
    ? Math.floor(performance.now())
    : Number(clock.monotonicTimeNanosUnsafe() / nanosPerMilli)

const nanosPerMilli = 1_000_000n
