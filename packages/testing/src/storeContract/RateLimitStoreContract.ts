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

const tokenLimit = { tokens: 100, windowMillis: 60_000 }

const takeTokens = (key: string, tokens: number, limit = tokenLimit) =>
  RateLimitStore.use((store) => store.takeTokens(key, limit, tokens))

/** The sum of what it counts here and, at the same time, in the other process. */
const runInBoth = <E>(
  count: Effect.Effect<number, E, RateLimitStore>,
  other: Layer.Layer<RateLimitStore, unknown> | undefined
) =>
  Effect.map(
    Effect.all(
      other === undefined ? [count] : [count, Effect.provide(count, other, { local: true })],
      { concurrency: "unbounded" }
    ),
    (counts) => counts.reduce((sum, each) => sum + each, 0)
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

    it("says what is left of a window, and takes nothing of it", () =>
      run(
        Effect.gen(function* () {
          const { readWindow } = yield* RateLimitStore
          const key = makeKey()
          const limit = { requests: 3, windowMillis: 60_000 }
          const all = { left: 3, endsInMillis: 0 }
          assert.deepStrictEqual(yield* readWindow(key, limit), all)
          assert.strictEqual(yield* take(key, 3, 60_000), 0)
          for (let i = 0; i < 5; i++) {
            const { endsInMillis, left } = yield* readWindow(key, limit)
            assert.strictEqual(left, 2)
            assert.isTrue(endsInMillis > 10_000 && endsInMillis <= 20_000, `in ${endsInMillis} ms`)
          }
          for (let i = 0; i < 2; i++) assert.strictEqual(yield* take(key, 3, 60_000), 0)
          const { endsInMillis, left } = yield* readWindow(key, limit)
          assert.strictEqual(left, 0)
          assert.isTrue(endsInMillis > 50_000 && endsInMillis <= 60_000, `in ${endsInMillis} ms`)
          assert.strictEqual((yield* readWindow(key, { ...limit, requests: 2 })).left, 0)
          assert.deepStrictEqual(yield* readWindow(makeKey(), limit), all)
        })
      ))

    it("says that all of a window is left once it has ended", () =>
      run(
        Effect.gen(function* () {
          const { readWindow } = yield* RateLimitStore
          const key = makeKey()
          const limit = { requests: 1, windowMillis: 300 }
          assert.strictEqual(yield* take(key, 1, 300), 0)
          assert.strictEqual((yield* readWindow(key, limit)).left, 0)
          yield* advanceTime(301)
          assert.deepStrictEqual(yield* readWindow(key, limit), { left: 1, endsInMillis: 0 })
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

    it("takes tokens while there is room, then returns the time until there is", () =>
      run(
        Effect.gen(function* () {
          const key = makeKey()
          assert.strictEqual(yield* takeTokens(key, 60), 0)
          assert.strictEqual(yield* takeTokens(key, 40), 0)
          const wait = yield* takeTokens(key, 50)
          assert.isTrue(wait > 20_000 && wait <= 30_000, `waits ${wait} ms`)
          const long = yield* takeTokens(key, 100)
          assert.isTrue(long > 50_000 && long <= 60_000, `waits ${long} ms`)
        })
      ))

    it("has room for tokens again once the others have drained", () =>
      run(
        Effect.gen(function* () {
          const key = makeKey()
          const limit = { tokens: 100, windowMillis: 400 }
          assert.strictEqual(yield* takeTokens(key, 100, limit), 0)
          const wait = yield* takeTokens(key, 50, limit)
          assert.isTrue(wait > 0 && wait <= 200, `waits ${wait} ms`)
          yield* advanceTime(wait + 1)
          assert.strictEqual(yield* takeTokens(key, 50, limit), 0)
        })
      ))

    it("takes more tokens than the limit where nothing is taken, and nothing beside them", () =>
      run(
        Effect.gen(function* () {
          const key = makeKey()
          assert.strictEqual(yield* takeTokens(key, 250), 0)
          const wait = yield* takeTokens(key, 1_000)
          assert.isTrue(wait > 140_000 && wait <= 150_000, `waits ${wait} ms`)
          const small = yield* takeTokens(key, 1)
          assert.isTrue(small > 80_000 && small <= 91_000, `waits ${small} ms`)
        })
      ))

    it("corrects the tokens that were taken, down to none", () =>
      run(
        Effect.gen(function* () {
          const { addTokens } = yield* RateLimitStore
          const key = makeKey()
          assert.strictEqual(yield* takeTokens(key, 100), 0)
          yield* addTokens(key, tokenLimit, -30)
          assert.strictEqual(yield* takeTokens(key, 25), 0)
          yield* addTokens(key, tokenLimit, 50)
          const wait = yield* takeTokens(key, 10)
          assert.isTrue(wait > 25_000 && wait <= 33_000, `waits ${wait} ms`)
          yield* addTokens(key, tokenLimit, -1_000)
          assert.strictEqual(yield* takeTokens(key, 100), 0)
          assert.isAbove(yield* takeTokens(key, 10), 0)
        })
      ))

    it("takes no tokens when it rejects", () =>
      run(
        Effect.gen(function* () {
          const key = makeKey()
          assert.strictEqual(yield* takeTokens(key, 80), 0)
          for (let i = 0; i < 5; i++) assert.isAbove(yield* takeTokens(key, 30), 0)
          assert.strictEqual(yield* takeTokens(key, 20), 0)
        })
      ))

    it("grants contested tokens only as far as there is room", () =>
      run(
        Effect.gen(function* () {
          const key = makeKey()
          const mine = Effect.map(
            Effect.all(
              Array.from({ length: 50 }, () => takeTokens(key, 10)),
              { concurrency: "unbounded" }
            ),
            (waits) => waits.filter((wait) => wait === 0).length
          )
          const taken = yield* runInBoth(mine, other)
          assert.strictEqual(taken, 10)
        })
      ))

    it("gives each slot to one holder, until it is given back", () =>
      run(
        Effect.gen(function* () {
          const store = yield* RateLimitStore
          const key = makeKey()
          const take = (slot: string) => store.takeSlot(key, slot, 2, 60_000)
          assert.deepStrictEqual(
            [yield* take("one"), yield* take("__proto__"), yield* take("three")],
            [true, true, false]
          )
          yield* store.releaseSlot(key, "__proto__")
          yield* store.releaseSlot(key, "__proto__")
          yield* store.releaseSlot(key, "unknown")
          assert.deepStrictEqual([yield* take("three"), yield* take("four")], [true, false])
          assert.isTrue(yield* store.takeSlot(makeKey(), "one", 1, 60_000))
        })
      ))

    it("takes a slot back from a holder that does not renew it", () =>
      run(
        Effect.gen(function* () {
          const store = yield* RateLimitStore
          const key = makeKey()
          assert.isTrue(yield* store.takeSlot(key, "dead", 2, 400))
          assert.isTrue(yield* store.takeSlot(key, "alive", 2, 400))
          yield* advanceTime(250)
          yield* store.renewSlot(key, "alive", 400)
          assert.isFalse(yield* store.takeSlot(key, "next", 2, 400))
          yield* advanceTime(200)
          assert.isTrue(yield* store.takeSlot(key, "next", 2, 400))
          assert.isFalse(yield* store.takeSlot(key, "another", 2, 400))
        })
      ))

    it("lets a holder keep the slot whose lease has ended", () =>
      run(
        Effect.gen(function* () {
          const store = yield* RateLimitStore
          const key = makeKey()
          assert.isTrue(yield* store.takeSlot(key, "late", 1, 50))
          yield* advanceTime(60)
          yield* store.renewSlot(key, "late", 60_000)
          assert.isFalse(yield* store.takeSlot(key, "next", 1, 60_000))
        })
      ))

    it("grants contested slots to exactly as many as there are", () =>
      run(
        Effect.gen(function* () {
          const key = makeKey()
          const mine = Effect.suspend(() =>
            Effect.map(
              Effect.all(
                Array.from({ length: 50 }, () =>
                  RateLimitStore.use((store) => store.takeSlot(key, crypto.randomUUID(), 7, 60_000))
                ),
                { concurrency: "unbounded" }
              ),
              (taken) => taken.filter((isTaken) => isTaken).length
            )
          )
          assert.strictEqual(yield* runInBoth(mine, other), 7)
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
          assert.strictEqual(yield* runInBoth(mine, other), 7)
        })
      ))
  })
}
