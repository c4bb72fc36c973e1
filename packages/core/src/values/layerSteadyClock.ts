/** Stands in for the clock of a layer that only measures durations. Its time of day never jumps. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SteadyTime } from "./SteadyTime.ts"

const nanosPerMilli = 1_000_000n

const makeSteadyClock = (clock: Clock.Clock): Clock.Clock => {
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

export const layerSteadyClock: Layer.Layer<never> = Layer.effect(
  Clock.Clock,
  Effect.map(Clock.Clock, makeSteadyClock)
)
