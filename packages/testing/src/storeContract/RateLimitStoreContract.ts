/**
 * A test suite for implementations of `RateLimitStore`: no place is given twice, and windows have
 * their full length.
 */
import { RateLimitStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "vitest"
import { makeRunTest } from "./makeRunTest.ts"

export interface RateLimitStoreContractOptions {
  /** Advances the time of the store; default: `TestClock`. */
  readonly advanceTime?: (millis: number) => Effect.Effect<void>
  /** The same store for another process. */
  readonly other?: Layer.Layer<RateLimitStore, unknown>
}

/** A new key, with characters that callers may use. */
const makeKey = () => `key:["__proto__",\n"ä😀 {}*","${crypto.randomUUID()}"]:1000`

const take = (key: string, requests: number, windowMillis: number) =>
  RateLimitStore.use((store) => store.take(key, { requests, windowMillis }))

const takeAll = (keys: ReadonlyArray<string>, requests: number, windowMillis: number) =>
  Effect.map(
    Effect.forEach(keys, (key) => take(key, requests, windowMillis), { concurrency: "unbounded" }),
    (waits) => waits.filter((wait) => wait === 0).length
  )

/** Declares the tests in a vitest file: `RateLimitStoreContract("redis", layer, { elapse })`. */
export const RateLimitStoreContract = (
  implementation: string,
  layer: Layer.Layer<RateLimitStore, unknown>,
  { advanceTime = TestClock.adjust, other }: RateLimitStoreContractOptions = {}
): void => {
  const run = makeRunTest(layer)
  describe(`RateLimitStore: ${implementation}`, () => {
    it("grants the places of a window, then returns the time until it ends", () =>
      run(
        Effect.gen(function* () {
          const key = makeKey()
          for (let i = 0; i < 3; i++) assert.strictEqual(yield* take(key, 3, 60_000), 0)
          const wait = yield* take(key, 3, 60_000)
          assert.isTrue(wait > 50_000 && wait <= 60_000, `waits ${wait} ms`)
        })
      ))

    it("opens a new window when one has ended", () =>
      run(
        Effect.gen(function* () {
          const key = makeKey()
          assert.strictEqual(yield* take(key, 1, 500), 0)
          const wait = yield* take(key, 1, 500)
          assert.isTrue(wait > 0 && wait <= 500, `waits ${wait} ms`)
          yield* advanceTime(Math.ceil(wait))
          assert.strictEqual(yield* take(key, 1, 500), 0)
        })
      ))

    it("never rejects a caller who keeps to the rate", () =>
      run(
        Effect.gen(function* () {
          const key = makeKey()
          for (let i = 0; i < 6; i++) {
            assert.strictEqual(yield* take(key, 2, 100), 0)
            yield* advanceTime(51)
          }
        })
      ))

    it("keeps the window length with more places than milliseconds", () =>
      run(
        Effect.gen(function* () {
          const key = makeKey()
          const keys = Array.from({ length: 3000 }, () => key)
          assert.strictEqual(yield* takeAll(keys, 3000, 2000), 3000)
          const wait = yield* take(key, 3000, 2000)
          assert.isTrue(wait < 2001, `waits ${wait} ms`)
        })
      ))

    it("takes no place when it rejects", () =>
      run(
        Effect.gen(function* () {
          const key = makeKey()
          assert.strictEqual(yield* take(key, 1, 60_000), 0)
          for (let i = 0; i < 5; i++) assert.isAbove(yield* take(key, 1, 60_000), 0)
          assert.strictEqual(yield* take(key, 2, 60_000), 0)
        })
      ))

    it("counts each key separately", () =>
      run(
        Effect.gen(function* () {
          const keys = Array.from({ length: 50 }, makeKey)
          assert.strictEqual(yield* takeAll([...keys, ...keys], 1, 60_000), 50)
        })
      ))

    it("supports the longest possible window", () =>
      run(
        Effect.gen(function* () {
          const key = makeKey()
          assert.strictEqual(yield* take(key, 1, 2_678_400_000), 0)
          assert.isAbove(yield* take(key, 1, 2_678_400_000), 2_678_000_000)
        })
      ))

    it("grants a contested window to exactly as many as it has room for", () =>
      run(
        Effect.gen(function* () {
          const key = makeKey()
          const mine = takeAll(
            Array.from({ length: 50 }, () => key),
            7,
            60_000
          )
          const taken = yield* Effect.all(
            other === undefined ? [mine] : [mine, Effect.provide(mine, other, { local: true })],
            { concurrency: "unbounded" }
          )
          assert.strictEqual(
            taken.reduce((sum, count) => sum + count, 0),
            7
          )
        })
      ))
  })
}
