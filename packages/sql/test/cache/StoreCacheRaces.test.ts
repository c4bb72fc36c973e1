/** The cache under concurrent reads and changes. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import { StoreCache } from "../../src/cache/StoreCache.ts"
import * as SqliteClient from "../../src/connection/SqliteClient.ts"

/** A number per account. A read takes its value when it begins, and returns it after `gate`. */
const makeCachedNumbers = (capacity = 10) =>
  Effect.gen(function* () {
    const rows = new Map<string, number>()
    const state: { gate: Effect.Effect<void>; reads: number } = { gate: Effect.void, reads: 0 }
    const { invalidateAfter, cacheReads } = yield* StoreCache
    const read = yield* cacheReads("accounts", (account: string) =>
      Effect.suspend(() => {
        state.reads++
        const row = rows.get(account) ?? 0
        return Effect.as(state.gate, row)
      })
    )
    const write = invalidateAfter("accounts")((account: string, row: number) =>
      Effect.sync(() => void rows.set(account, row))
    )
    return { read, write, state }
  }).pipe(
    Effect.provide(
      StoreCache.layer(capacity).pipe(Layer.provideMerge(SqliteClient.layer({ path: ":memory:" })))
    )
  )

describe("the store cache", () => {
  it("reads once for concurrent calls", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { read, state } = yield* makeCachedNumbers()
        const gate = yield* Deferred.make<void>()
        state.gate = Deferred.await(gate)
        const fiber = yield* Effect.forkChild(
          Effect.all([read("a"), read("a"), read("a")], { concurrency: "unbounded" }),
          { startImmediately: true }
        )
        yield* Deferred.succeed(gate, undefined)
        assert.deepStrictEqual(yield* Fiber.join(fiber), [0, 0, 0])
        assert.strictEqual(state.reads, 1)
      })
    ))

  it("does not serve a read from before a change to calls after it", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { read, state, write } = yield* makeCachedNumbers()
        const gate = yield* Deferred.make<void>()
        state.gate = Deferred.await(gate)
        const early = yield* Effect.forkChild(read("a"), { startImmediately: true })
        yield* write("a", 1)
        const late = yield* Effect.forkChild(read("a"), { startImmediately: true })
        yield* Deferred.succeed(gate, undefined)
        assert.strictEqual(yield* Fiber.join(early), 0)
        assert.strictEqual(yield* Fiber.join(late), 1)
        assert.strictEqual(yield* read("a"), 1)
      })
    ))

  it("keeps the entries of one account when another changes", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { read, state, write } = yield* makeCachedNumbers()
        yield* Effect.all([read("a"), read("b")])
        yield* write("a", 1)
        assert.deepStrictEqual(yield* Effect.all([read("a"), read("b")]), [1, 0])
        assert.strictEqual(state.reads, 3)
      })
    ))

  it("serves no stale entry when more accounts change than it has room for", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { read, write } = yield* makeCachedNumbers(2)
        for (const account of ["a", "b"]) yield* read(account)
        for (const account of ["a", "b", "c", "d", "e"]) yield* write(account, 1)
        assert.deepStrictEqual(yield* Effect.all([read("a"), read("b")]), [1, 1])
      })
    ))

  it("does not cache a failure", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { read, state } = yield* makeCachedNumbers()
        state.gate = Effect.die("unavailable")
        yield* Effect.exit(read("a"))
        state.gate = Effect.void
        assert.strictEqual(yield* read("a"), 0)
      })
    ))
})
