import { assert, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { EventLoopDelay } from "../../../src/domains/fleet/EventLoopDelay.ts"

it("has the longest delay of this time and of the one before", () => {
  const delay = new EventLoopDelay()
  assert.strictEqual(delay.millis, 0)
  delay.add(30)
  delay.add(700)
  delay.add(20)
  assert.strictEqual(delay.millis, 700)
  delay.turn()
  delay.add(50)
  assert.strictEqual(delay.millis, 700)
  delay.turn()
  assert.strictEqual(delay.millis, 50)
  delay.turn()
  assert.strictEqual(delay.millis, 0)
})

it.effect("is nothing while timers fire in time", () =>
  Effect.gen(function* () {
    const delay = new EventLoopDelay()
    const clock = yield* Clock.Clock
    yield* Effect.forkChild(delay.watch(() => clock.currentTimeMillisUnsafe()))
    yield* TestClock.adjust(10_000)
    assert.strictEqual(delay.millis, 0)
  })
)

it.effect("is by how much a timer is late", () =>
  Effect.gen(function* () {
    const delay = new EventLoopDelay()
    const clock = yield* Clock.Clock
    /** The time that timers do not know of. */
    let heldUp = 0
    yield* Effect.forkChild(delay.watch(() => clock.currentTimeMillisUnsafe() + heldUp))
    yield* TestClock.adjust(300)
    heldUp = 450
    yield* TestClock.adjust(200)
    assert.strictEqual(delay.millis, 450)
  })
)
