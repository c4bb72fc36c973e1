import { DurableJobsContract } from "@signalbox/testing/contracts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "vitest"
import { DurableJobs } from "../../../src/engine/jobs/DurableJobs.ts"
import * as JobKind from "../../../src/engine/jobs/JobKind.ts"
import { JobStore } from "../../../src/engine/jobs/JobStore.ts"
import { MemoryJournal, memoryTransaction } from "../../../src/memory/MemoryJournal.ts"
import * as Settings from "../../../src/instance/Settings.ts"
import { memoryJobStore } from "../../../src/memory/memoryJobStore.ts"
import { memoryLedgerStore } from "../../../src/memory/memoryLedgerStore.ts"
import { memorySpendCounters } from "../../../src/memory/memorySpendCounters.ts"

const jobs = DurableJobs.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(memoryTransaction, memoryJobStore, memoryLedgerStore)),
  Layer.provide([MemoryJournal.layer, Layer.provide(memorySpendCounters, MemoryJournal.layer)]),
  Layer.provideMerge(TestClock.layer())
)

DurableJobsContract("in memory", jobs, {
  advanceTime: (seconds) => TestClock.adjust(seconds * 1_000)
})

const kind = JobKind.make({ name: "kind", payload: Schema.Int, maxAttempts: 3 })
const offer = (n: number) =>
  DurableJobs.use(({ offer }) => offer(kind, { id: "job", key: `job-${n}`, payload: n }))

/** Runs a test, and returns what it logs. */
const run = (
  settings: Partial<Settings.SettingsShape>,
  test: (
    lines: ReadonlyArray<string>
  ) => Effect.Effect<void, unknown, DurableJobs | JobStore | Scope.Scope>
): Promise<void> => {
  const lines: Array<string> = []
  const logger = Logger.make(
    ({ cause, message }) => void lines.push(JSON.stringify([message, cause]))
  )
  return Effect.runPromise(
    test(lines).pipe(
      Effect.scoped,
      Effect.provide(
        jobs.pipe(Layer.provideMerge([Settings.layer(settings), Logger.layer([logger])]))
      )
    )
  )
}

// The contract tests every store; these tests cover what only this process shows.
describe("DurableJobs", () => {
  it("logs the errors of a step by name, because messages may contain secrets", () =>
    run({}, (lines) =>
      Effect.gen(function* () {
        yield* DurableJobs.use(({ work }) =>
          work(kind, {
            run: () => Effect.fail({ _tag: "Refused", words: "sk-secret" }),
            onExhausted: () => Effect.fail({ _tag: "Deaf", words: "sk-secret" })
          })
        )
        yield* offer(1)
        yield* TestClock.adjust("10 seconds")
        assert.isAbove(lines.length, 3)
        assert.notInclude(lines.join("\n"), "sk-secret")
      })
    ))

  it("waits longer after each attempt", () =>
    run({}, () =>
      Effect.gen(function* () {
        const at: Array<number> = []
        yield* DurableJobs.use(({ work }) =>
          work(JobKind.make({ ...kind, maxAttempts: 12 }), {
            run: () =>
              Effect.andThen(
                Effect.clockWith((clock) => clock.currentTimeMillis),
                (now) =>
                  Effect.andThen(
                    Effect.sync(() => void at.push(now)),
                    Effect.fail("why")
                  )
              ),
            onExhausted: () => Effect.void
          })
        )
        yield* offer(1)
        yield* TestClock.adjust("1 hour")
        assert.lengthOf(at, 12)
        const gaps = at.slice(1).map((millis, index) => (millis - (at[index] ?? 0)) / 1_000)
        for (const [index, gap] of gaps.entries()) {
          const stated = Math.min(2 ** index, 300)
          assert.isAtLeast(gap, stated * 0.8)
          assert.isAtMost(gap, stated * 1.2)
        }
      })
    ))

  it("warns once about waiting steps of a kind without a worker", () =>
    run({ jobMaintenanceMillis: 1_000 }, (lines) =>
      Effect.gen(function* () {
        yield* offer(1)
        yield* offer(2)
        yield* TestClock.adjust("5 seconds")
        assert.deepStrictEqual(lines.filter((line) => line.includes("wait")).length, 1)
        assert.include(lines.join("\n"), "2 steps of kind wait")
      })
    ))

  it("purges what finished long ago", () =>
    run({ jobMaintenanceMillis: 1_000, jobStepRetentionMillis: 5_000 }, () =>
      Effect.gen(function* () {
        const ran: Array<number> = []
        yield* DurableJobs.use(({ work }) =>
          work(kind, {
            run: (n) => Effect.sync(() => void ran.push(n)),
            onExhausted: () => Effect.void
          })
        )
        yield* offer(1)
        yield* TestClock.adjust("4 seconds")
        yield* offer(1)
        yield* TestClock.adjust("3 seconds")
        yield* offer(1)
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(ran, [1, 1])
      })
    ))

  it("keeps a bounded number of finished keys and dead letters in memory, the latest ones", () =>
    run({ maxJobSteps: 10 }, () =>
      Effect.gen(function* () {
        const ran: Array<number> = []
        yield* DurableJobs.use(({ work }) =>
          work(JobKind.make({ ...kind, maxAttempts: 1 }), {
            run: (n) =>
              Effect.suspend(() => {
                ran.push(n)
                return n % 2 === 0 ? Effect.void : Effect.fail("why")
              }),
            onExhausted: () => Effect.void
          })
        )
        const offerAll = Effect.forEach(
          Array.from({ length: 100 }, (_, n) => n),
          (n) => Effect.andThen(offer(n), TestClock.adjust(1))
        )
        yield* offerAll
        const { rows } = yield* JobStore.use(({ listDeadLetters }) =>
          listDeadLetters({ limit: 100 })
        )
        assert.lengthOf(rows, 10)
        assert.strictEqual(rows[0]?.key, "job-99")
        yield* offer(95)
        yield* offer(1)
        yield* TestClock.adjust(1)
        assert.deepStrictEqual(ran.slice(100), [1])
      })
    ))

  it("rejects a key that no store can hold", () =>
    run({}, () =>
      Effect.gen(function* () {
        const key = "k".repeat(256)
        const { offer } = yield* DurableJobs
        const refused = yield* Effect.exit(offer(kind, { id: "job", key, payload: 1 }))
        assert.include(String(refused), "too long")
      })
    ))
})
