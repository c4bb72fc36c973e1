/** A clock whose time of day never jumps, for code of others that takes durations from it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SteadyTime } from "./SteadyTime.ts"

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
