/** A test suite for implementations of `AlertStore` and `AlertRuleStore`. */
import {
  type Alert,
  type AlertRule,
  AlertRuleStore,
  AlertStore,
  NanoUsd,
  Transaction
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import * as fresh from "./fixtures.ts"
import { makeRunTest } from "./makeRunTest.ts"

export const makeAlert = (changes: Partial<Alert> = {}): Alert => ({
  id: `alert-${crypto.randomUUID()}`,
  type: "alert.threshold_crossed",
  account: fresh.makeAccountId(),
  workspace_id: "one",
  created_at: "2026-11-03T04:05:06.789Z",
  message: 'The monthly budget of workspace "日本" has reached 80 %.',
  rule_id: null,
  threshold: { percent: 80 },
  limit: {
    kind: "workspace",
    name: "__proto__",
    guardrail_id: null,
    key_hash: null,
    user_id: null,
    external_user_id: null,
    interval: "monthly",
    resets_at: "2026-12-01T00:00:00.000Z",
    soft: false,
    limit: 10,
    settled: 8.000000001,
    remaining: 1.999999999,
    percent: 80,
    forecast: 40,
    exhausted_at: "2026-11-04T00:00:00.000Z"
  },
  health: null,
  ...changes
})

const makeRule = (workspace_id: string): AlertRule => ({
  id: crypto.randomUUID(),
  workspace_id,
  name: "pager",
  limits: null,
  thresholds: [{ percent: 80 }, { remaining: 0.5 }, { forecast: true }],
  created_at: "2026-11-03T04:05:06.789Z",
  updated_at: "2026-11-03T04:05:06.789Z"
})

const makeClaim = (level: bigint, key = `share 10 host ${crypto.randomUUID()}`) => ({
  key,
  level: NanoUsd.make(level),
  expiresAt: 2_000
})

/** Declares the tests in a vitest file: `AlertStoreContract("postgres", layer)`. */
export const AlertStoreContract = (
  implementation: string,
  layer: Layer.Layer<AlertRuleStore | AlertStore | Transaction, unknown>
): void => {
  const run = makeRunTest(layer)
  describe(`AlertStore: ${implementation}`, () => {
    it("lets one of many concurrent claims of a level win", () =>
      run(
        Effect.gen(function* () {
          const store = yield* AlertStore
          const { withTransaction } = yield* Transaction
          const claim = makeClaim(5n)
          const claimed = yield* Effect.forEach(
            Array.from({ length: 20 }),
            () => withTransaction(store.claim(claim, 1_000)),
            { concurrency: "unbounded" }
          )
          assert.strictEqual(claimed.filter(Boolean).length, 1)
        })
      ))

    it("claims a higher level of a key after a lower one, and never the reverse", () =>
      run(
        Effect.gen(function* () {
          const store = yield* AlertStore
          const { key } = makeClaim(0n)
          assert.isTrue(yield* store.claim(makeClaim(0n, key), 1_000))
          assert.isFalse(yield* store.claim(makeClaim(0n, key), 1_000))
          const highest = NanoUsd.maxAmount
          assert.isTrue(yield* store.claim(makeClaim(highest, key), 1_000))
          assert.isFalse(yield* store.claim(makeClaim(highest - 1n, key), 1_000))
          assert.isFalse(yield* store.claim(makeClaim(highest, key), 1_000))
        })
      ))

    it("tells the highest of concurrent levels, and each at most once", () =>
      run(
        Effect.gen(function* () {
          const store = yield* AlertStore
          const { key } = makeClaim(0n)
          const levels = Array.from({ length: 24 }, (_, at) => BigInt(at % 3))
          const claimed = yield* Effect.forEach(
            levels,
            (level) => store.claim(makeClaim(level, key), 1_000),
            { concurrency: "unbounded" }
          )
          const won = levels.filter((_, at) => claimed[at])
          assert.include(won, 2n)
          assert.strictEqual(new Set(won).size, won.length)
        })
      ))

    it("lets a claim be made again once it has expired or was released", () =>
      run(
        Effect.gen(function* () {
          const store = yield* AlertStore
          const claim = makeClaim(5n)
          yield* store.claim(claim, 1_000)
          assert.isFalse(yield* store.claim({ ...claim, expiresAt: 3_000 }, 1_999))
          assert.isTrue(yield* store.claim({ ...claim, expiresAt: 3_000 }, 2_000))
          const released = yield* Effect.forEach(
            Array.from({ length: 10 }),
            () => store.release(claim.key),
            { concurrency: "unbounded" }
          )
          assert.strictEqual(released.filter(Boolean).length, 1)
          assert.isTrue(yield* store.claim(claim, 1_000))
        })
      ))

    it("frees a claim whose transaction failed, together with its alert", () =>
      run(
        Effect.gen(function* () {
          const store = yield* AlertStore
          const { withTransaction } = yield* Transaction
          const claim = makeClaim(5n)
          const alert = makeAlert()
          yield* Effect.flip(
            withTransaction(
              Effect.andThen(
                Effect.andThen(store.claim(claim, 1_000), store.add(alert)),
                Effect.fail("no")
              )
            )
          )
          assert.isUndefined(yield* store.find(alert.id))
          assert.isTrue(yield* store.claim(claim, 1_000))
        })
      ))

    it("lists the alerts of an account and of a workspace, newest first and by page", () =>
      run(
        Effect.gen(function* () {
          const store = yield* AlertStore
          const account = fresh.makeAccountId()
          const [a, b, c] = [
            makeAlert({ account }),
            makeAlert({ account, workspace_id: "two" }),
            makeAlert({ account, threshold: null, limit: null })
          ]
          for (const each of [a, b, c, makeAlert()]) yield* store.add(each)
          assert.deepStrictEqual(yield* store.find(c.id), c)
          const first = yield* store.list(account, undefined, { limit: 2 })
          assert.deepStrictEqual(first.rows, [c, b])
          const after = first.nextCursor!
          assert.deepStrictEqual(yield* store.list(account, undefined, { limit: 2, after }), {
            rows: [a]
          })
          assert.deepStrictEqual(yield* store.list(account, "one", { limit: 9 }), { rows: [c, a] })
        })
      ))

    it("purges old alerts and expired claims", () =>
      run(
        Effect.gen(function* () {
          const store = yield* AlertStore
          const [old, kept] = [
            makeAlert({ created_at: "1970-01-01T00:00:00.999Z" }),
            makeAlert({ created_at: "1970-01-01T00:00:01.000Z" })
          ]
          yield* store.add(old)
          yield* store.add(kept)
          const [expired, valid] = [makeClaim(1n), makeClaim(1n)]
          yield* store.claim({ ...expired, expiresAt: 499 }, 0)
          yield* store.claim({ ...valid, expiresAt: 500 }, 0)
          yield* store.purge(1_000, 500)
          assert.isUndefined(yield* store.find(old.id))
          assert.isDefined(yield* store.find(kept.id))
          assert.isFalse(yield* store.release(expired.key))
          assert.isTrue(yield* store.release(valid.key))
        })
      ))

    it("lists the rules of all workspaces of an account, oldest first", () =>
      run(
        Effect.gen(function* () {
          const store = yield* AlertRuleStore
          const account = fresh.makeAccountId()
          const [a, b] = [makeRule("one"), makeRule("two")]
          for (const rule of [a, b]) assert.isTrue(yield* store.insert(account, rule))
          yield* store.insert(fresh.makeAccountId(), makeRule("one"))
          assert.deepStrictEqual(yield* store.listAll(account), [a, b])
          const page = { offset: 0, limit: 10 }
          assert.deepStrictEqual(yield* store.list(account, "two", page), { rows: [b], total: 1 })
          yield* store.remove(account, a.id)
          assert.deepStrictEqual(yield* store.listAll(account), [b])
        })
      ))
  })
}
