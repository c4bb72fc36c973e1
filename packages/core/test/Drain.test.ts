import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Drain } from "../src/Drain.ts"

const timeoutMillis = 1_000

/** A drain that has begun, and whether it is done. */
const startDrain = Effect.fnUntraced(function* (drain: Drain["Service"]) {
  const fiber = yield* Effect.forkChild(drain.drain(timeoutMillis), { startImmediately: true })
  return { fiber, isDone: () => fiber.pollUnsafe() !== undefined }
})

describe("Drain", () => {
  it.effect("counts a request out once, however often it leaves", () =>
    Effect.gen(function* () {
      const drain = yield* Drain
      const leaveFirst = drain.enter()
      const leaveSecond = drain.enter()
      leaveFirst?.()
      leaveFirst?.()
      assert.strictEqual(drain.running(), 1)
      const { fiber, isDone } = yield* startDrain(drain)
      leaveFirst?.()
      yield* Effect.yieldNow
      assert.isFalse(isDone())
      leaveSecond?.()
      yield* Fiber.join(fiber)
      leaveSecond?.()
      assert.strictEqual(drain.running(), 0)
    }).pipe(Effect.provide(Drain.layer))
  )

  it.effect("lets nobody in from the moment it begins, and is done when the last one leaves", () =>
    Effect.gen(function* () {
      const drain = yield* Drain
      const leave = drain.enter()
      assert.isFalse(drain.isDraining())
      const { fiber, isDone } = yield* startDrain(drain)
      assert.isTrue(drain.isDraining())
      assert.isUndefined(drain.enter())
      yield* TestClock.adjust(timeoutMillis - 1)
      assert.isFalse(isDone())
      leave?.()
      yield* Fiber.join(fiber)
      // A second one has nobody to wait for.
      yield* drain.drain(timeoutMillis)
    }).pipe(Effect.provide(Drain.layer))
  )

  it.effect(
    "tells who speaks that the deadline has passed, and waits a second for the last words",
    () =>
      Effect.gen(function* () {
        const drain = yield* Drain
        const leave = drain.enter()
        drain.enter()
        let told = 0
        const fallSilent = drain.onTimeout(() => void told++)
        drain.onTimeout(() => void told++)
        const hung = yield* Effect.forkIn(Effect.never, drain.scope)
        fallSilent()
        const { fiber, isDone } = yield* startDrain(drain)
        yield* TestClock.adjust(timeoutMillis - 1)
        assert.strictEqual(told, 0)
        yield* TestClock.adjust(1)
        assert.strictEqual(told, 1)
        // Who begins to speak late is told at once.
        drain.onTimeout(() => void told++)
        assert.strictEqual(told, 2)
        leave?.()
        yield* TestClock.adjust(999)
        assert.isFalse(isDone())
        assert.isUndefined(hung.pollUnsafe())
        yield* TestClock.adjust(1)
        yield* Fiber.join(fiber)
        assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(hung)))
      }).pipe(Effect.provide(Drain.layer))
  )

  it.effect("waits for the deadline and no longer", () =>
    Effect.gen(function* () {
      const drain = yield* Drain
      drain.enter()
      const { fiber, isDone } = yield* startDrain(drain)
      yield* TestClock.adjust(timeoutMillis - 1)
      assert.isFalse(isDone())
      yield* TestClock.adjust(1)
      yield* Fiber.join(fiber)
      assert.strictEqual(drain.running(), 1)
    }).pipe(Effect.provide(Drain.layer))
  )
})
