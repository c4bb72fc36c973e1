/**
 * A time of day that never jumps: the time at its start plus the monotonic time since. Changes of the system clock do
 * not affect it.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
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
