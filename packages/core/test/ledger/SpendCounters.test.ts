import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { noSpend, SpendCounters, type Spender } from "../../src/ledger/SpendCounters.ts"
import * as Settings from "../../src/Settings.ts"
import { AccountId } from "../../src/values/AccountId.ts"
import { KeyHash } from "../../src/values/KeyHash.ts"
import { make as nano } from "../../src/values/NanoUsd.ts"
import { defaultWorkspaceId } from "../../src/values/WorkspaceId.ts"

const account = AccountId.make("acme")
const hash = (digit: string): KeyHash => KeyHash.make(digit.repeat(64))
const spender = (digit: string): Spender => ({
  account,
  workspace: defaultWorkspaceId,
  keyHash: hash(digit)
})

const at = (time: string) => TestClock.setTime(Date.parse(time))

const spend = Effect.fnUntraced(function* (amount: bigint, isByok = false, by = spender("a")) {
  const counters = yield* SpendCounters
  yield* counters.record(by, nano(amount), isByok, yield* Clock.currentTimeMillis)
})

const spent = Effect.fnUntraced(function* (digit = "a") {
  const counters = yield* SpendCounters
  return yield* counters.of(hash(digit), yield* Clock.currentTimeMillis)
})

/** Daily, weekly, monthly and in all. */
const periods = (digit?: string) =>
  Effect.map(spent(digit), ({ usage, usage_daily, usage_monthly, usage_weekly }) => [
    usage_daily,
    usage_weekly,
    usage_monthly,
    usage
  ])

const usageOf = (digit: string) => Effect.map(spent(digit), ({ usage }) => usage)

const counting = Effect.provide(SpendCounters.layerMemory)

describe("SpendCounters", () => {
  it.effect("begins each day, each week on Monday and each month at midnight in UTC", () =>
    Effect.gen(function* () {
      // A Saturday.
      yield* at("2026-10-31T23:59:59.999Z")
      yield* spend(1n)
      assert.deepStrictEqual(yield* periods(), [1n, 1n, 1n, 1n])
      yield* at("2026-11-01T00:00:00.000Z")
      assert.deepStrictEqual(yield* periods(), [0n, 1n, 0n, 1n])
      yield* spend(10n)
      assert.deepStrictEqual(yield* periods(), [10n, 11n, 10n, 11n])
      yield* at("2026-11-02T00:00:00.000Z")
      assert.deepStrictEqual(yield* periods(), [0n, 0n, 10n, 11n])
      yield* spend(100n)
      yield* at("2026-11-08T23:59:59.999Z")
      assert.deepStrictEqual(yield* periods(), [0n, 100n, 110n, 111n])
      yield* at("2027-11-02T00:00:00.000Z")
      assert.deepStrictEqual(yield* periods(), [0n, 0n, 0n, 111n])
    }).pipe(counting)
  )

  it.effect("counts what own credentials paid for apart", () =>
    Effect.gen(function* () {
      yield* spend(3n)
      yield* spend(4n, true)
      assert.deepStrictEqual(yield* spent(), {
        usage: nano(3n),
        usage_daily: nano(3n),
        usage_weekly: nano(3n),
        usage_monthly: nano(3n),
        byok_usage: nano(4n),
        byok_usage_daily: nano(4n),
        byok_usage_weekly: nano(4n),
        byok_usage_monthly: nano(4n)
      })
    }).pipe(counting)
  )

  it.effect("counts each key by itself, and all of them and the application for the account", () =>
    Effect.gen(function* () {
      yield* spend(1n)
      yield* spend(2n, false, spender("b"))
      yield* spend(4n, false, { account, workspace: defaultWorkspaceId })
      assert.strictEqual((yield* spent("a")).usage, nano(1n))
      assert.strictEqual((yield* spent("b")).usage, nano(2n))
      assert.deepStrictEqual(yield* spent("c"), noSpend)
      const counters = yield* SpendCounters
      assert.strictEqual((yield* counters.ofAccount(account, 0)).usage, nano(7n))
    }).pipe(counting)
  )

  it.effect(
    "takes what is told late for what it was: it counts for good, and in no later period",
    () =>
      Effect.gen(function* () {
        const counters = yield* SpendCounters
        yield* at("2026-11-02T00:00:00.000Z")
        yield* spend(1n)
        yield* counters.record(
          spender("a"),
          nano(10n),
          false,
          Date.parse("2026-11-01T23:59:59.999Z")
        )
        assert.deepStrictEqual(yield* periods(), [1n, 1n, 11n, 11n])
      }).pipe(counting)
  )

  it.effect("keeps so many keys, and forgets the one that spent least recently", () =>
    Effect.gen(function* () {
      yield* spend(1n, false, spender("a"))
      yield* spend(1n, false, spender("b"))
      yield* spend(1n, false, spender("a"))
      yield* spend(1n, false, spender("c"))
      assert.deepStrictEqual(yield* Effect.forEach(["a", "b", "c"], usageOf), [
        nano(2n),
        nano(0n),
        nano(1n)
      ])
    }).pipe(
      Effect.provide(
        SpendCounters.layerMemory.pipe(Layer.provide(Settings.layer({ spendCountersKept: 2 })))
      )
    )
  )
})
