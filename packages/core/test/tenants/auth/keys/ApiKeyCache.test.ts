import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as ApiKey from "../../../../src/tenants/auth/keys/ApiKey.ts"
import { ApiKeyStore } from "../../../../src/tenants/auth/keys/ApiKeyStore.ts"
import { ApiKeyCache } from "../../../../src/tenants/auth/keys/ApiKeyCache.ts"
import { type Invalidation, ChangeFeed } from "../../../../src/instance/ChangeFeed.ts"
import * as Settings from "../../../../src/instance/Settings.ts"
import { KeyHash, defaultAccountId, defaultWorkspaceId } from "../../../../src/values/ids/Ids.ts"

const hash = (digit: string): KeyHash => KeyHash.make(digit.repeat(64))
const key = (digit: string): ApiKey.ApiKey =>
  ApiKey.make(
    { account: defaultAccountId, workspace: defaultWorkspaceId, kind: "organization" },
    { secret_hash: hash(digit), label: "***" },
    "2026-11-01T00:00:00.000Z",
    { name: "a key" }
  )

/** A store with keys a and b. It records its lookups, and waits for `gate` if there is one. */
const makeStore = (settings: Partial<Settings.SettingsShape> = {}) => {
  const rows = new Map(["a", "b"].map((digit) => [hash(digit), key(digit)]))
  const queried: Array<string> = []
  const state: { gate?: Deferred.Deferred<void> } = {}
  const layer = ApiKeyCache.layer.pipe(
    Layer.provide(
      Layer.mock(ApiKeyStore, {
        findBySecretHash: (secret) =>
          Effect.suspend(() => {
            queried.push(secret.charAt(0))
            const row = rows.get(secret)
            return state.gate === undefined
              ? Effect.succeed(row)
              : Effect.as(Deferred.await(state.gate), row)
          })
      })
    ),
    Layer.provide(
      Settings.layer({ keyCacheTtlMillis: 1_000, unknownKeyCacheTtlMillis: 2_000, ...settings })
    )
  )
  return { rows, queried, state, layer }
}

const find = (digit: string) =>
  ApiKeyCache.use((known) => Effect.map(known.find(hash(digit)), (found) => found?.key))
const forget = (key: ApiKey.ApiKey) => ApiKeyCache.use((known) => known.invalidate(key))

describe("ApiKeyCache", () => {
  it.effect("looks up known and unknown keys once per cache lifetime", () => {
    const { queried, layer } = makeStore()
    return Effect.gen(function* () {
      for (let i = 0; i < 3; i++) {
        assert.deepStrictEqual(yield* find("a"), key("a"))
        assert.isUndefined(yield* find("c"))
      }
      assert.deepStrictEqual(queried, ["a", "c"])
      yield* TestClock.adjust(1_000)
      yield* find("a")
      yield* find("c")
      assert.deepStrictEqual(queried, ["a", "c", "a"])
      yield* TestClock.adjust(1_000)
      yield* find("c")
      assert.deepStrictEqual(queried, ["a", "c", "a", "c"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("looks up only invalidated keys again", () => {
    const { queried, layer, rows } = makeStore()
    return Effect.gen(function* () {
      yield* Effect.forEach(["a", "b", "c"], find)
      const disabled = { ...key("a"), disabled: true }
      rows.set(hash("a"), disabled).set(hash("c"), key("c"))
      yield* forget(disabled)
      yield* forget(key("c"))
      assert.deepStrictEqual(yield* find("a"), disabled)
      assert.deepStrictEqual(yield* find("c"), key("c"))
      yield* find("b")
      assert.deepStrictEqual(queried, ["a", "b", "c", "a", "c"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("invalidates the former secret of a key too", () => {
    const { layer, rows } = makeStore()
    return Effect.gen(function* () {
      yield* find("a")
      const rotated = ApiKey.rotate(
        key("a"),
        { secret_hash: hash("d"), label: "***" },
        "2026-11-01T00:00:00.000Z",
        "2026-11-01T00:01:00.000Z"
      )
      rows.delete(hash("a"))
      yield* forget(rotated)
      assert.isUndefined(yield* find("a"))
    }).pipe(Effect.provide(layer))
  })

  it.effect("looks up a key once for concurrent requests", () => {
    const { queried, layer, state } = makeStore()
    return Effect.gen(function* () {
      const gate = (state.gate = yield* Deferred.make<void>())
      const finding = yield* Effect.forEach(["a", "a", "a", "c", "c"], (digit) =>
        Effect.forkChild(find(digit), { startImmediately: true })
      )
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual(yield* Effect.forEach(finding, (fiber) => Fiber.join(fiber)), [
        key("a"),
        key("a"),
        key("a"),
        undefined,
        undefined
      ])
      assert.deepStrictEqual(queried, ["a", "c"])
    }).pipe(Effect.provide(layer))
  })

  it.effect.each(["a", "c"])(
    "does not cache a lookup during which the key was invalidated: %s",
    (digit) => {
      const { queried, layer, rows, state } = makeStore()
      return Effect.gen(function* () {
        const gate = (state.gate = yield* Deferred.make<void>())
        const early = yield* Effect.forkChild(find(digit), { startImmediately: true })
        rows.delete(hash("a"))
        rows.set(hash("c"), key("c"))
        yield* forget(key(digit))
        yield* Deferred.succeed(gate, undefined)
        yield* Fiber.join(early)
        assert.deepStrictEqual(yield* find(digit), digit === "a" ? undefined : key("c"))
        assert.deepStrictEqual(queried, [digit, digit])
      }).pipe(Effect.provide(layer))
    }
  )

  it.effect("evicts no known keys for unknown ones, however many", () => {
    const { queried, layer, state } = makeStore({ maxCachedKeys: 2, maxCachedUnknownKeys: 2 })
    return Effect.gen(function* () {
      yield* find("a")
      yield* find("b")
      const gate = (state.gate = yield* Deferred.make<void>())
      const lookups = yield* Effect.forEach(["c", "d", "e", "f"], (digit) =>
        Effect.forkChild(find(digit), { startImmediately: true })
      )
      queried.length = 0
      yield* find("a")
      yield* find("b")
      yield* Deferred.succeed(gate, undefined)
      yield* Effect.forEach(lookups, (fiber) => Fiber.join(fiber))
      yield* find("a")
      yield* find("b")
      assert.deepStrictEqual(queried, [])
      yield* find("c")
      assert.deepStrictEqual(queried, ["c"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("keeps the configured number of keys, the most recently used ones", () => {
    const { queried, layer } = makeStore({ maxCachedKeys: 1 })
    return Effect.gen(function* () {
      yield* Effect.forEach(["a", "b", "b", "a"], find)
      assert.deepStrictEqual(queried, ["a", "b", "a"])
    }).pipe(Effect.provide(layer))
  })

  describe("a change in another process", () => {
    const lookUpAfter = Effect.fnUntraced(function* (
      digits: ReadonlyArray<string>,
      change: Invalidation
    ) {
      const { queried, layer, rows } = makeStore()
      const invalidations = yield* Queue.unbounded<Invalidation>()
      return yield* Effect.gen(function* () {
        yield* Effect.forEach(digits, find)
        rows.set(hash("a"), { ...key("a"), disabled: true })
        rows.set(hash("c"), key("c"))
        queried.length = 0
        yield* Queue.offer(invalidations, change)
        yield* Effect.yieldNow
        yield* Effect.forEach(digits, find)
        return queried
      }).pipe(
        Effect.provide(layer),
        Effect.provideService(ChangeFeed, { remoteInvalidations: Stream.fromQueue(invalidations) })
      )
    })

    it.effect("invalidates the changed key only", () =>
      Effect.gen(function* () {
        const queried = yield* lookUpAfter(["a", "b"], { topic: "keys", id: key("a").hash })
        assert.deepStrictEqual(queried, ["a"])
      })
    )

    it.effect("invalidates a cached unknown key that now exists", () =>
      Effect.gen(function* () {
        const queried = yield* lookUpAfter(["a", "c"], { topic: "keys", id: key("c").hash })
        assert.deepStrictEqual(queried, ["c"])
      })
    )

    it.effect("invalidates every key when the changed key is unknown", () =>
      Effect.gen(function* () {
        const queried = yield* lookUpAfter(["a", "b", "c"], { topic: "keys" })
        assert.deepStrictEqual(queried, ["a", "b", "c"])
      })
    )

    it.effect("invalidates no key when it is of another kind", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* lookUpAfter(["a", "c"], { topic: "guardrails" }), [])
      })
    )
  })
})
