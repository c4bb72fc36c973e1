import { assert, it } from "vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { Transaction } from "../../../src/instance/Transaction.ts"
import { Ledger, type Reservation } from "../../../src/engine/ledger/Ledger.ts"
import { LedgerStore } from "../../../src/engine/ledger/LedgerStore.ts"
import type { Limit } from "../../../src/engine/ledger/Limit.ts"
import { Audit } from "../../../src/engine/observability/audit/Audit.ts"
import { MemoryJournal, memoryTransaction } from "../../../src/memory/MemoryJournal.ts"
import { defaultAccountId } from "../../../src/values/ids/Ids.ts"
import { make as nano, zero } from "../../../src/values/usage/NanoUsd.ts"
import { memoryAuditLog } from "../../../src/memory/memoryAuditLog.ts"
import { memoryLedgerStore } from "../../../src/memory/memoryLedgerStore.ts"
import { memorySpendCounters } from "../../../src/memory/memorySpendCounters.ts"

// Every step says how often its fiber yields first.
const step = fc.record({
  pauses: fc.nat(3),
  verb: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("reserve" as const),
        amount: fc.bigInt({ min: 0n, max: 40n }),
        guarded: fc.boolean()
      })
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant("settle" as const),
        which: fc.nat(9),
        owed: fc.bigInt({ min: 1n, max: 60n })
      })
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant("release" as const), which: fc.nat(9) })
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant("grant" as const),
        amount: fc.bigInt({ min: 0n, max: 30n })
      })
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant("wait" as const), millis: fc.nat(200_000) })
    }
  )
})
type Step = typeof step extends fc.Arbitrary<infer Step> ? Step : never
const programs = fc.array(fc.array(step, { maxLength: 12 }), { minLength: 1, maxLength: 5 })

/** A second limit besides the account's credits, which applies to some reservations. */
const guard: Limit = {
  kind: "credits",
  id: "guard",
  interval: "monthly",
  window: "2026-11-01",
  endsAt: Infinity,
  countsByok: false,
  cap: nano(60n)
}

interface OpenReservation {
  readonly reservation: Reservation
  readonly amount: bigint
  readonly guarded: boolean
  ends: number
}

const interleave = Effect.fnUntraced(function* (fibers: ReadonlyArray<ReadonlyArray<Step>>) {
  const ledger = yield* Ledger
  const store = yield* LedgerStore
  const { withTransaction } = yield* Transaction
  const expected = { credits: 0n, guard: 0n }
  const open: Array<OpenReservation> = []
  yield* ledger.grant(defaultAccountId, nano(50n))

  const check = Effect.gen(function* () {
    const { granted, reserved, settled } = (yield* ledger.findCredits(defaultAccountId))!
    const guarded = yield* store.getUsage(guard)
    for (const part of [settled, reserved, guarded.settled, guarded.reserved]) {
      assert.isTrue(part >= 0n)
    }
    assert.isTrue(settled + reserved <= granted, `${settled} + ${reserved} > ${granted}`)
    assert.isTrue(guarded.settled + guarded.reserved <= guard.cap)
  })

  // In one transaction, so that no write happens between two reads.
  const capped = withTransaction(check)

  const charge = (amount: bigint, guarded: boolean) => {
    expected.credits += amount
    if (guarded) expected.guard += amount
  }

  const settle = Effect.fnUntraced(function* (ending: OpenReservation, owed: bigint) {
    const isFirst = ending.ends++ === 0
    const { charged, overrun } = yield* ending.reservation.settle(nano(owed))
    if (charged + overrun === owed) {
      assert.isTrue(isFirst, "a reservation ended twice")
      assert.isTrue(charged >= (owed < ending.amount ? owed : ending.amount))
      charge(charged, ending.guarded)
    } else {
      assert.strictEqual(charged + overrun, 0n)
      // A first end without effect comes after the lease has expired.
      if (isFirst) charge(ending.amount, ending.guarded)
    }
  })

  const release = Effect.fnUntraced(function* (ending: OpenReservation) {
    if (ending.ends++ > 0) return yield* ending.reservation.release
    const freed = yield* withTransaction(
      Effect.gen(function* () {
        const before = (yield* ledger.findCredits(defaultAccountId))!.reserved
        yield* ending.reservation.release
        return before - (yield* ledger.findCredits(defaultAccountId))!.reserved
      })
    )
    if (freed !== ending.amount) charge(ending.amount, ending.guarded)
  })

  yield* Effect.forEach(
    fibers,
    Effect.fnUntraced(function* (steps) {
      for (const { pauses, verb } of steps) {
        for (let i = 0; i < pauses; i++) yield* Effect.yieldNow
        switch (verb.do) {
          case "reserve": {
            const limits = yield* ledger.listCreditLimits(defaultAccountId)
            // The limits may be outdated by now.
            for (let i = 0; i < pauses; i++) yield* Effect.yieldNow
            const reserved = yield* Effect.result(
              ledger.reserve(
                defaultAccountId,
                verb.guarded ? [...limits, guard] : limits,
                nano(verb.amount)
              )
            )
            if (Result.isSuccess(reserved)) {
              const { amount, guarded } = verb
              open.push({ reservation: reserved.success, amount, guarded, ends: 0 })
            } else {
              const { amount, available } = reserved.failure
              assert.isTrue(amount > available)
            }
            break
          }
          case "settle": {
            const ending = open.at(verb.which % Math.max(open.length, 1))
            if (ending !== undefined) yield* settle(ending, verb.owed)
            break
          }
          case "release": {
            const ending = open.at(verb.which % Math.max(open.length, 1))
            if (ending !== undefined) yield* release(ending)
            break
          }
          case "grant":
            yield* ledger.grant(defaultAccountId, nano(verb.amount))
            break
          case "wait":
            yield* TestClock.adjust(verb.millis)
        }
        yield* capped
      }
    }),
    { concurrency: "unbounded", discard: true }
  )

  for (const ending of open) if (ending.ends === 0) yield* settle(ending, 1n)
  yield* capped
  const ended = (yield* ledger.findCredits(defaultAccountId))!
  const guarded = yield* store.getUsage(guard)

  // Everything that is free now can be reserved to the last nano-USD, and no more.
  const limits = yield* ledger.listCreditLimits(defaultAccountId)
  const left = ended.granted - ended.settled
  yield* Effect.flip(ledger.reserve(defaultAccountId, limits, nano(left + 1n)))
  if (left > 0n) yield* ledger.reserve(defaultAccountId, limits, nano(left))
  return { expected, settled: ended.settled, reserved: ended.reserved, guarded }
})

it("keeps settled + reserved within every limit, and loses no money, however fibers interleave", async () => {
  const layer = Layer.mergeAll(
    Ledger.layer.pipe(
      Layer.provideMerge([memoryLedgerStore, Audit.layer]),
      Layer.provideMerge([memoryAuditLog, memoryTransaction]),
      Layer.provide([MemoryJournal.layer, Layer.provide(memorySpendCounters, MemoryJournal.layer)])
    ),
    TestClock.layer()
  )
  await fc.assert(
    fc.asyncProperty(programs, async (fibers) => {
      const { expected, guarded, reserved, settled } = await Effect.runPromise(
        Effect.provide(interleave(fibers), layer)
      )
      assert.strictEqual(settled, nano(expected.credits))
      assert.strictEqual(guarded.settled, nano(expected.guard))
      assert.strictEqual(reserved, zero)
      assert.strictEqual(guarded.reserved, zero)
    }),
    { numRuns: scaleRuns(1_000) }
  )
})
