import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { LedgerStore } from "../../../src/engine/ledger/LedgerStore.ts"
import type { Limit } from "../../../src/engine/ledger/Limit.ts"
import { SpendCounters } from "../../../src/engine/ledger/SpendCounters.ts"
import { MemoryJournal } from "../../../src/memory/MemoryJournal.ts"
import * as Subject from "../../../src/engine/ledger/Subject.ts"
import * as Settings from "../../../src/instance/Settings.ts"
import { AccountId, WorkspaceId, defaultAccountId } from "../../../src/values/ids/Ids.ts"
import { make as nano, zero } from "../../../src/values/usage/NanoUsd.ts"
import { memoryLedgerStore } from "../../../src/memory/memoryLedgerStore.ts"
import { memorySpendCounters } from "../../../src/memory/memorySpendCounters.ts"

const memory = memoryLedgerStore.pipe(
  Layer.provide([MemoryJournal.layer, Layer.provide(memorySpendCounters, MemoryJournal.layer)])
)
const limit: Limit = {
  kind: "credits",
  id: "expiring",
  interval: "lifetime",
  window: "lifetime",
  endsAt: Infinity,
  countsByok: false,
  cap: nano(10n)
}
const leaseMillis = 60_000

describe("LedgerStore in memory", () => {
  it.effect.each([
    { when: "a millisecond before its lease is over", at: leaseMillis - 1, settled: zero },
    { when: "at the very end of its lease", at: leaseMillis, settled: nano(6n) }
  ])("charges $settled for a reservation $when", ({ at, settled }) =>
    Effect.gen(function* () {
      const store = yield* LedgerStore
      const reserve = (amount: bigint) =>
        store.reserve({
          account: defaultAccountId,
          limits: [limit],
          amount: nano(amount),
          leaseMillis
        })
      const expiring = yield* reserve(6n)
      yield* TestClock.adjust(at)
      yield* reserve(1n)
      const reserved = nano(7n - settled)
      assert.deepStrictEqual(yield* store.getUsage(limit), { settled, reserved })
      const { charged } = yield* store.settle(expiring, nano(2n))
      assert.strictEqual(charged, settled === zero ? nano(2n) : zero)
    }).pipe(Effect.provide(memory))
  )

  it.effect("does not evict the counters of the reservation that it makes", () =>
    Effect.gen(function* () {
      const store = yield* LedgerStore
      const limits = ["a", "b", "c"].map((account) => makeLimit(spender(account)))
      const request = { account: defaultAccountId, limits, amount: nano(6n), leaseMillis }
      yield* store.reserve(request)
      const { available } = yield* Effect.flip(store.reserve(request))
      assert.strictEqual(available, nano(4n))
      for (const each of limits) {
        assert.deepStrictEqual(yield* store.getUsage(each), { settled: zero, reserved: nano(6n) })
      }
    }).pipe(Effect.provide(memory.pipe(Layer.provide(Settings.layer({ maxSpendCounters: 1 })))))
  )

  it.effect(
    "keeps the most recently used counters, and restarts others from recorded spending",
    () =>
      Effect.gen(function* () {
        const store = yield* LedgerStore
        const counters = yield* SpendCounters
        const spend = Effect.fnUntraced(function* (spender: Subject.Spender, recorded: boolean) {
          const limits = [makeLimit(spender)]
          const id = yield* store.reserve({ ...spender, limits, amount: nano(2n), leaseMillis })
          yield* store.settle(id, nano(2n))
          if (recorded) yield* counters.record(spender, nano(2n), false, 0)
        })
        const [recorded, unrecorded, reserving] = [spender("r"), spender("u"), spender("h")]
        const credits = { ...limit, id: "never forgotten" }
        yield* store.reserve({ ...reserving, limits: [credits], amount: nano(3n), leaseMillis })
        const held = { ...reserving, limits: [makeLimit(reserving)], amount: nano(4n), leaseMillis }
        yield* store.reserve(held)
        yield* spend(recorded, true)
        yield* spend(unrecorded, false)
        const usage = (of: Subject.Spender) => store.getUsage(makeLimit(of))
        assert.deepStrictEqual(yield* usage(unrecorded), { settled: nano(2n), reserved: zero })

        for (let i = 0; i < 100_000; i++) yield* spend(spender(`other ${i}`), false)
        assert.deepStrictEqual(yield* usage(recorded), { settled: nano(2n), reserved: zero })
        // Unrecorded spending is lost with the evicted counter.
        assert.deepStrictEqual(yield* usage(unrecorded), { settled: zero, reserved: zero })
        assert.deepStrictEqual(yield* usage(reserving), { settled: zero, reserved: nano(4n) })
        assert.deepStrictEqual(yield* store.getUsage(credits), {
          settled: zero,
          reserved: nano(3n)
        })
        const kept = yield* Effect.filter(
          Array.from({ length: 100_000 }, (_, i) => spender(`other ${i}`)),
          (each) => Effect.map(usage(each), ({ settled }) => settled > zero)
        )
        assert.lengthOf(kept, 1000)
        assert.strictEqual(kept.at(-1)?.workspace, "other 99999")
      }).pipe(
        Effect.provide(
          Layer.provideMerge(memory, Layer.provide(memorySpendCounters, MemoryJournal.layer)).pipe(
            Layer.provide(Settings.layer({ maxSpendCounters: 1000 }))
          )
        )
      )
  )

  it.effect("does not evict one account's limits for those of another", () =>
    Effect.gen(function* () {
      const store = yield* LedgerStore
      const mine = makeLimit(spender("mine"))
      const reserve = (account: AccountId, limit: Limit) =>
        store.reserve({ account, limits: [limit], amount: nano(10n), leaseMillis })
      yield* store.settle(yield* reserve(defaultAccountId, mine), nano(10n))
      for (let i = 0; i < 100; i++) {
        const theirs = makeLimit(spender(`theirs ${i}`))
        yield* store.release(yield* reserve(AccountId.make("other"), theirs))
      }
      yield* Effect.flip(reserve(defaultAccountId, mine))
      assert.strictEqual((yield* store.getUsage(mine)).settled, nano(10n))
    }).pipe(Effect.provide(memory.pipe(Layer.provide(Settings.layer({ maxSpendCounters: 10 })))))
  )

  it.effect("evicts the limits of a day more than a day after it, in every account", () =>
    Effect.gen(function* () {
      const store = yield* LedgerStore
      const today: Limit = {
        ...makeLimit(spender("lab")),
        interval: "daily",
        window: "1970-01-01",
        endsAt: dayMillis
      }
      const spend = (account: string, under: Limit) =>
        Effect.flatMap(
          store.reserve({
            account: AccountId.make(account),
            limits: [under],
            amount: nano(4n),
            leaseMillis
          }),
          (id) => store.settle(id, nano(4n))
        )
      yield* spend("acme", today)
      yield* TestClock.setTime(2 * dayMillis - 1)
      yield* spend("other", makeLimit(spender("elsewhere")))
      assert.strictEqual((yield* store.getUsage(today)).settled, nano(4n))
      yield* TestClock.setTime(3 * dayMillis)
      yield* spend("other", makeLimit(spender("elsewhere")))
      assert.strictEqual((yield* store.getUsage(today)).settled, zero)
    }).pipe(Effect.provide(memory))
  )
})

const dayMillis = 86_400_000

/** A spender in the workspace with that name. */
const spender = (workspace: string): Subject.Spender => ({
  account: defaultAccountId,
  workspace: WorkspaceId.make(workspace)
})
const makeLimit = (of: Subject.Spender): Limit => ({
  ...limit,
  id: of.workspace,
  subject: Subject.fromWorkspace(of)
})
