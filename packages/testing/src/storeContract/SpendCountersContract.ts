/**
 * A test suite for implementations of `SpendCounters`: each cost counts once, for each of its
 * subjects.
 */
import {
  Transaction,
  defaultWorkspaceId,
  NanoUsd,
  noSpend,
  SpendCounters,
  Subject
} from "@signalbox/core/stores"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "vitest"
import * as fresh from "./fixtures.ts"
import { makeRunTest } from "./makeRunTest.ts"

const toNanoUsd = NanoUsd.make
const atTime = (time: string) => TestClock.setTime(Date.parse(time))

const recordSpend = Effect.fnUntraced(function* (
  spender: Subject.Spender,
  amount: bigint,
  isByok = false
) {
  const counters = yield* SpendCounters
  yield* counters.record(spender, toNanoUsd(amount), isByok, yield* Clock.currentTimeMillis)
})

const readSpend = Effect.fnUntraced(function* (subject: Subject.Subject) {
  const counters = yield* SpendCounters
  const spends = yield* counters.findSpend([subject], yield* Clock.currentTimeMillis)
  return spends.get(subject) ?? noSpend
})

/** The daily, weekly, monthly and total usage. */
const toPeriods = (subject: Subject.Subject) =>
  Effect.map(readSpend(subject), ({ usage, usage_daily, usage_monthly, usage_weekly }) =>
    [usage_daily, usage_weekly, usage_monthly, usage].map(BigInt)
  )

const readUsage = (subject: Subject.Subject) =>
  Effect.map(readSpend(subject), ({ usage }) => BigInt(usage))

/** Declares the tests in a vitest file: `SpendCountersContract("postgres", layer)`. */
export const SpendCountersContract = (
  implementation: string,
  layer: Layer.Layer<Transaction | SpendCounters, unknown>
): void => {
  const run = makeRunTest(layer)
  describe(`SpendCounters: ${implementation}`, () => {
    it("begins days, weeks (on Monday) and months at midnight in UTC", () =>
      run(
        Effect.gen(function* () {
          const spender = fresh.makeSpender()
          const key = Subject.fromKey(spender.keyHash)
          // A Saturday.
          yield* atTime("2026-10-31T23:59:59.999Z")
          yield* recordSpend(spender, 1n)
          assert.deepStrictEqual(yield* toPeriods(key), [1n, 1n, 1n, 1n])
          yield* atTime("2026-11-01T00:00:00.000Z")
          assert.deepStrictEqual(yield* toPeriods(key), [0n, 1n, 0n, 1n])
          yield* recordSpend(spender, 10n)
          assert.deepStrictEqual(yield* toPeriods(key), [10n, 11n, 10n, 11n])
          yield* atTime("2026-11-02T00:00:00.000Z")
          assert.deepStrictEqual(yield* toPeriods(key), [0n, 0n, 10n, 11n])
          yield* recordSpend(spender, 100n)
          yield* atTime("2026-11-08T23:59:59.999Z")
          assert.deepStrictEqual(yield* toPeriods(key), [0n, 100n, 110n, 111n])
          yield* atTime("2027-11-02T00:00:00.000Z")
          assert.deepStrictEqual(yield* toPeriods(key), [0n, 0n, 0n, 111n])
        })
      ))

    it("counts a late record in the period in which it was spent", () =>
      run(
        Effect.gen(function* () {
          const counters = yield* SpendCounters
          const spender = fresh.makeSpender()
          yield* atTime("2026-11-02T00:00:00.000Z")
          yield* recordSpend(spender, 1n)
          yield* counters.record(
            spender,
            toNanoUsd(10n),
            false,
            Date.parse("2026-11-01T23:59:59.999Z")
          )
          assert.deepStrictEqual(yield* toPeriods(Subject.fromKey(spender.keyHash)), [
            1n,
            1n,
            11n,
            11n
          ])
        })
      ))

    it("includes the spending of later windows when the clock is set back", () =>
      run(
        Effect.gen(function* () {
          const spender = fresh.makeSpender()
          const key = Subject.fromKey(spender.keyHash)
          yield* atTime("2026-11-02T00:00:01.000Z")
          yield* recordSpend(spender, 10n)
          // A Sunday of the same month.
          yield* atTime("2026-11-01T23:59:59.000Z")
          assert.deepStrictEqual(yield* toPeriods(key), [10n, 10n, 10n, 10n])
          yield* atTime("2026-10-01T00:00:00.000Z")
          assert.deepStrictEqual(yield* toPeriods(key), [10n, 10n, 10n, 10n])
          yield* atTime("2026-11-03T00:00:00.000Z")
          assert.deepStrictEqual(yield* toPeriods(key), [0n, 10n, 10n, 10n])
        })
      ))

    it("counts spending on the customer's own credentials separately", () =>
      run(
        Effect.gen(function* () {
          const spender = fresh.makeSpender()
          yield* recordSpend(spender, 3n)
          yield* recordSpend(spender, 4n, true)
          assert.deepStrictEqual(yield* readSpend(Subject.fromKey(spender.keyHash)), {
            usage: toNanoUsd(3n),
            usage_daily: toNanoUsd(3n),
            usage_weekly: toNanoUsd(3n),
            usage_monthly: toNanoUsd(3n),
            byok_usage: toNanoUsd(4n),
            byok_usage_daily: toNanoUsd(4n),
            byok_usage_weekly: toNanoUsd(4n),
            byok_usage_monthly: toNanoUsd(4n)
          })
        })
      ))

    it("counts each key, user, member and workspace separately", () =>
      run(
        Effect.gen(function* () {
          const spender = fresh.makeSpender()
          const { account, user, workspace } = spender
          const elsewhere = { ...spender, workspace: defaultWorkspaceId }
          const host = { account, workspace }
          yield* recordSpend(spender, 1n)
          yield* recordSpend({ ...spender, keyHash: fresh.makeKeyHash() }, 10n)
          yield* recordSpend({ ...fresh.makeSpender(), account, workspace }, 100n)
          yield* recordSpend({ ...elsewhere, keyHash: fresh.makeKeyHash() }, 1_000n)
          yield* recordSpend(host, 10_000n)
          yield* recordSpend({ account, workspace, user }, 100_000n)
          // The same names in another account are other subjects.
          yield* recordSpend(
            { ...spender, account: fresh.makeAccountId(), keyHash: fresh.makeKeyHash() },
            7n
          )
          assert.strictEqual(yield* readUsage(Subject.fromKey(spender.keyHash)), 1n)
          assert.strictEqual(yield* readUsage(Subject.fromMember(spender, user)), 100_011n)
          assert.strictEqual(yield* readUsage(Subject.fromMember(elsewhere, user)), 1_000n)
          assert.strictEqual(yield* readUsage(Subject.fromUser(spender, user)), 101_011n)
          assert.strictEqual(yield* readUsage(Subject.fromWorkspace(spender)), 110_111n)
          assert.strictEqual(yield* readUsage(Subject.fromHost(host)), 10_000n)
        })
      ))

    it("finds the spending of many subjects at once, without those that spent nothing", () =>
      run(
        Effect.gen(function* () {
          const counters = yield* SpendCounters
          const spenders = Array.from({ length: 150 }, fresh.makeSpender)
          const keys = spenders.map(({ keyHash }) => Subject.fromKey(keyHash))
          for (const [i, spender] of spenders.slice(0, -1).entries()) {
            yield* recordSpend(spender, BigInt(i + 1))
          }
          const received = yield* counters.findSpend(keys, yield* Clock.currentTimeMillis)
          assert.deepStrictEqual(
            keys.map((key) => received.get(key)?.usage),
            [...keys.slice(0, -1).map((_, i) => toNanoUsd(BigInt(i + 1))), undefined]
          )
          assert.strictEqual((yield* counters.findSpend([], 0)).size, 0)
        })
      ))

    it("keeps all of many costs recorded concurrently for overlapping subjects", () =>
      run(
        Effect.gen(function* () {
          const spender = fresh.makeSpender()
          const colleague = { ...fresh.makeSpender(), workspace: spender.workspace }
          const both = { ...colleague, account: spender.account }
          yield* Effect.forEach(
            Array.from({ length: 100 }, (_, i) => i),
            (i) => recordSpend(i % 2 === 0 ? spender : both, 1n, i % 4 === 0),
            { concurrency: "unbounded" }
          )
          const { byok_usage, usage } = yield* readSpend(Subject.fromWorkspace(spender))
          assert.deepStrictEqual([usage, byok_usage], [toNanoUsd(75n), toNanoUsd(25n)])
        })
      ))

    it("rolls back the costs of a failed transaction", () =>
      run(
        Effect.gen(function* () {
          const { withTransaction } = yield* Transaction
          const [known, stranger] = [fresh.makeSpender(), fresh.makeSpender()]
          yield* recordSpend(known, 5n)
          for (const spender of [known, stranger]) {
            yield* Effect.flip(
              withTransaction(Effect.andThen(recordSpend(spender, 7n), Effect.fail("undone")))
            )
          }
          assert.strictEqual(yield* readUsage(Subject.fromKey(known.keyHash)), 5n)
          const counters = yield* SpendCounters
          const spends = yield* counters.findSpend([Subject.fromKey(stranger.keyHash)], 0)
          assert.deepStrictEqual(Array.from(spends), [])
        })
      ))

    it("saturates at the largest amount, without failing or affecting others", () =>
      run(
        Effect.gen(function* () {
          const [liar, other] = [fresh.makeSpender(), fresh.makeSpender()]
          // The cost that two answers state with 6e14 tokens at 10 USD a million.
          for (const amount of [
            6_000_000_000_000_000_000n,
            6_000_000_000_000_000_000n,
            2n ** 70n
          ]) {
            yield* recordSpend(liar, amount)
            yield* recordSpend(liar, amount, true)
            yield* recordSpend(other, 5n)
          }
          yield* recordSpend(liar, 1n)
          const subject = Subject.fromWorkspace(liar)
          const { byok_usage, usage } = yield* readSpend(subject)
          assert.deepStrictEqual([usage, byok_usage], [NanoUsd.maxAmount, NanoUsd.maxAmount])
          const most = BigInt(NanoUsd.maxAmount)
          assert.deepStrictEqual(yield* toPeriods(subject), [most, most, most, most])
          assert.strictEqual(yield* readUsage(Subject.fromWorkspace(other)), 15n)
        })
      ))

    it("is exact above the safe integers", () =>
      run(
        Effect.gen(function* () {
          const spender = fresh.makeSpender()
          yield* recordSpend(spender, 9_007_199_254_740_992n)
          yield* recordSpend(spender, 1n)
          assert.strictEqual(
            yield* readUsage(Subject.fromWorkspace(spender)),
            9_007_199_254_740_993n
          )
        })
      ))
  })
}
