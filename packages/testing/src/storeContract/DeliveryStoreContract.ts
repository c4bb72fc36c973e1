/** A test suite for implementations of `DeliveryStore`. */
import { Transaction, type Delivery, DeliveryStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import { assert, describe, it } from "vitest"
import * as fresh from "./fixtures.ts"
import { testOptimisticLock } from "./testOptimisticLock.ts"
import { makeRunTest } from "./makeRunTest.ts"

export const makeDelivery = (changes: Partial<Delivery> = {}): Delivery => ({
  id: `${crypto.randomUUID()}-completed`,
  account: fresh.makeAccountId(),
  workspace: "one",
  type: "video.generation.completed",
  url: "https://hooks.example.com/a?token=b",
  isWorkspaceUrl: true,
  body: '{"data":{"prompt":"日本 🚂","__proto__":1}}',
  createdAt: 1_767_225_600_123,
  state: "pending",
  version: 1,
  failures: 0,
  nextAttemptAt: 1_767_225_600_123,
  attempts: [],
  ...changes
})

const endDelivery = (pending: Delivery): Delivery => ({
  ...Struct.omit(pending, ["nextAttemptAt"]),
  state: "delivered",
  version: pending.version + 1,
  endedAt: 1_767_225_700_000,
  attempts: [
    { at: 1_767_225_600_200, durationMillis: 15_000, error: "timeout" },
    { at: 1_767_225_660_000, durationMillis: 12, status: 204 }
  ]
})

/** Declares the tests in a vitest file: `DeliveryStoreContract("postgres", layer)`. */
export const DeliveryStoreContract = (
  implementation: string,
  layer: Layer.Layer<Transaction | DeliveryStore, unknown>
): void => {
  const run = makeRunTest(layer)
  describe(`DeliveryStore: ${implementation}`, () => {
    it("stores each delivery once, exactly as it was added", () =>
      run(
        Effect.gen(function* () {
          const store = yield* DeliveryStore
          const one = makeDelivery()
          assert.isUndefined(yield* store.find(one.id))
          assert.isTrue(yield* store.add(one))
          assert.isFalse(yield* store.add({ ...one, url: "https://other.example/" }))
          assert.deepStrictEqual(yield* store.find(one.id), one)
        })
      ))

    it("keeps one of several concurrent deliveries with the same id", () =>
      run(
        Effect.gen(function* () {
          const store = yield* DeliveryStore
          const one = makeDelivery()
          const added = yield* Effect.forEach(Array.from({ length: 10 }), () => store.add(one), {
            concurrency: "unbounded"
          })
          assert.strictEqual(added.filter(Boolean).length, 1)
        })
      ))

    testOptimisticLock(
      run,
      DeliveryStore.useSync((store) => {
        const before = makeDelivery()
        return { store, before, after: endDelivery(before) }
      })
    )

    it("lists the deliveries of an account by workspace and state, newest first", () =>
      run(
        Effect.gen(function* () {
          const store = yield* DeliveryStore
          const account = fresh.makeAccountId()
          const [a, b, c] = [
            makeDelivery({ account, createdAt: 1_000 }),
            makeDelivery({ account, createdAt: 2_000, workspace: "two" }),
            makeDelivery({ account, createdAt: 3_000 })
          ]
          for (const each of [a, b, c, makeDelivery()]) yield* store.add(each)
          const done = endDelivery(a)
          yield* store.replace(a.version, done)
          const list = (filter: Parameters<typeof store.list>[1]) =>
            store.list(account, filter, { limit: 10 })
          assert.deepStrictEqual(yield* list({}), { rows: [c, b, done] })
          assert.deepStrictEqual(yield* list({ workspace: "one" }), { rows: [c, done] })
          assert.deepStrictEqual(yield* list({ state: "delivered" }), { rows: [done] })
          const both = { workspace: "one", state: "pending" } as const
          assert.deepStrictEqual(yield* list(both), { rows: [c] })
          assert.deepStrictEqual(yield* list({ state: "failed" }), { rows: [] })
        })
      ))

    it("lists consistent pages when deliveries are added, updated and purged between them", () =>
      run(
        Effect.gen(function* () {
          const store = yield* DeliveryStore
          const account = fresh.makeAccountId()
          const one = () => makeDelivery({ account })
          const [a, b, c, d, e] = [one(), one(), one(), one(), one()]
          for (const each of [a, b, c, d, e]) yield* store.add(each)
          const first = yield* store.list(account, { workspace: "one" }, { limit: 2 })
          assert.deepStrictEqual(first.rows, [e, d])
          yield* store.add(one())
          yield* store.replace(d.version, { ...endDelivery(d), endedAt: 1 })
          yield* store.replace(c.version, endDelivery(c))
          yield* store.purgeEnded(2)
          const after = first.nextCursor!
          const second = yield* store.list(account, { workspace: "one" }, { limit: 2, after })
          assert.deepStrictEqual(second.rows, [endDelivery(c), b])
          const last = yield* store.list(account, {}, { limit: 2, after: second.nextCursor! })
          assert.deepStrictEqual(last, { rows: [a] })
        })
      ))

    it("purges deliveries that ended long ago, but no pending ones", () =>
      run(
        Effect.gen(function* () {
          const store = yield* DeliveryStore
          const [old, late, pending] = [
            makeDelivery(),
            makeDelivery(),
            makeDelivery({ createdAt: 1 })
          ]
          for (const each of [old, late, pending]) yield* store.add(each)
          yield* store.replace(1, { ...endDelivery(old), endedAt: 1_999 })
          yield* store.replace(1, { ...endDelivery(late), endedAt: 2_000 })
          yield* store.purgeEnded(2_000)
          assert.isUndefined(yield* store.find(old.id))
          assert.isDefined(yield* store.find(late.id))
          assert.isDefined(yield* store.find(pending.id))
        })
      ))

    it("rolls back the writes of a failed transaction", () =>
      run(
        Effect.gen(function* () {
          const store = yield* DeliveryStore
          const { withTransaction } = yield* Transaction
          const stored = makeDelivery()
          yield* store.add(stored)
          const other = makeDelivery()
          const failing = (write: Effect.Effect<unknown>) =>
            Effect.flip(withTransaction(Effect.andThen(write, Effect.fail("no"))))
          yield* failing(store.add(other))
          yield* failing(store.replace(1, endDelivery(stored)))
          assert.isUndefined(yield* store.find(other.id))
          assert.deepStrictEqual(yield* store.find(stored.id), stored)
        })
      ))
  })
}
