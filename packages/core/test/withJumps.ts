/** Makes a clock's time of day jump while its monotonic time and its timers go on. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"

/** `clock` is a plain object, such as a `TestClock`, whose other functions stay. */
export const withJumps = <C extends Clock.Clock>(
  clock: C
): C & { readonly jump: (millis: number) => void } => {
  let jumped = 0
  const toMillis = (): number => clock.currentTimeMillisUnsafe() + jumped
  const toNanos = (): bigint => clock.currentTimeNanosUnsafe() + BigInt(jumped) * 1_000_000n
  return Object.assign({}, clock, {
    currentTimeMillisUnsafe: toMillis,
    currentTimeMillis: Effect.sync(toMillis),
    currentTimeNanosUnsafe: toNanos,
    currentTimeNanos: Effect.sync(toNanos),
    jump: (millis: number) => {
      jumped += millis
    }
  })
}

/** What makes the clock of a test jump. */
export class Jumps extends Context.Service<Jumps, { readonly jump: (millis: number) => void }>()(
  "test/Jumps"
) {}

/** A test clock that can jump. */
export const layerJumpingTestClock: Layer.Layer<Jumps> = Layer.effectContext(
  Effect.map(Clock.Clock, (clock) => {
    const jumping = withJumps(clock)
    return Context.make(Jumps, jumping).pipe(Context.add(Clock.Clock, jumping))
  })
).pipe(Layer.provideMerge(TestClock.layer()))
