import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { AffinityPins } from "../../../src/routing/affinity/AffinityPins.ts"
import * as Settings from "../../../src/instance/Settings.ts"

describe("AffinityPins", () => {
  it.effect("keeps the most recently used, and drops what has expired", () =>
    Effect.gen(function* () {
      const pins = yield* AffinityPins
      for (let key = 0; key < 5; key++) pins.pin(key, "a/b@one")
      assert.strictEqual(pins.size(), 3)
      assert.deepStrictEqual([1, 2, 3, 4].map(pins.find), [
        undefined,
        "a/b@one",
        "a/b@one",
        "a/b@one"
      ])
      pins.pin(2, "a/b@two")
      pins.pin(9, "a/b@one")
      assert.deepStrictEqual([2, 3, 9].map(pins.find), ["a/b@two", undefined, "a/b@one"])
      pins.pin(9, undefined)
      assert.strictEqual(pins.size(), 2)
      yield* TestClock.adjust("10 minutes")
      assert.isUndefined(pins.find(2))
      pins.pin(5, "a/b@one")
      assert.strictEqual(pins.size(), 1)
      yield* TestClock.setTime(0)
      assert.strictEqual(pins.find(5), "a/b@one")
      yield* TestClock.adjust("10 minutes")
      assert.isUndefined(pins.find(5))
    }).pipe(
      Effect.provide(AffinityPins.layer.pipe(Layer.provide(Settings.layer({ affinityKept: 3 }))))
    )
  )

  it.effect("counts the requests under way of each conversation, and forgets those of none", () =>
    Effect.gen(function* () {
      const pins = yield* AffinityPins
      for (const key of [1, 1, 2]) pins.begin(key)
      assert.deepStrictEqual([1, 2, 3].map(pins.countUnderWay), [2, 1, 0])
      for (const key of [1, 2]) pins.end(key)
      assert.deepStrictEqual([1, 2, 3].map(pins.countUnderWay), [1, 0, 0])
    }).pipe(Effect.provide(AffinityPins.layer))
  )
})
