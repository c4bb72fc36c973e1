import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { layerBoundedRateLimitStore } from "../../../../src/tenants/auth/rateLimits/boundedRateLimitStore.ts"
import { RateLimitStore } from "../../../../src/tenants/auth/rateLimits/RateLimitStore.ts"
import * as Settings from "../../../../src/instance/Settings.ts"
import { withJumps } from "../../../withJumps.ts"

/** A store that can hang, and a record of its calls. */
const frozenAtWill = () => {
  const state = { isFrozen: false, asked: 0 }
  const store = Layer.mock(RateLimitStore, {
    take: () =>
      Effect.suspend(() => (state.asked++, state.isFrozen ? Effect.never : Effect.succeed(0)))
  })
  const settings = Settings.layer({ rateLimitTimeoutMillis: 100, rateLimitRetryMillis: 1_000 })
  return { state, layer: layerBoundedRateLimitStore.pipe(Layer.provide([store, settings])) }
}

const take = RateLimitStore.use((store) => store.take("ada", { requests: 1, windowMillis: 1 }))

const crowd = Effect.all(
  Array.from({ length: 20 }, () => Effect.result(take)),
  { concurrency: "unbounded" }
)

describe("boundedRateLimitStore", () => {
  it.effect("delays no request beyond the timeout", () => {
    const { layer, state } = frozenAtWill()
    return Effect.gen(function* () {
      state.isFrozen = true
      const waiting = yield* Effect.forkChild(crowd)
      yield* TestClock.adjust(99)
      assert.isUndefined(waiting.pollUnsafe())
      yield* TestClock.adjust(1)
      const waited = yield* Fiber.join(waiting)
      assert.isTrue(waited.every(({ _tag }) => _tag === "Failure"))
      const { problem } = yield* Effect.flip(take)
      assert.include(problem, "open")
      assert.strictEqual(yield* Clock.currentTimeMillis, 100)
    }).pipe(Effect.provide(layer))
  })

  it.effect(
    "probes a hanging store with one request at a time, and uses it again once it answers",
    () => {
      const { layer, state } = frozenAtWill()
      return Effect.gen(function* () {
        state.isFrozen = true
        const first = yield* Effect.forkChild(Effect.flip(take))
        yield* TestClock.adjust(100)
        assert.strictEqual((yield* Fiber.join(first)).problem, "no answer in 100 ms")
        yield* crowd
        assert.strictEqual(state.asked, 1)
        yield* TestClock.adjust(1_000)
        const second = yield* Effect.forkChild(crowd)
        yield* TestClock.adjust(100)
        yield* Fiber.join(second)
        assert.strictEqual(state.asked, 2)
        state.isFrozen = false
        yield* TestClock.adjust(1_000)
        assert.strictEqual(yield* take, 0)
        yield* crowd
        assert.strictEqual(state.asked, 23)
      }).pipe(Effect.provide(layer))
    }
  )

  it.effect.each([
    ["forward", 86_400_000],
    ["back", -86_400_000]
  ] as const)(
    "neither probes a hanging store early nor leaves it alone when the clock jumps a day %s",
    ([, jump]) =>
      Effect.gen(function* () {
        const { layer, state } = frozenAtWill()
        const clock = withJumps(yield* Clock.Clock)
        yield* Effect.gen(function* () {
          state.isFrozen = true
          const first = yield* Effect.forkChild(Effect.flip(take))
          yield* TestClock.adjust(100)
          yield* Fiber.join(first)
          state.isFrozen = false
          clock.jump(jump)
          yield* Effect.flip(take)
          assert.strictEqual(state.asked, 1)
          yield* TestClock.adjust(1_000)
          assert.strictEqual(yield* take, 0)
        }).pipe(Effect.provide(layer), Effect.provideService(Clock.Clock, clock))
      })
  )
})
