/**
 * A time of day that never jumps: the time at its start plus the monotonic time since. Changes of the system clock do
 * not affect it.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { isSystemClock } from "./startTimer.ts"

export class SteadyTime {
  /** The time of day at the start less the monotonic time, which turns one steady time into another. */
  readonly offset: number
  readonly #clock: Clock.Clock

  constructor(clock: Clock.Clock) {
    this.#clock = clock
    this.offset = clock.currentTimeMillisUnsafe() - readMonotonicMillis(clock)
  }

  /** Milliseconds since the epoch. Differences are durations, also when the system clock has jumped since the start. */
  now(): number {
    return readMonotonicMillis(this.#clock) + this.offset
  }

  /**
   * The difference to the system clock, in milliseconds; 0 while that has only been corrected a little, as clocks often
   * are.
   */
  getJump(now: number): number {
    const jump = this.#clock.currentTimeMillisUnsafe() - now
    return Math.abs(jump) > maxCorrectionMillis ? jump : 0
  }
}

const maxCorrectionMillis = 1_000

/**
 * Reads the clock for durations, which unlike the time of day never jumps, in whole milliseconds since an arbitrary
 * moment of this process; only differences mean something. A step of NTP, the end of a suspension and a migration of
 * the virtual machine change the time of day, and not this: see `CLOCK_MONOTONIC` in
 * https://man7.org/linux/man-pages/man2/clock_gettime.2.html and
 * https://developer.mozilla.org/docs/Web/API/Performance/now. `setTimeout` runs on the same clock.
 */
export const readMonotonicMillis = (clock: Clock.Clock): number =>
  // A whole number that is small enough needs no allocation.
  isSystemClock(clock)
    ? Math.floor(performance.now())
    : Number(clock.monotonicTimeNanosUnsafe() / nanosPerMilli)

/** A clock whose time of day never jumps, for code of others that takes durations from it. */
export const makeSteadyClock = (clock: Clock.Clock): Clock.Clock => {
  const time = new SteadyTime(clock)
  const toNanos = (): bigint => BigInt(time.now()) * nanosPerMilli
  return {
    currentTimeMillisUnsafe: () => time.now(),
    currentTimeMillis: Effect.sync(() => time.now()),
    currentTimeNanosUnsafe: toNanos,
    currentTimeNanos: Effect.sync(toNanos),
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration)
  }
}

/** In place of the clock of a layer that only measures durations. */
export const layerSteadyClock: Layer.Layer<never> = Layer.effect(
  Clock.Clock,
  Effect.map(Clock.Clock, makeSteadyClock)
)

const nanosPerMilli = 1_000_000n
