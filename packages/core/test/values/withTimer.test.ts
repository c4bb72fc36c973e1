import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { withTimer } from "../../src/values/withTimer.ts"

class Name extends Context.Service<Name, string>()("Name") {}

const timedOut = () => Exit.fail("timed out")

const runFor = Effect.fnUntraced(function* <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  millis: number,
  onTimeout: () => Exit.Exit<A, string> | number = timedOut
) {
  const clock = yield* Clock.Clock
  return yield* Effect.forkChild(withTimer(effect, clock, millis, { onTimeout }), {
    startImmediately: true
  })
})

describe("withTimer", () => {
  it.effect("returns the result of the effect, which sees the services of its caller", () =>
    Effect.gen(function* () {
      const fiber = yield* runFor(Effect.delay(Name, 999), 1_000)
      yield* TestClock.adjust(999)
      assert.strictEqual(yield* Fiber.join(fiber), "ada")
      const failing = yield* runFor(Effect.fail("why"), 1_000)
      assert.strictEqual(yield* Effect.flip(Fiber.join(failing)), "why")
    }).pipe(Effect.provideService(Name, "ada"))
  )

  it.effect("interrupts the effect at the timeout, and waits until it has ended", () =>
    Effect.gen(function* () {
      let hasEnded = false
      const release = Effect.andThen(
        Effect.sleep(500),
        Effect.sync(() => (hasEnded = true))
      )
      const fiber = yield* runFor(
        Effect.onInterrupt(Effect.never, () => release),
        1_000
      )
      yield* TestClock.adjust(1_000)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(500)
      assert.strictEqual(yield* Effect.flip(Fiber.join(fiber)), "timed out")
      assert.isTrue(hasEnded)
    })
  )

  it.effect("went on to ask after what a timeout began had ended the effect", () =>
    Effect.gen(function* () {
      let asked = 0
      const ended = yield* Deferred.make<string>()
      const fiber = yield* runFor(Deferred.await(ended), 1_000, () => {
        asked++
        Deferred.doneUnsafe(ended, Effect.succeed("early"))
        return 1_000
      })
      yield* TestClock.adjust(5_000)
      assert.strictEqual(yield* Fiber.join(fiber), "early")
      assert.strictEqual(asked, 1)
    })
  )

  it.effect("goes on for as long as a timeout says", () =>
    Effect.gen(function* () {
      const extensions = [300, 200]
      const fiber = yield* runFor(Effect.never, 1_000, () => extensions.shift() ?? timedOut())
      yield* TestClock.adjust(1_499)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* Effect.flip(Fiber.join(fiber)), "timed out")
    })
  )

  it.effect("interrupts the effect with its caller, and stops the timer", () =>
    Effect.gen(function* () {
      let timeouts = 0
      let interruptions = 0
      const fiber = yield* runFor(
        Effect.onInterrupt(Effect.never, () => Effect.sync(() => interruptions++)),
        1_000,
        () => {
          timeouts++
          return timedOut()
        }
      )
      yield* Fiber.interrupt(fiber)
      const exit = yield* Fiber.await(fiber)
      assert.isTrue(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
      yield* TestClock.adjust(5_000)
      assert.deepStrictEqual({ timeouts, interruptions }, { timeouts: 0, interruptions: 1 })
    })
  )
})
