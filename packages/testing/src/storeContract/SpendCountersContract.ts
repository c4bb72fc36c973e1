/** What every `SpendCounters` must do: each cost counted once, for everybody it counts for. */
import {
  Atomically,
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
import * as fresh from "./fresh.ts"
import { runOn } from "./runOn.ts"

const nano = NanoUsd.make
const at = (time: string) => TestClock.setTime(Date.parse(time))

const spend = Effect.fnUntraced(function* (
  spender: Subject.Spender,
  amount: bigint,
  isByok = false
) {
  const counters = yield* SpendCounters
  yield* counters.record(spender, nano(amount), isByok, yield* Clock.currentTimeMillis)
})

const spentBy = Effect.fnUntraced(function* (subject: Subject.Subject) {
  const counters = yield* SpendCounters
  const spends = yield* counters.of([subject], yield* Clock.currentTimeMillis)
  return spends.get(subject) ?? noSpend
})

/** Daily, weekly, monthly and in all. */
const periods = (subject: Subject.Subject) =>
  Effect.map(spentBy(subject), ({ usage, usage_daily, usage_monthly, usage_weekly }) =>
    [usage_daily, usage_weekly, usage_monthly, usage].map(BigInt)
  )

const usageOf = (subject: Subject.Subject) =>
  Effect.map(spentBy(subject), ({ usage }) => BigInt(usage))

/** Declares the tests in a vitest file: `SpendCountersContract("postgres", layer)`. */
export const SpendCountersContract = (
  implementation: string,
  layer: Layer.Layer<Atomically | SpendCounters, unknown>
): void => {
  const run = runOn(layer)
  describe(`SpendCounters: ${implementation}`, () => {
    it("begins each day, each week on Monday and each month at midnight in UTC", () =>
      run(
        Effect.gen(function* () {
          const spender = fresh.spender()
          const key = Subject.ofKey(spender.keyHash)
          // A Saturday.
          yield* at("2026-10-31T23:59:59.999Z")
          yield* spend(spender, 1n)
          assert.deepStrictEqual(yield* periods(key), [1n, 1n, 1n, 1n])
          yield* at("2026-11-01T00:00:00.000Z")
          assert.deepStrictEqual(yield* periods(key), [0n, 1n, 0n, 1n])
          yield* spend(spender, 10n)
          assert.deepStrictEqual(yield* periods(key), [10n, 11n, 10n, 11n])
          yield* at("2026-11-02T00:00:00.000Z")
          assert.deepStrictEqual(yield* periods(key), [0n, 0n, 10n, 11n])
          yield* spend(spender, 100n)
          yield* at("2026-11-08T23:59:59.999Z")
          assert.deepStrictEqual(yield* periods(key), [0n, 100n, 110n, 111n])
          yield* at("2027-11-02T00:00:00.000Z")
          assert.deepStrictEqual(yield* periods(key), [0n, 0n, 0n, 111n])
        })
      ))

    it("takes what is told late for what it was: it counts for good, and in no later period", () =>
      run(
        Effect.gen(function* () {
          const counters = yield* SpendCounters
          const spender = fresh.spender()
          yield* at("2026-11-02T00:00:00.000Z")
          yield* spend(spender, 1n)
          yield* counters.record(spender, nano(10n), false, Date.parse("2026-11-01T23:59:59.999Z"))
          assert.deepStrictEqual(yield* periods(Subject.ofKey(spender.keyHash)), [1n, 1n, 11n, 11n])
        })
      ))

    it("counts spending of later windows too when the clock is set back", () =>
      run(
        Effect.gen(function* () {
          const spender = fresh.spender()
          const key = Subject.ofKey(spender.keyHash)
          yield* at("2026-11-02T00:00:01.000Z")
          yield* spend(spender, 10n)
          // A Sunday of the same month.
          yield* at("2026-11-01T23:59:59.000Z")
          assert.deepStrictEqual(yield* periods(key), [10n, 10n, 10n, 10n])
          yield* at("2026-10-01T00:00:00.000Z")
          assert.deepStrictEqual(yield* periods(key), [10n, 10n, 10n, 10n])
          yield* at("2026-11-03T00:00:00.000Z")
          assert.deepStrictEqual(yield* periods(key), [0n, 10n, 10n, 10n])
        })
      ))

    it("counts what own credentials paid for apart", () =>
      run(
        Effect.gen(function* () {
          const spender = fresh.spender()
          yield* spend(spender, 3n)
          yield* spend(spender, 4n, true)
          assert.deepStrictEqual(yield* spentBy(Subject.ofKey(spender.keyHash)), {
            usage: nano(3n),
            usage_daily: nano(3n),
            usage_weekly: nano(3n),
            usage_monthly: nano(3n),
            byok_usage: nano(4n),
            byok_usage_daily: nano(4n),
            byok_usage_weekly: nano(4n),
            byok_usage_monthly: nano(4n)
          })
        })
      ))

    it("counts for key, person, member and workspace, each by itself", () =>
      run(
        Effect.gen(function* () {
          const spender = fresh.spender()
          const { account, user, workspace } = spender
          const elsewhere = { ...spender, workspace: defaultWorkspaceId }
          const host = { account, workspace }
          yield* spend(spender, 1n)
          yield* spend({ ...spender, keyHash: fresh.keyHash() }, 10n)
          yield* spend({ ...fresh.spender(), account, workspace }, 100n)
          yield* spend({ ...elsewhere, keyHash: fresh.keyHash() }, 1_000n)
          yield* spend(host, 10_000n)
          yield* spend({ account, workspace, user }, 100_000n)
          // The same names in another account are other people.
          yield* spend({ ...spender, account: fresh.account(), keyHash: fresh.keyHash() }, 7n)
          assert.strictEqual(yield* usageOf(Subject.ofKey(spender.keyHash)), 1n)
          assert.strictEqual(yield* usageOf(Subject.ofMember(spender, user)), 100_011n)
          assert.strictEqual(yield* usageOf(Subject.ofMember(elsewhere, user)), 1_000n)
          assert.strictEqual(yield* usageOf(Subject.ofUser(spender, user)), 101_011n)
          assert.strictEqual(yield* usageOf(Subject.ofWorkspace(spender)), 110_111n)
          assert.strictEqual(yield* usageOf(Subject.ofHost(host)), 10_000n)
        })
      ))

    it("tells of many at once, and nothing of those who spent nothing", () =>
      run(
        Effect.gen(function* () {
          const counters = yield* SpendCounters
          const spenders = Array.from({ length: 150 }, fresh.spender)
          const keys = spenders.map(({ keyHash }) => Subject.ofKey(keyHash))
          for (const [i, spender] of spenders.slice(0, -1).entries()) {
            yield* spend(spender, BigInt(i + 1))
          }
          const told = yield* counters.of(keys, yield* Clock.currentTimeMillis)
          assert.deepStrictEqual(
            keys.map((key) => told.get(key)?.usage),
            [...keys.slice(0, -1).map((_, i) => nano(BigInt(i + 1))), undefined]
          )
          assert.strictEqual((yield* counters.of([], 0)).size, 0)
        })
      ))

    it("loses none of many costs recorded at once, whoever else spends meanwhile", () =>
      run(
        Effect.gen(function* () {
          const spender = fresh.spender()
          const colleague = { ...fresh.spender(), workspace: spender.workspace }
          const both = { ...colleague, account: spender.account }
          yield* Effect.forEach(
            Array.from({ length: 100 }, (_, i) => i),
            (i) => spend(i % 2 === 0 ? spender : both, 1n, i % 4 === 0),
            { concurrency: "unbounded" }
          )
          const { byok_usage, usage } = yield* spentBy(Subject.ofWorkspace(spender))
          assert.deepStrictEqual([usage, byok_usage], [nano(75n), nano(25n)])
        })
      ))

    it("takes back what an atomic effect recorded that failed", () =>
      run(
        Effect.gen(function* () {
          const { atomically } = yield* Atomically
          const [known, stranger] = [fresh.spender(), fresh.spender()]
          yield* spend(known, 5n)
          for (const spender of [known, stranger]) {
            yield* Effect.flip(
              atomically(Effect.andThen(spend(spender, 7n), Effect.fail("undone")))
            )
          }
          assert.strictEqual(yield* usageOf(Subject.ofKey(known.keyHash)), 5n)
          const counters = yield* SpendCounters
          const spends = yield* counters.of([Subject.ofKey(stranger.keyHash)], 0)
          assert.deepStrictEqual(Array.from(spends), [])
        })
      ))

    it("counts no further than it can, and fails for nobody", () =>
      run(
        Effect.gen(function* () {
          const [liar, other] = [fresh.spender(), fresh.spender()]
          // What two answers say that state 6e14 tokens at 10 USD a million.
          for (const amount of [
            6_000_000_000_000_000_000n,
            6_000_000_000_000_000_000n,
            2n ** 70n
          ]) {
            yield* spend(liar, amount)
            yield* spend(liar, amount, true)
            yield* spend(other, 5n)
          }
          yield* spend(liar, 1n)
          const subject = Subject.ofWorkspace(liar)
          const { byok_usage, usage } = yield* spentBy(subject)
          assert.deepStrictEqual([usage, byok_usage], [NanoUsd.most, NanoUsd.most])
          const most = BigInt(NanoUsd.most)
          assert.deepStrictEqual(yield* periods(subject), [most, most, most, most])
          assert.strictEqual(yield* usageOf(Subject.ofWorkspace(other)), 15n)
        })
      ))

    it("is exact beyond what a double holds", () =>
      run(
        Effect.gen(function* () {
          const spender = fresh.spender()
          yield* spend(spender, 9_007_199_254_740_992n)
          yield* spend(spender, 1n)
          assert.strictEqual(yield* usageOf(Subject.ofWorkspace(spender)), 9_007_199_254_740_993n)
        })
      ))
  })
}
