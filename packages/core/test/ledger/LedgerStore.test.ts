import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { LedgerStore } from "../../src/ledger/LedgerStore.ts"
import type { Limit } from "../../src/ledger/Limit.ts"
import { SpendCounters } from "../../src/ledger/SpendCounters.ts"
import { MemoryJournal } from "../../src/MemoryJournal.ts"
import { defaultAccountId } from "../../src/values/AccountId.ts"
import { make as nano, zero } from "../../src/values/NanoUsd.ts"

const memory = LedgerStore.layerMemory.pipe(
  Layer.provide([MemoryJournal.layer, SpendCounters.layerMemory])
)
const limit: Limit = {
  kind: "credits",
  id: "lapsing",
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
  ])("asked $when, has charged a reservation $settled", ({ at, settled }) =>
    Effect.gen(function* () {
      const store = yield* LedgerStore
      const reserve = (amount: bigint) =>
        store.reserve({
          account: defaultAccountId,
          limits: [limit],
          amount: nano(amount),
          leaseMillis
        })
      const lapsing = yield* reserve(6n)
      yield* TestClock.adjust(at)
      yield* reserve(1n)
      const reserved = nano(7n - settled)
      assert.deepStrictEqual(yield* store.usage(limit), { settled, reserved })
      const { charged } = yield* store.settle(lapsing, nano(2n))
      assert.strictEqual(charged, settled === zero ? nano(2n) : zero)
    }).pipe(Effect.provide(memory))
  )
})
