import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { startTimer } from "../../src/values/startTimer.ts"

describe("startTimer", () => {
  it.effect("fires once, when its time has come", () =>
    Effect.gen(function* () {
      let fired = 0
      startTimer(yield* Clock.Clock, 1_000, () => fired++)
      yield* TestClock.adjust(999)
      expect(fired).toBe(0)
      yield* TestClock.adjust(1)
      expect(fired).toBe(1)
      yield* TestClock.adjust(10_000)
      expect(fired).toBe(1)
    })
  )

  it.effect("does not fire once it is stopped", () =>
    Effect.gen(function* () {
      let fired = 0
      const timer = startTimer(yield* Clock.Clock, 1_000, () => fired++)
      timer.stop()
      timer.stop()
      yield* TestClock.adjust(10_000)
      expect(fired).toBe(0)
    })
  )

  it.live("runs on the clock of the system, and not in the same turn", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const order: Array<string> = []
      yield* Effect.callback<void>((resume) => {
        startTimer(clock, 0, () => {
          order.push("fired")
          resume(Effect.void)
        })
        order.push("started")
      })
      expect(order).toEqual(["started", "fired"])
    })
  )

  it.live("waits for ever when its time is infinite", () =>
    Effect.gen(function* () {
      let fired = 0
      const timer = startTimer(yield* Clock.Clock, Infinity, () => fired++)
      yield* Effect.sleep(5)
      timer.stop()
      expect(fired).toBe(0)
    })
  )
})
