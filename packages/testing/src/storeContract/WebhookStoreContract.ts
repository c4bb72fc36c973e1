/** A test suite for implementations of `WebhookStore`. */
import {
  Transaction,
  type StoredWebhookSecret,
  type SealedSecret,
  WebhookStore
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import { collectPages } from "./collectPages.ts"
import * as fresh from "./fixtures.ts"
import { makeRunTest } from "./makeRunTest.ts"

const makeSealed = (keyId: string): SealedSecret => ({ keyId, ciphertext: crypto.randomUUID() })

const makeSecret = (sealed = makeSealed("k1")): StoredWebhookSecret => ({
  id: crypto.randomUUID(),
  label: "whsec_...xyz",
  created_at: "2026-01-02T03:04:05.678Z",
  sealed
})

const makeAddress = { callback_url: "https://a.example/", updated_at: "2026-01-02T03:04:05.678Z" }

/** Declares the tests in a vitest file: `WebhookStoreContract("postgres", layer)`. */
export const WebhookStoreContract = (
  implementation: string,
  layer: Layer.Layer<Transaction | WebhookStore, unknown>
): void => {
  const run = makeRunTest(layer)
  describe(`WebhookStore: ${implementation}`, () => {
    it("stores an address and its secrets for one workspace of one account", () =>
      run(
        Effect.gen(function* () {
          const store = yield* WebhookStore
          const [account, other] = [fresh.makeAccountId(), fresh.makeAccountId()]
          assert.isUndefined(yield* store.find(account, "one"))
          const [a, b] = [makeSecret(), makeSecret()]
          assert.isTrue(yield* store.addSecret(account, "one", a, 2))
          assert.deepStrictEqual(yield* store.find(account, "one"), {
            callback_url: null,
            updated_at: null,
            secrets: [a]
          })
          assert.isNull(yield* store.putUrl(account, "one", makeAddress))
          assert.isTrue(yield* store.addSecret(account, "one", b, 2))
          assert.deepStrictEqual(yield* store.find(account, "one"), {
            ...makeAddress,
            secrets: [a, b]
          })
          const none = { callback_url: null, updated_at: "2026-02-02T00:00:00.000Z" }
          assert.strictEqual(yield* store.putUrl(account, "one", none), makeAddress.callback_url)
          assert.deepStrictEqual(yield* store.find(account, "one"), { ...none, secrets: [a, b] })
          assert.isUndefined(yield* store.find(account, "two"))
          assert.isUndefined(yield* store.find(other, "one"))
          assert.isUndefined(yield* store.remove(other, "one"))
          assert.isUndefined(yield* store.removeSecret(other, "one", a.id))
          assert.isUndefined(yield* store.removeSecret(account, "two", a.id))
          assert.deepStrictEqual(yield* store.removeSecret(account, "one", a.id), a)
          assert.isUndefined(yield* store.removeSecret(account, "one", a.id))
          const last = { ...none, secrets: [b] }
          assert.deepStrictEqual(yield* store.remove(account, "one"), last)
          assert.isUndefined(yield* store.find(account, "one"))
          assert.isUndefined(yield* store.remove(account, "one"))
        })
      ))

    it("limits the secrets, even under concurrent inserts", () =>
      run(
        Effect.gen(function* () {
          const store = yield* WebhookStore
          const account = fresh.makeAccountId()
          const added = yield* Effect.forEach(
            Array.from({ length: 10 }, () => makeSecret()),
            (each) => store.addSecret(account, "one", each, 2),
            { concurrency: "unbounded" }
          )
          assert.strictEqual(added.filter(Boolean).length, 2)
          assert.strictEqual((yield* store.find(account, "one"))?.secrets.length, 2)
        })
      ))

    it("lists secrets sealed under other keys, and reseals them unless they have changed", () =>
      run(
        Effect.gen(function* () {
          const store = yield* WebhookStore
          const account = fresh.makeAccountId()
          const [keyA, keyB] = [crypto.randomUUID(), crypto.randomUUID()]
          const [one, two] = [makeSecret(makeSealed(keyA)), makeSecret(makeSealed(keyB))]
          yield* store.addSecret(account, "one", one, 2)
          yield* store.addSecret(account, "one", two, 2)
          const otherwise = Effect.map(collectPages(store.listToReseal, keyB), (rows) =>
            rows.filter((row) => row.account === account)
          )
          const owned = { account, workspace: "one", secret: one }
          assert.deepStrictEqual(yield* otherwise, [owned])
          const after = makeSealed(keyB)
          const stale = { ...owned, secret: { ...one, sealed: makeSealed(keyA) } }
          assert.isFalse(yield* store.reseal(stale, after))
          assert.isFalse(yield* store.reseal({ ...owned, workspace: "two" }, after))
          assert.isUndefined(yield* store.find(account, "two"))
          assert.isTrue(yield* store.reseal(owned, after))
          assert.deepStrictEqual(yield* otherwise, [])
          assert.deepStrictEqual((yield* store.find(account, "one"))?.secrets, [
            { ...one, sealed: after },
            two
          ])
        })
      ))

    it("rolls back the writes of a failed transaction", () =>
      run(
        Effect.gen(function* () {
          const store = yield* WebhookStore
          const { withTransaction } = yield* Transaction
          const account = fresh.makeAccountId()
          const stored = makeSecret()
          yield* store.addSecret(account, "one", stored, 2)
          const failing = (write: Effect.Effect<unknown>) =>
            Effect.flip(withTransaction(Effect.andThen(write, Effect.fail("no"))))
          yield* failing(store.putUrl(account, "one", makeAddress))
          yield* failing(store.addSecret(account, "one", makeSecret(), 2))
          yield* failing(store.removeSecret(account, "one", stored.id))
          yield* failing(store.remove(account, "one"))
          yield* failing(store.putUrl(account, "two", makeAddress))
          assert.deepStrictEqual(yield* store.find(account, "one"), {
            callback_url: null,
            updated_at: null,
            secrets: [stored]
          })
          assert.isUndefined(yield* store.find(account, "two"))
        })
      ))
  })
}
