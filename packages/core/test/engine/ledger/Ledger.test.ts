import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { Ledger } from "../../../src/engine/ledger/Ledger.ts"
import { MemoryJournal, memoryTransaction } from "../../../src/memory/MemoryJournal.ts"
import { Audit } from "../../../src/engine/observability/audit/Audit.ts"
import { AuditLog } from "../../../src/engine/observability/audit/AuditLog.ts"
import * as Settings from "../../../src/instance/Settings.ts"
import { AccountId } from "../../../src/values/ids/Ids.ts"
import { make as nano, zero } from "../../../src/values/usage/NanoUsd.ts"
import { memoryAuditLog } from "../../../src/memory/memoryAuditLog.ts"
import { memoryLedgerStore } from "../../../src/memory/memoryLedgerStore.ts"
import { memorySpendCounters } from "../../../src/memory/memorySpendCounters.ts"

const memory = Ledger.layer.pipe(
  Layer.provide([Audit.layer, memoryLedgerStore]),
  Layer.provideMerge(memoryAuditLog),
  Layer.provide(memoryTransaction),
  Layer.provide([MemoryJournal.layer, Layer.provide(memorySpendCounters, MemoryJournal.layer)])
)

/** Reserves under the current limits of an account. */
const reserve = Effect.fnUntraced(function* (account: AccountId, amount: bigint) {
  const ledger = yield* Ledger
  return yield* ledger.reserve(account, yield* ledger.listCreditLimits(account), nano(amount))
})

describe("Ledger", () => {
  layer(memory)((it) => {
    it.effect("sets no limit for an account without credits", () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const account = AccountId.make("unlimited")
        assert.deepStrictEqual(yield* ledger.listCreditLimits(account), [])
        assert.isUndefined(yield* ledger.findCredits(account))
      })
    )

    it.effect("records grants in the audit log", () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const account = AccountId.make("granted")
        yield* ledger.grant(account, nano(1_500_000_000n))
        yield* ledger.grant(account, nano(1_000_000_000n))
        const { rows } = yield* AuditLog.use((log) => log.list(account, { limit: 10 }))
        assert.deepStrictEqual(
          rows.map(({ action, after, before, target }) => ({ action, target, before, after })),
          [
            [1.5, 2.5],
            [0, 1.5]
          ].map(([before, after]) => ({
            action: "credits.grant",

            after: { total_credits: after },
            before: { total_credits: before },
            target: account
          }))
        )
      })
    )

    it.effect("limits an account from its first grant on, even a grant of zero", () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const account = AccountId.make("poor")
        yield* ledger.grant(account, zero)
        const error = yield* Effect.flip(reserve(account, 1n))
        assert.deepStrictEqual(error.limit, {
          kind: "credits",
          id: account,
          interval: "lifetime",
          window: "lifetime",
          endsAt: Infinity,
          countsByok: false,
          cap: zero
        })
        assert.strictEqual(error.available, zero)
      })
    )

    it.effect("reports what an account was granted, has spent and has reserved", () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const account = AccountId.make("acme")
        yield* ledger.grant(account, nano(100n))
        yield* ledger.grant(account, nano(20n))
        const spent = yield* reserve(account, 50n)
        const released = yield* reserve(account, 40n)
        yield* reserve(account, 30n)
        assert.strictEqual((yield* Effect.flip(reserve(account, 1n))).available, zero)
        yield* spent.settle(nano(45n))
        yield* released.release
        assert.deepStrictEqual(yield* ledger.findCredits(account), {
          granted: nano(120n),
          settled: nano(45n),
          reserved: nano(30n)
        })
        yield* ledger.grant(account, nano(1n))
        yield* reserve(account, 46n)
      })
    )

    it.effect("separates accounts with any names", () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger
        for (const id of ["__proto__", "a", 'a","b']) {
          const account = AccountId.make(id)
          yield* ledger.grant(account, nano(1n))
          yield* reserve(account, 1n)
        }
      })
    )
  })

  layer(
    memory.pipe(
      Layer.provide(Settings.layer({ reservationLeaseMillis: 10_000, totalTimeoutMillis: 5_000 }))
    )
  )((it) => {
    it.effect("charges an expired reservation in full", () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const account = AccountId.make("forgetful")
        yield* ledger.grant(account, nano(10n))
        const forgotten = yield* reserve(account, 6n)
        yield* TestClock.adjust(9_999)
        yield* (yield* reserve(account, 1n)).release
        assert.deepInclude(yield* ledger.findCredits(account), {
          settled: zero,
          reserved: nano(6n)
        })
        yield* TestClock.adjust(1_001)
        yield* (yield* reserve(account, 1n)).release
        assert.deepInclude(yield* ledger.findCredits(account), {
          settled: nano(6n),
          reserved: zero
        })
        assert.deepStrictEqual(yield* forgotten.settle(nano(1n)), { charged: zero, overrun: zero })
      })
    )
  })
})
