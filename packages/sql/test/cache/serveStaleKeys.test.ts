import {
  type ApiKey,
  ApiKeyStore,
  type Invalidation,
  KeyHash,
  StoreUnavailable
} from "@signalbox/core/stores"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "vitest"
import * as SqliteClient from "../../src/connection/SqliteClient.ts"
import { serveStaleKeys } from "../../src/cache/serveStaleKeys.ts"
import { ReadOutage } from "../../src/cache/StaleReads.ts"
import { apiKey } from "../fixtures.ts"

const minuteMillis = 60_000

/** A store with two keys, which fails or hangs when it is told to, behind one that serves what is stale for a minute. */
const makeStore = Effect.gen(function* () {
  const [a, b] = [apiKey(), apiKey()]
  const rows = new Map([a, b].map((key) => [key.hash, key]))
  const state = { isDown: false, gate: undefined as Deferred.Deferred<void> | undefined, reads: 0 }
  const store = yield* Effect.provide(
    ApiKeyStore,
    Layer.mock(ApiKeyStore, {
      findBySecretHash: (secret) =>
        Effect.suspend(() => {
          state.reads++
          if (state.isDown) return Effect.die(new StoreUnavailable({ cause: "down" }))
          const row = rows.get(secret)
          return state.gate === undefined
            ? Effect.succeed(row)
            : Effect.as(Deferred.await(state.gate), row)
        }),
      remove: (_, hash) => Effect.sync(() => void rows.delete(KeyHash.make(hash)))
    })
  )
  const outage = new ReadOutage(yield* Clock.Clock, minuteMillis)
  const listeners: Array<(change: Invalidation) => void> = []
  const stale = yield* serveStaleKeys(store, outage, (listener) => void listeners.push(listener))
  return {
    a,
    b,
    rows,
    state,
    stale,
    outage,
    report: (change: Invalidation): void => {
      for (const listener of listeners) listener(change)
    },
    isServed: ({ secret_hash }: ApiKey) =>
      Effect.map(Effect.exit(stale.findBySecretHash(secret_hash)), (exit) => Exit.isSuccess(exit))
  }
})

const run = <A, E>(effect: Effect.Effect<A, E, SqlClient>) =>
  Effect.runPromise(
    Effect.provide(effect, Layer.merge(TestClock.layer(), SqliteClient.layer({ path: ":memory:" })))
  )

describe("API keys that cannot be read", () => {
  it("are served for as long as allowed, counted from when they could last be confirmed", () =>
    run(
      Effect.gen(function* () {
        const { a, b, isServed, outage, stale, state } = yield* makeStore
        yield* stale.findBySecretHash(a.secret_hash)
        // While the feed of changes works, it confirms what was read long ago.
        yield* TestClock.adjust("1 hour")
        state.isDown = true
        assert.isTrue(yield* isServed(a))
        // It reports its failure again and again, and the first time counts.
        for (let second = 0; second < 60; second++) {
          outage.addMissedChanges()
          assert.isTrue(yield* isServed(a))
          yield* TestClock.adjust("1 second")
        }
        assert.isFalse(yield* isServed(a))
        assert.isFalse(yield* isServed(b))
        state.isDown = false
        assert.isTrue(yield* isServed(a))
      })
    ))

  it("are asked for once a second, and for at most a second if there is no answer", () =>
    run(
      Effect.gen(function* () {
        const { a, isServed, stale, state } = yield* makeStore
        yield* stale.findBySecretHash(a.secret_hash)
        state.isDown = true
        for (let n = 0; n < 10; n++) assert.isTrue(yield* isServed(a))
        assert.strictEqual(state.reads, 2)
        state.isDown = false
        state.gate = yield* Deferred.make<void>()
        yield* TestClock.adjust("1 second")
        const hanging = yield* Effect.forkChild(isServed(a), { startImmediately: true })
        yield* TestClock.adjust("1 second")
        assert.isTrue(yield* Fiber.join(hanging))
        assert.isTrue(yield* isServed(a))
        assert.strictEqual(state.reads, 3)
      })
    ))

  it("stay refused if they were deleted before, here or by another process, or found deleted", () =>
    run(
      Effect.gen(function* () {
        const { a, b, isServed, outage, report, rows, stale, state } = yield* makeStore
        const c = apiKey()
        rows.set(c.hash, c)
        for (const key of [a, b, c]) yield* stale.findBySecretHash(key.secret_hash)
        report({ topic: "keys", account: a.account, id: a.hash })
        report({ topic: "keys", account: b.account, id: apiKey().hash })
        yield* stale.remove(b.account, b.hash)
        rows.delete(c.hash)
        outage.addMissedChanges()
        assert.isUndefined(yield* stale.findBySecretHash(c.secret_hash))
        state.isDown = true
        for (const key of [a, b, c]) assert.isFalse(yield* isServed(key))
      })
    ))

  it("are not served as they were before a change during the last read", () =>
    run(
      Effect.gen(function* () {
        const { a, isServed, report, stale, state } = yield* makeStore
        const gate = (state.gate = yield* Deferred.make<void>())
        const reading = yield* Effect.forkChild(stale.findBySecretHash(a.secret_hash), {
          startImmediately: true
        })
        report({ topic: "keys", id: a.hash })
        yield* Deferred.succeed(gate, undefined)
        yield* Fiber.join(reading)
        state.isDown = true
        assert.isFalse(yield* isServed(a))
      })
    ))
})
