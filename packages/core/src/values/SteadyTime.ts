/**
 * A time of day that never jumps: the time at its start plus the monotonic time since. Changes of the system clock do
 * not affect it.
 */
import type * as Clock from "effect/Clock"
import { readMonotonicMillis } from "./readMonotonicMillis.ts"

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
