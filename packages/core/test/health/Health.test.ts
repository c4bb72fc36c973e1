import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { Health } from "../../src/health/Health.ts"
import type { Outcome } from "../../src/health/Outcome.ts"
import * as Settings from "../../src/Settings.ts"

const record = (endpoint: string, result: Outcome["result"]) =>
  Effect.gen(function* () {
    const health = yield* Health
    const at = yield* Clock.currentTimeMillis
    yield* health.record({ endpoint, startedAt: at, at, result, latencyMillis: 0 })
  })

const outages = Effect.map(
  Effect.flatMap(Health, ({ report }) => report),
  ({ endpoints }) => Object.keys(endpoints).filter((id) => endpoints[id]?.outage !== undefined)
)

describe("Health", () => {
  it.effect("names the endpoints that failed in half of the last seconds' attempts", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* outages, [])
      yield* record("a", "failure")
      yield* record("b", "success")
      yield* record("b", "failure")
      yield* record("c", "success")
      yield* record("c", "success")
      yield* record("c", "failure")
      assert.deepStrictEqual(yield* outages, ["a", "b"])
    }).pipe(Effect.provide(Health.layer))
  )

  it.effect("forgets an outage when the window has passed, and knows the next one", () =>
    Effect.gen(function* () {
      yield* record("a", "failure")
      yield* TestClock.adjust(29_999)
      assert.deepStrictEqual(yield* outages, ["a"])
      yield* TestClock.adjust(1_001)
      assert.deepStrictEqual(yield* outages, [])
      assert.deepStrictEqual(yield* outages, [])
      yield* record("a", "failure")
      assert.deepStrictEqual(yield* outages, ["a"])
    }).pipe(Effect.provide(Health.layer))
  )

  it.effect("forgives an endpoint that answers again", () =>
    Effect.gen(function* () {
      yield* record("a", "failure")
      yield* record("a", "success")
      assert.deepStrictEqual(yield* outages, ["a"])
      yield* record("a", "success")
      assert.deepStrictEqual(yield* outages, [])
      yield* record("a", "failure")
      assert.deepStrictEqual(yield* outages, ["a"])
    }).pipe(Effect.provide(Health.layer))
  )

  it.effect("hands out snapshots that stay as they are", () =>
    Effect.gen(function* () {
      const { snapshot } = yield* Health
      yield* record("a", "failure")
      const before = yield* snapshot(["a", "b"])
      yield* record("b", "failure")
      yield* TestClock.adjust(60_000)
      yield* snapshot(["a", "b"])
      assert.deepStrictEqual(Object.keys(before.endpoints), ["a"])
      assert.deepStrictEqual(before.endpoints["a"]?.outage, { failures: 1, of: 1 })
    }).pipe(Effect.provide(Health.layer))
  )

  it.effect("looks back as far as the settings say", () =>
    Effect.gen(function* () {
      yield* record("a", "failure")
      yield* TestClock.adjust(5_000)
      assert.deepStrictEqual(yield* outages, ["a"])
      yield* TestClock.adjust(1_000)
      assert.deepStrictEqual(yield* outages, [])
    }).pipe(
      Effect.provide(
        Health.layer.pipe(Layer.provide(Settings.layer({ outageWindowMillis: 5_000 })))
      )
    )
  )
})
