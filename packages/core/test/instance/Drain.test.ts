import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Drain } from "../../src/instance/Drain.ts"

const timeoutMillis = 1_000

/** Starts a drain. */
const startDrain = Effect.fnUntraced(function* (drain: Drain["Service"]) {
  const fiber = yield* Effect.forkChild(drain.drain(timeoutMillis), { startImmediately: true })
  return { fiber, isDone: () => fiber.pollUnsafe() !== undefined }
})

describe("Drain", () => {
  it.effect("counts a request as ended once, however often it leaves", () =>
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

  it.effect("waits for a request that only looks, and does not count it", () =>
    Effect.gen(function* () {
      const drain = yield* Drain
      const leave = drain.enterAside()
      assert.strictEqual(drain.running(), 0)
      const { fiber, isDone } = yield* startDrain(drain)
      yield* Effect.yieldNow
      assert.isFalse(isDone())
      assert.isUndefined(drain.enterAside())
      leave?.()
      leave?.()
      yield* Fiber.join(fiber)
    }).pipe(Effect.provide(Drain.layer))
  )

  it.effect("rejects requests once it starts, and completes when the last one ends", () =>
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
      // A second drain completes at once.
      yield* drain.drain(timeoutMillis)
    }).pipe(Effect.provide(Drain.layer))
  )

  it.effect(
    "notifies listeners when the timeout has passed, and gives them a second to finish",
    () =>
      Effect.gen(function* () {
        const drain = yield* Drain
        const leave = drain.enter()
        drain.enter()
        let calls = 0
        const unsubscribe = drain.onTimeout(() => void calls++)
        drain.onTimeout(() => void calls++)
        const hung = yield* Effect.forkIn(Effect.never, drain.scope)
        unsubscribe()
        const { fiber, isDone } = yield* startDrain(drain)
        yield* TestClock.adjust(timeoutMillis - 1)
        assert.strictEqual(calls, 0)
        yield* TestClock.adjust(1)
        assert.strictEqual(calls, 1)
        // A late listener is called at once.
        drain.onTimeout(() => void calls++)
        assert.strictEqual(calls, 2)
        leave?.()
        yield* TestClock.adjust(999)
        assert.isFalse(isDone())
        assert.isUndefined(hung.pollUnsafe())
        yield* TestClock.adjust(1)
        yield* Fiber.join(fiber)
        assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(hung)))
      }).pipe(Effect.provide(Drain.layer))
  )

  it.effect("waits until the timeout and no longer", () =>
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
