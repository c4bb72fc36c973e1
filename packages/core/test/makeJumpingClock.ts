/** A clock that runs on, and jumps on demand. Effects cannot sleep on it. */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { withJumps } from "./withJumps.ts"

export const makeJumpingClock = (start = Date.parse("2026-11-20T12:00:00Z")) => {
  let passed = 0
  const toMillis = (): number => start + passed
  const toNanos = (): bigint => toNano(toMillis())
  const toMonotonic = (): bigint => toNano(5_000 + passed)
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: toMillis,
    currentTimeMillis: Effect.sync(toMillis),
    currentTimeNanosUnsafe: toNanos,
    currentTimeNanos: Effect.sync(toNanos),
    monotonicTimeNanosUnsafe: toMonotonic,
    monotonicTimeNanos: Effect.sync(toMonotonic),
    sleep: () => Effect.die(new Error("nothing can wait on this clock"))
  }
  return Object.assign(withJumps(clock), {
    advance: (millis: number): void => {
      passed += millis
    }
  })
}

const toNano = (millis: number): bigint => BigInt(millis) * 1_000_000n
