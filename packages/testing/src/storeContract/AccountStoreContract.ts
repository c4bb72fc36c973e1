/** A test suite for implementations of `AccountStore`. */
import { type Account, AccountStore, Transaction } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import * as fresh from "./fixtures.ts"
import { makeRunTest } from "./makeRunTest.ts"

/**
 * Declares the tests in a vitest file: `AccountStoreContract("postgres", layer)`. The layer has the
 * store and its transactions.
 */
export const AccountStoreContract = (
  implementation: string,
  layer: Layer.Layer<AccountStore | Transaction, unknown>
): void => {
  const restricted: Account = {
    id: fresh.makeAccountId(),
    only: ["one", "two/eu"],
    ignore: ["__proto__"],
    zdr: true,
    dataCollection: "deny"
  }
  const free: Account = { id: fresh.makeAccountId() }
  const run = makeRunTest(layer)

  describe(`AccountStore: ${implementation}`, () => {
    it("finds each account with exactly its own restrictions", () =>
      run(
        Effect.gen(function* () {
          const store = yield* AccountStore
          yield* store.configure(restricted)
          yield* store.configure(free)
          assert.deepStrictEqual(yield* store.get(restricted.id), restricted)
          assert.deepStrictEqual(yield* store.get(free.id), free)
        })
      ))

    it("returns an account without restrictions for an unknown id", () =>
      run(
        Effect.gen(function* () {
          const store = yield* AccountStore
          const id = fresh.makeAccountId()
          assert.deepStrictEqual(yield* store.get(id), { id })
        })
      ))

    it("stores and returns the result of a change, for known and unknown accounts", () =>
      run(
        Effect.gen(function* () {
          const store = yield* AccountStore
          const id = fresh.makeAccountId()
          const full = {
            only: ["one"],
            ignore: ["two"],
            zdr: false,
            dataCollection: "allow"
          } as const
          const first = yield* store.update(id, (account) => ({ ...account, ...full }))
          assert.deepStrictEqual(first, { id, ...full })
          assert.deepStrictEqual(yield* store.get(id), first)
          yield* store.update(id, ({ ignore = [] }) => ({ ignore: [...ignore, "__proto__"] }))
          assert.deepStrictEqual(yield* store.get(id), { id, ignore: ["two", "__proto__"] })
          yield* store.update(id, () => ({}))
          assert.deepStrictEqual(yield* store.get(id), { id })
        })
      ))

    it("changes only the named account, and never its id", () =>
      run(
        Effect.gen(function* () {
          const store = yield* AccountStore
          const [mine, another] = [fresh.makeAccountId(), fresh.makeAccountId()]
          yield* store.update(another, () => ({ zdr: true }))
          yield* store.update(mine, (account) => ({ ...account, id: another, only: ["one"] }))
          assert.deepStrictEqual(yield* store.get(mine), { id: mine, only: ["one"] })
          assert.deepStrictEqual(yield* store.get(another), { id: another, zdr: true })
        })
      ))

    it("keeps a change until the host configures the account differently", () =>
      run(
        Effect.gen(function* () {
          const store = yield* AccountStore
          const id = fresh.makeAccountId()
          yield* store.configure({ id, zdr: true })
          yield* store.update(id, () => ({ only: ["one"] }))
          yield* store.configure({ id, zdr: true })
          assert.deepStrictEqual(yield* store.get(id), { id, only: ["one"] })
          yield* store.configure({ id, zdr: true, ignore: ["two"] })
          assert.deepStrictEqual(yield* store.get(id), { id, zdr: true, ignore: ["two"] })
        })
      ))

    it("keeps all of many concurrent changes", () =>
      run(
        Effect.gen(function* () {
          const store = yield* AccountStore
          const id = fresh.makeAccountId()
          const providers = Array.from({ length: 20 }, (_, i) => `provider-${i}`)
          yield* Effect.forEach(
            providers,
            (provider) =>
              store.update(id, ({ ignore = [] }) => ({ ignore: [...ignore, provider] })),
            { concurrency: "unbounded" }
          )
          const { ignore = [] } = yield* store.get(id)
          assert.sameMembers([...ignore], providers)
        })
      ))

    it("rolls back a change with its transaction", () =>
      run(
        Effect.gen(function* () {
          const { withTransaction } = yield* Transaction
          const store = yield* AccountStore
          const [known, unknown] = [fresh.makeAccountId(), fresh.makeAccountId()]
          yield* store.update(known, () => ({ zdr: true }))
          yield* Effect.exit(
            withTransaction(
              Effect.gen(function* () {
                yield* store.update(known, () => ({ only: ["one"] }))
                yield* store.update(unknown, () => ({ only: ["one"] }))
                return yield* Effect.fail("no")
              })
            )
          )
          assert.deepStrictEqual(yield* store.get(known), { id: known, zdr: true })
          assert.deepStrictEqual(yield* store.get(unknown), { id: unknown })
        })
      ))
  })
}
