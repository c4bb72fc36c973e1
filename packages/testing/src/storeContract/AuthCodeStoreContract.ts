/** A test suite for implementations of `AuthCodeStore`. */
import {
  type AccountId,
  type AuthCode,
  AuthCodeStore,
  PersonStore,
  type Stores,
  Transaction,
  UserId
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import * as fresh from "./fixtures.ts"
import { makeRunTest } from "./makeRunTest.ts"

const now = 1_700_000_000_000

const makeCode = (account: AccountId, changes: Partial<AuthCode> = {}): AuthCode => ({
  hash: fresh.makeKeyHash(),
  account,
  challenge: "c".repeat(43),
  method: "S256",
  expiresAt: now + 600_000,
  key: { name: "Application" },
  attributes: { rate_limit: null, host_rate_limit: null },
  ...changes
})

/** Declares the tests in a vitest file: `AuthCodeStoreContract("postgres", layer)`. */
export const AuthCodeStoreContract = (
  implementation: string,
  layer: Layer.Layer<Stores, unknown>
): void => {
  const run = makeRunTest(layer)
  describe(`AuthCodeStore: ${implementation}`, () => {
    it("finds a code exactly as it was put", () =>
      run(
        Effect.gen(function* () {
          const store = yield* AuthCodeStore
          const account = fresh.makeAccountId()
          const full = makeCode(account, {
            user: UserId.make("user_ä😀"),
            consentedBy: fresh.makeKeyHash(),
            method: "plain",
            key: { name: "Täst", limit: 0.1, limit_reset: "daily", expires_at: null },
            attributes: {
              rate_limit: { requests: 5, windowMillis: 1_000 },
              host_rate_limit: null,
              granted_by: {
                subject: '["member","a"]',
                rate_owner: "somebody",
                limit: { nano_usd: "123456789012345678", reset: null, includes_byok: true }
              },
              tags: { feature: "search" }
            }
          })
          const least = makeCode(account)
          yield* store.put(full, now)
          yield* store.put(least, now)
          assert.deepStrictEqual(yield* store.find(full.hash), full)
          assert.deepStrictEqual(yield* store.find(least.hash), least)
          assert.strictEqual(yield* store.find(fresh.makeKeyHash()), undefined)
        })
      ))

    it("gives a code to one of concurrent takers", () =>
      run(
        Effect.gen(function* () {
          const store = yield* AuthCodeStore
          const code = makeCode(fresh.makeAccountId())
          yield* store.put(code, now)
          const taken = yield* Effect.all(
            Array.from({ length: 20 }, () => store.take(code.hash)),
            { concurrency: "unbounded" }
          )
          assert.strictEqual(taken.filter(Boolean).length, 1)
          assert.strictEqual(yield* store.find(code.hash), undefined)
          assert.isFalse(yield* store.take(code.hash))
        })
      ))

    it("gives a code back when the transaction that took it fails", () =>
      run(
        Effect.gen(function* () {
          const store = yield* AuthCodeStore
          const { withTransaction } = yield* Transaction
          const code = makeCode(fresh.makeAccountId())
          yield* store.put(code, now)
          yield* Effect.exit(
            withTransaction(Effect.andThen(store.take(code.hash), Effect.fail("no key")))
          )
          assert.deepStrictEqual(yield* store.find(code.hash), code)
        })
      ))

    it("counts the codes of an account that have not expired, and purges the others", () =>
      run(
        Effect.gen(function* () {
          const store = yield* AuthCodeStore
          const account = fresh.makeAccountId()
          const early = makeCode(account, { expiresAt: now + 1 })
          yield* store.put(early, now)
          yield* store.put(makeCode(account), now)
          yield* store.put(makeCode(fresh.makeAccountId()), now)
          assert.strictEqual(yield* store.count(account, now), 2)
          assert.strictEqual(yield* store.count(account, now + 1), 1)
          yield* store.purge(now + 1)
          assert.strictEqual(yield* store.find(early.hash), undefined)
          assert.strictEqual(yield* store.count(account, now), 1)
        })
      ))

    it("deletes the codes of a person who is erased, and no others", () =>
      run(
        Effect.gen(function* () {
          const store = yield* AuthCodeStore
          const people = yield* PersonStore
          const account = fresh.makeAccountId()
          const theirs = makeCode(account, { user: UserId.make("ada") })
          const others = [
            makeCode(account, { user: UserId.make("adam") }),
            makeCode(fresh.makeAccountId(), { user: UserId.make("ada") })
          ]
          for (const code of [theirs, ...others]) yield* store.put(code, now)
          yield* people.rename({ account, kind: "user", name: "ada", pseudonym: "erased_1" })
          assert.strictEqual(yield* store.find(theirs.hash), undefined)
          for (const code of others) assert.deepStrictEqual(yield* store.find(code.hash), code)
        })
      ))
  })
}
