import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { LedgerStore } from "../../../src/engine/ledger/LedgerStore.ts"
import { getCalendar } from "../../../src/engine/ledger/Calendar.ts"
import { resolveLimit, type LimitDefinition } from "../../../src/engine/ledger/Limit.ts"
import { SpendCounters } from "../../../src/engine/ledger/SpendCounters.ts"
import * as Subject from "../../../src/engine/ledger/Subject.ts"
import { MemoryJournal } from "../../../src/memory/MemoryJournal.ts"
import * as Settings from "../../../src/instance/Settings.ts"
import { AccountId, defaultWorkspaceId } from "../../../src/values/ids/Ids.ts"
import { make as nano } from "../../../src/values/usage/NanoUsd.ts"
import { memoryLedgerStore } from "../../../src/memory/memoryLedgerStore.ts"
import { memorySpendCounters } from "../../../src/memory/memorySpendCounters.ts"

const dayMillis = 86_400_000
const calendar = getCalendar(Settings.defaults)
const start = Date.parse("2026-11-20T12:00:00Z")

const spender = { account: AccountId.make("acme"), workspace: defaultWorkspaceId }
const caps = (["daily", "weekly", "monthly", "lifetime"] as const).map(
  (interval): LimitDefinition => ({
    kind: "workspace",
    id: interval,
    subject: Subject.fromWorkspace(spender),
    interval,
    cap: nano(100n),
    countsByok: false
  })
)

/** The store keeps so few limits that most restart from recorded spending. */
const memory = memoryLedgerStore.pipe(
  Layer.provideMerge(memorySpendCounters),
  Layer.provide(MemoryJournal.layer),
  Layer.provide(Settings.layer({ maxSpendCounters: 3 }))
)

/** The remaining amount of each limit. */
const readAvailable = Effect.gen(function* () {
  const store = yield* LedgerStore
  const now = yield* Clock.currentTimeMillis
  return yield* Effect.forEach(caps, (cap) =>
    Effect.map(store.getUsage(resolveLimit(calendar, now, cap)), ({ reserved, settled }) =>
      Number(cap.cap - settled - reserved)
    )
  )
})

/** Spends as much as every limit has room for, or nothing. */
const spend = Effect.fnUntraced(function* (amount: number) {
  const store = yield* LedgerStore
  const now = yield* Clock.currentTimeMillis
  const reserved = yield* Effect.result(
    store.reserve({
      account: spender.account,
      limits: caps.slice(0, 3).map((cap) => resolveLimit(calendar, now, cap)),
      amount: nano(BigInt(amount)),
      leaseMillis: 60_000
    })
  )
  if (Result.isFailure(reserved)) return
  yield* store.settle(reserved.success, nano(BigInt(amount)))
  yield* SpendCounters.use((counters) => counters.record(spender, nano(BigInt(amount)), false, now))
})

const amount = fc.integer({ min: 1, max: 60 })
const steps = fc.array(
  fc.oneof(
    fc.record({ spend: amount }),
    fc.record({ clock: fc.integer({ min: -40 * dayMillis, max: 3 * dayMillis }) })
  ),
  { maxLength: 30 }
)

const run = (test: Effect.Effect<void, unknown, LedgerStore | SpendCounters>) =>
  Effect.runPromise(Effect.provide(test, [memory, TestClock.layer()]))

describe("a clock that is set back", () => {
  it("increases the remaining amount of no limit", () =>
    fc.assert(
      fc.asyncProperty(steps, (taken) =>
        run(
          Effect.gen(function* () {
            yield* TestClock.setTime(start)
            for (const step of taken) {
              if ("spend" in step) yield* spend(step.spend)
              else {
                const before = yield* readAvailable
                const now = yield* Clock.currentTimeMillis
                yield* TestClock.setTime(Math.max(0, now + step.clock))
                if (step.clock > 0) continue
                const after = yield* readAvailable
                for (const [index, room] of after.entries()) {
                  assert.isAtMost(room, before[index] ?? Number.NaN)
                }
              }
            }
          })
        )
      ),
      { numRuns: scaleRuns(100) }
    ))

  it("after it ran ahead still counts earlier spending", () =>
    fc.assert(
      fc.asyncProperty(
        amount,
        amount,
        fc.integer({ min: 1, max: 400 * dayMillis }),
        (before, ahead, jump) =>
          run(
            Effect.gen(function* () {
              yield* TestClock.setTime(start)
              yield* spend(before)
              const room = yield* readAvailable
              yield* TestClock.setTime(start + jump)
              yield* spend(ahead)
              yield* TestClock.setTime(start + 1)
              for (const [index, left] of (yield* readAvailable).entries()) {
                assert.isAtMost(left, room[index] ?? Number.NaN)
              }
            })
          )
      ),
      { numRuns: scaleRuns(100) }
    ))
})
