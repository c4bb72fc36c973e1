/** The time of a simulation. */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

interface VirtualClock extends Clock.Clock {
  /** Sets the time, in milliseconds since the epoch. */
  readonly set: (at: number) => void
}

/** A clock that shows the time of a simulation. Nothing can wait on it. */
export const makeVirtualClock = (): VirtualClock => {
  let now = 0
  const toNanos = () => BigInt(Math.round(now * 1_000_000))
  return {
    set: (at) => {
      now = at
    },
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanosUnsafe: toNanos,
    currentTimeNanos: Effect.sync(toNanos),
    monotonicTimeNanosUnsafe: toNanos,
    monotonicTimeNanos: Effect.sync(toNanos),
    sleep: () => Effect.die(new Error("a simulation has no timers"))
  }
}
