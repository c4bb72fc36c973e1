/** A test suite for implementations of `DurableJobs` and `JobStore`. */
import { setTimeout } from "node:timers/promises"
import { DurableJobs, type Worker } from "@signalbox/core/adapter"
import {
  Transaction,
  type DeadLetter,
  JobKind,
  JobStore,
  LedgerStore,
  NanoUsd
} from "@signalbox/core/stores"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { assert, describe, it } from "vitest"
import * as fresh from "./fixtures.ts"

type JobReport = Effect.Success<DurableJobs["Service"]["listReports"]>[number]

type Services = DurableJobs | JobStore | Transaction | LedgerStore

export interface DurableJobsContractOptions {
  /**
   * Moves the clock of the store and of its services, or waits until it has moved. Default: waits.
   */
  readonly advanceTime?: (seconds: number) => Effect.Effect<void>
  /** For a store that processes share. */
  readonly shared?: {
    /** The same store as another process sees it. */
    readonly other: Layer.Layer<Services, unknown>
    /** The same store for a process that never renews its leases. */
    readonly frozen: Layer.Layer<Services, unknown>
    /**
     * The same store for a process that takes over leases of `millis`, a few seconds. The others have leases that no busy
     * machine outlasts.
     */
    readonly heir: { readonly layer: Layer.Layer<Services, unknown>; readonly millis: number }
  }
}

const Payload = Schema.Struct({ n: Schema.Int, words: Schema.Record(Schema.String, Schema.String) })
type Payload = typeof Payload.Type

/** A new kind, whose steps are tried three times, one second apart. */
const makeKind = (changes: Partial<JobKind.JobKind<Payload>> = {}): JobKind.JobKind<Payload> =>
  JobKind.make({
    name: `kind-${crypto.randomUUID()}`,
    payload: Payload,
    maxAttempts: 3,
    retry: Schedule.spaced("1 second"),
    ...changes
  })

const payload: Payload = { n: 1, words: JSON.parse('{"__proto__":"ä😀","constructor":""}') }
const makeStep = (n: number) => ({ id: "job", key: `job-${n}`, payload: { ...payload, n } })

const offerStep = (kind: JobKind.JobKind<Payload>, n: number, delay?: number) =>
  DurableJobs.use((jobs) =>
    jobs.offer(kind, { ...makeStep(n), ...(delay === undefined ? undefined : { delay }) })
  )
const runAtomically = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Transaction.use((port) => port.withTransaction(effect))

interface CompletedStep {
  readonly n: number
  readonly attempt: number
}

/** Works on a kind, and records its runs and dead letters. */
const startWorker = Effect.fnUntraced(function* (
  kind: JobKind.JobKind<Payload>,
  run: Worker<Payload, unknown, never>["run"] = () => Effect.void
) {
  const ran: Array<CompletedStep> = []
  const dead: Array<DeadLetter> = []
  yield* DurableJobs.use((jobs) =>
    jobs.work(kind, {
      run: (given, attempt) => {
        ran.push({ n: given.n, attempt: attempt.attempt })
        return run(given, attempt)
      },
      onExhausted: (received) => Effect.sync(() => void dead.push(received))
    })
  )
  return { ran, dead }
})

const anHour = 3_600_000

/** Long enough for work that is due to finish. */
const aWhile = Effect.promise(() => setTimeout(20))

const findReport = (kind: { readonly name: string }) =>
  Effect.map(
    DurableJobs.use((jobs) => jobs.listReports),
    (reports) => reports.find((report) => report.kind === kind.name)
  )

const listDeadLetters = (kind: { readonly name: string }) =>
  Effect.map(
    JobStore.use((store) => store.listDeadLetters({ limit: 1_000_000 })),
    ({ rows }) => rows.filter((row) => row.kind === kind.name)
  )

/** Waits without moving the clock, as long as a busy machine may need. */
const waitUntil = Effect.fnUntraced(function* (what: string, isSo: () => boolean) {
  for (let tries = 0; !isSo(); tries++) {
    assert.isBelow(tries, 2_500, `did not happen in time: ${what}`)
    yield* aWhile
  }
})

/** The outcome of an attempt is stored after the attempt, and a dead letter after `onExhausted`. */
const waitUntilStored = Effect.fnUntraced(function* (
  kind: { readonly name: string },
  stored: Partial<JobReport>
) {
  for (let tries = 0; ; tries++) {
    const report = yield* findReport(kind)
    if (report !== undefined && Equal.equals({ ...report, ...stored }, report)) return
    assert.isBelow(tries, 2_500, `was not stored in time: ${JSON.stringify(stored)}`)
    yield* aWhile
  }
})

/**
 * Declares the tests in a vitest file: `DurableJobsContract("postgres", layer)`. Each test uses new
 * kinds, so the store need not be empty.
 */
export const DurableJobsContract = (
  implementation: string,
  layer: Layer.Layer<Services, unknown>,
  {
    advanceTime = (seconds) => Effect.sleep(seconds * 1_000),
    shared
  }: DurableJobsContractOptions = {}
): void => {
  const run = (test: Effect.Effect<void, unknown, Services | Scope.Scope>): Promise<void> =>
    Effect.runPromise(
      test.pipe(Effect.scoped, Effect.provide(Layer.provideMerge(layer, Logger.layer([]))))
    )
  /** Moves the clock second by second until `isSo` returns true. */
  const within = Effect.fnUntraced(function* (seconds: number, what: string, isSo: () => boolean) {
    for (let second = 0; second < seconds; second++) {
      yield* aWhile
      if (isSo()) return
      yield* advanceTime(1)
    }
    yield* waitUntil(what, isSo)
  })

  // Not concurrent with the other tests, because the purge would remove their steps.
  describe(`DurableJobs, retention: ${implementation}`, { timeout: 120_000 }, () => {
    it("purges finished steps and dead letters after their retention, and nothing else", () =>
      run(
        Effect.gen(function* () {
          const store = yield* JobStore
          const kind = makeKind({ maxAttempts: 1 })
          const { ran } = yield* startWorker(kind, ({ n }) =>
            n === 2 ? Effect.fail("why") : Effect.void
          )
          yield* offerStep(kind, 1)
          yield* offerStep(kind, 2)
          yield* offerStep(kind, 3, anHour)
          yield* waitUntilStored(kind, { succeeded: 1, died: 1, running: 0 })
          yield* store.purgeExpired({ finishedMillis: anHour, deadMillis: anHour })
          assert.lengthOf(yield* listDeadLetters(kind), 1)
          yield* offerStep(kind, 1)
          yield* advanceTime(2)
          assert.lengthOf(ran, 2)
          yield* store.purgeExpired({ finishedMillis: 1_000, deadMillis: 1_000 })
          assert.lengthOf(yield* listDeadLetters(kind), 0)
          assert.strictEqual((yield* findReport(kind))?.later, 1)
          yield* offerStep(kind, 1)
          yield* within(3, "it has run again", () => ran.length === 3)
          assert.deepStrictEqual(
            ran.map(({ n }) => n).toSorted((a, b) => a - b),
            [1, 1, 2]
          )
        })
      ))
  })

  describe.concurrent(`DurableJobs: ${implementation}`, { timeout: 120_000 }, () => {
    it("runs steps offered before and after the worker starts, with their payload, id and key", () =>
      run(
        Effect.gen(function* () {
          const kind = makeKind()
          yield* offerStep(kind, 1)
          const given: Array<unknown> = []
          const { ran } = yield* startWorker(kind, (what, { attempt, id, key }) =>
            Effect.sync(() => void given.push({ what, id, key, attempt }))
          )
          yield* waitUntil("the first has run", () => ran.length === 1)
          yield* offerStep(kind, 2)
          yield* waitUntil("the second has run", () => ran.length === 2)
          assert.deepStrictEqual(
            given,
            [1, 2].map((n) => ({
              what: { ...payload, n },
              id: "job",
              key: `job-${n}`,
              attempt: 1
            }))
          )
        })
      ))

    it("runs a key once, even if it is offered again before, during and after its run", () =>
      run(
        Effect.gen(function* () {
          const kind = makeKind()
          const gate = yield* Deferred.make<void>()
          yield* offerStep(kind, 1)
          yield* offerStep(kind, 1)
          const { ran } = yield* startWorker(kind, () => Deferred.await(gate))
          yield* waitUntil("it runs", () => ran.length === 1)
          yield* offerStep(kind, 1)
          yield* Deferred.succeed(gate, undefined)
          yield* aWhile
          yield* offerStep(kind, 1)
          yield* offerStep(kind, 2)
          yield* within(3, "another has run", () => ran.some(({ n }) => n === 2))
          assert.deepStrictEqual(
            ran.map(({ n }) => n),
            [1, 2]
          )
        })
      ))

    it("runs a key once if many offer it concurrently", () =>
      run(
        Effect.gen(function* () {
          const kind = makeKind()
          const { ran } = yield* startWorker(kind)
          yield* Effect.all(
            Array.from({ length: 20 }, () => runAtomically(offerStep(kind, 1))),
            { concurrency: "unbounded" }
          )
          yield* offerStep(kind, 2)
          yield* within(3, "both have run", () => ran.length >= 2)
          assert.sameMembers(
            ran.map(({ n }) => n),
            [1, 2]
          )
        })
      ))

    it("runs the same key of two kinds as two steps", () =>
      run(
        Effect.gen(function* () {
          const [one, other] = [makeKind(), makeKind()]
          yield* offerStep(one, 1)
          yield* offerStep(other, 1)
          const first = yield* startWorker(one)
          const second = yield* startWorker(other)
          yield* waitUntil("both have run", () => first.ran.length + second.ran.length === 2)
          assert.deepStrictEqual(first.ran, second.ran)
        })
      ))

    it("runs each of 1,000 steps once with a concurrency of eight", () =>
      run(
        Effect.gen(function* () {
          const kind = makeKind({ concurrency: 8 })
          let running = 0
          let most = 0
          const together = yield* Deferred.make<void>()
          const { ran } = yield* startWorker(kind, () =>
            Effect.suspend(() => {
              most = Math.max(most, ++running)
              if (running > 1) Deferred.doneUnsafe(together, Effect.void)
              return Effect.andThen(
                Deferred.await(together),
                Effect.sync(() => void running--)
              )
            })
          )
          const all = Array.from({ length: 1_000 }, (_, n) => n)
          yield* Effect.forEach(all, (n) => offerStep(kind, n), { concurrency: 8 })
          yield* within(20, "all have run", () => ran.length >= 1_000 && running === 0)
          assert.sameMembers(
            ran.map(({ n }) => n),
            all
          )
          assert.isAtMost(most, 8)
        })
      ))

    it("runs a delayed step only when it is due", () =>
      run(
        Effect.gen(function* () {
          const kind = makeKind()
          const ranAt = new Map<number, number>()
          const { ran } = yield* startWorker(kind, ({ n }) =>
            Effect.map(Clock.currentTimeMillis, (now) => void ranAt.set(n, now))
          )
          const offeredAt = yield* Clock.currentTimeMillis
          yield* offerStep(kind, 1, 2_500)
          yield* offerStep(kind, 2)
          yield* within(5, "both have run", () => ranAt.size === 2)
          // Stores count whole seconds: of three, the first has begun before.
          assert.isAtLeast(ranAt.get(1) ?? 0, offeredAt + 2_000)
          assert.lengthOf(ran, 2)
        })
      ))

    it("runs a step only after the transaction that offered it has committed", () =>
      run(
        Effect.gen(function* () {
          const kind = makeKind()
          const account = fresh.makeAccountId()
          const { ran } = yield* startWorker(kind)
          const [offered, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
          const writing = yield* Effect.forkChild(
            runAtomically(
              Effect.gen(function* () {
                yield* LedgerStore.use((ledger) => ledger.grant(account, NanoUsd.make(1n)))
                yield* runAtomically(offerStep(kind, 1))
                yield* Deferred.succeed(offered, undefined)
                yield* Deferred.await(end)
              })
            )
          )
          yield* Deferred.await(offered)
          yield* aWhile
          assert.deepStrictEqual(ran, [])
          yield* Deferred.succeed(end, undefined)
          yield* Fiber.join(writing)
          yield* within(3, "it has run", () => ran.length === 1)
          assert.strictEqual(
            yield* LedgerStore.use((ledger) => ledger.findGrantedCredits(account)),
            NanoUsd.make(1n)
          )
        })
      ))

    it.each([
      ["fails", Effect.fail("no")],
      ["dies", Effect.die("no")],
      ["is interrupted", Effect.interrupt]
    ])("discards a step and its key if the transaction that offered it %s", (_, ending) =>
      run(
        Effect.gen(function* () {
          const kind = makeKind()
          const account = fresh.makeAccountId()
          const { ran } = yield* startWorker(kind)
          yield* Effect.exit(
            runAtomically(
              LedgerStore.use((ledger) => ledger.grant(account, NanoUsd.make(1n))).pipe(
                Effect.andThen(runAtomically(offerStep(kind, 1))),
                Effect.andThen(ending)
              )
            )
          )
          yield* offerStep(kind, 2)
          yield* within(3, "another has run", () => ran.length > 0)
          assert.isUndefined(yield* LedgerStore.use((ledger) => ledger.findGrantedCredits(account)))
          yield* offerStep(kind, 1)
          yield* within(3, "it has run", () => ran.length > 1)
          assert.deepStrictEqual(
            ran.map(({ n }) => n),
            [2, 1]
          )
        })
      )
    )

    it("discards the steps of a failed nested transaction, and keeps those of the outer one", () =>
      run(
        Effect.gen(function* () {
          const kind = makeKind()
          const { ran } = yield* startWorker(kind)
          yield* runAtomically(
            Effect.gen(function* () {
              yield* offerStep(kind, 1)
              yield* Effect.exit(
                runAtomically(Effect.andThen(offerStep(kind, 2), Effect.fail("no")))
              )
              yield* offerStep(kind, 3)
            })
          )
          yield* within(3, "two have run", () => ran.length >= 2)
          yield* aWhile
          assert.sameMembers(
            ran.map(({ n }) => n),
            [1, 3]
          )
        })
      ))

    it.each([
      ["fails", Effect.fail("why")],
      ["dies", Effect.die("why")],
      ["interrupts itself", Effect.interrupt],
      ["takes too long", Effect.never]
    ])("retries a step that %s, and passes the attempt number", (_, ending) =>
      run(
        Effect.gen(function* () {
          const kind = makeKind({ timeoutMillis: 1_000 })
          const { dead, ran } = yield* startWorker(kind, (_, { attempt }) =>
            attempt === 1 ? ending : Effect.void
          )
          yield* offerStep(kind, 1)
          yield* within(5, "it has run twice", () => ran.length === 2)
          assert.deepStrictEqual(ran, [
            { n: 1, attempt: 1 },
            { n: 1, attempt: 2 }
          ])
          assert.deepStrictEqual(dead, [])
        })
      )
    )

    it.each([
      ["Error", Effect.fail("sk-secret")],
      ["Refused", Effect.fail({ _tag: "Refused", words: "sk-secret" })],
      ["Defect", Effect.die("sk-secret")],
      ["Interrupted", Effect.interrupt],
      ["TimeoutError", Effect.never]
    ])("calls onExhausted once for a dead step, and stores the reason: %s", (reason, ending) =>
      run(
        Effect.gen(function* () {
          const kind = makeKind({ timeoutMillis: 1_000 })
          const { dead, ran } = yield* startWorker(kind, ({ n }) =>
            n === 1 ? ending : Effect.void
          )
          yield* offerStep(kind, 1)
          yield* within(12, "it is dead", () => dead.length > 0)
          yield* offerStep(kind, 1)
          yield* advanceTime(3)
          yield* aWhile
          assert.deepStrictEqual(
            ran.map(({ attempt }) => attempt),
            [1, 2, 3]
          )
          yield* waitUntilStored(kind, { failed: 3, died: 1, due: 0, later: 0, running: 0 })
          assert.lengthOf(dead, 1)
          const [{ at, offeredAt, ...rest }] = dead as [DeadLetter]
          assert.deepStrictEqual(rest, {
            kind: kind.name,
            id: "job",
            key: "job-1",
            payload,
            attempts: 3,
            reason
          })
          assert.isTrue(Number.isSafeInteger(at))
          assert.isBelow(offeredAt ?? Infinity, at)
          assert.deepStrictEqual(yield* listDeadLetters(kind), dead)
        })
      )
    )

    it("calls onExhausted until it succeeds, and keeps only the writes of that call", () =>
      run(
        Effect.gen(function* () {
          const kind = makeKind({ maxAttempts: 1 })
          const account = fresh.makeAccountId()
          const received: Array<DeadLetter> = []
          let runs = 0
          yield* DurableJobs.use((jobs) =>
            jobs.work(kind, {
              run: () => Effect.suspend(() => Effect.fail(`${++runs}`)),
              onExhausted: (dead) =>
                Effect.gen(function* () {
                  received.push(dead)
                  yield* LedgerStore.use((ledger) => ledger.grant(account, NanoUsd.make(1n)))
                  if (received.length < 3) return yield* Effect.fail("deaf")
                })
            })
          )
          yield* offerStep(kind, 1)
          yield* within(10, "it was heard", () => received.length === 3)
          yield* advanceTime(3)
          yield* aWhile
          yield* waitUntilStored(kind, { died: 1 })
          assert.lengthOf(received, 3)
          assert.strictEqual(runs, 1)
          assert.lengthOf(yield* listDeadLetters(kind), 1)
          assert.strictEqual(
            yield* LedgerStore.use((ledger) => ledger.findGrantedCredits(account)),
            NanoUsd.make(1n)
          )
        })
      ))

    it("does not call onExhausted for a step that is already dead-lettered", () =>
      run(
        Effect.gen(function* () {
          const store = yield* JobStore
          const kind = makeKind({ maxAttempts: 1 })
          const recorded: DeadLetter = {
            kind: kind.name,
            id: "job",
            key: "job-1",
            payload: [null, { "ä😀": 0.1 }],
            attempts: 1,
            reason: "Lost",
            at: (yield* Clock.currentTimeMillis) + 60_000
          }
          assert.isTrue(yield* store.deadLetter(recorded))
          assert.isFalse(yield* store.deadLetter({ ...recorded, reason: "Error" }))
          const { dead, ran } = yield* startWorker(kind, () => Effect.fail("why"))
          yield* offerStep(kind, 1)
          yield* offerStep(kind, 2)
          yield* within(3, "both have run", () => ran.length === 2 && dead.length > 0)
          assert.deepStrictEqual(
            dead.map(({ key }) => key),
            ["job-2"]
          )
          yield* waitUntilStored(kind, { died: 1 })
          assert.deepStrictEqual(yield* listDeadLetters(kind), [...dead, recorded])
        })
      ))

    it("calls onExhausted for a step that died, was offered again and died again", () =>
      run(
        Effect.gen(function* () {
          const store = yield* JobStore
          const kind = makeKind({ maxAttempts: 1 })
          const earlier: DeadLetter = {
            kind: kind.name,
            id: "job",
            key: "job-1",
            payload: null,
            attempts: 1,
            reason: "Lost",
            at: (yield* Clock.currentTimeMillis) - 60_000
          }
          assert.isTrue(yield* store.deadLetter(earlier))
          const { dead } = yield* startWorker(kind, () => Effect.fail("why"))
          yield* offerStep(kind, 1)
          yield* within(3, "it is dead", () => dead.length > 0)
          yield* waitUntilStored(kind, { died: 1 })
          assert.deepStrictEqual(yield* listDeadLetters(kind), dead)
        })
      ))

    it("rolls back a dead letter with its transaction", () =>
      run(
        Effect.gen(function* () {
          const store = yield* JobStore
          const { name } = makeKind()
          const step = {
            kind: name,
            id: "job",
            key: "job-1",
            payload: null,
            attempts: 1,
            reason: "Lost",
            at: 1
          }
          yield* Effect.exit(
            runAtomically(Effect.andThen(store.deadLetter(step), Effect.fail("no")))
          )
          assert.deepStrictEqual(yield* listDeadLetters({ name }), [])
          assert.isTrue(yield* runAtomically(store.deadLetter(step)))
          assert.deepStrictEqual(yield* listDeadLetters({ name }), [step])
        })
      ))

    it("counts a step that waits for a retry as later", () =>
      run(
        Effect.gen(function* () {
          const kind = makeKind({ retry: Schedule.spaced("1 hour") })
          const { ran } = yield* startWorker(kind, () => Effect.fail("why"))
          yield* offerStep(kind, 1)
          yield* waitUntilStored(kind, { due: 0, later: 1, running: 0, oldestMillis: 0 })
          assert.lengthOf(ran, 1)
        })
      ))

    it("dead-letters a step with an undecodable payload without running it", () =>
      run(
        Effect.gen(function* () {
          const older = JobKind.make({ name: makeKind().name, payload: Schema.String })
          yield* DurableJobs.use((jobs) =>
            jobs.offer(older, { id: "job", key: "job-1", payload: "of old" })
          )
          const { dead, ran } = yield* startWorker(makeKind({ name: older.name }))
          yield* waitUntil("it is dead", () => dead.length > 0)
          const [{ attempts, id, key, payload: held, reason }] = dead as [DeadLetter]
          assert.deepStrictEqual(
            { attempts, id, key, held, reason },
            { attempts: 1, id: "job", key: "job-1", held: "of old", reason: "Undecodable" }
          )
          assert.deepStrictEqual(ran, [])
        })
      ))

    it("reports the steps of a kind without a worker as waiting", () =>
      run(
        Effect.gen(function* () {
          const kind = makeKind()
          yield* offerStep(kind, 1)
          yield* advanceTime(2)
          const waiting = yield* findReport(kind)
          assert.deepStrictEqual([waiting?.worked, waiting?.due], [false, 1])
          const { ran } = yield* startWorker(kind)
          yield* waitUntil("it has run", () => ran.length === 1)
          assert.isTrue((yield* findReport(kind))?.worked)
        })
      ))

    it("reports the due, later and running steps, and the age of the oldest", () =>
      run(
        Effect.gen(function* () {
          const kind = makeKind({ concurrency: 1 })
          const { ran } = yield* startWorker(kind, () => Effect.never)
          yield* offerStep(kind, 1)
          yield* waitUntil("one runs", () => ran.length === 1)
          yield* offerStep(kind, 2)
          yield* advanceTime(2)
          yield* offerStep(kind, 3)
          yield* offerStep(kind, 4, anHour)
          const { oldestMillis = 0, ...counted } = (yield* findReport(kind)) ?? {}
          assert.deepStrictEqual(counted, {
            kind: kind.name,
            worked: true,
            due: 2,
            later: 1,
            running: 1,
            succeeded: 0,
            failed: 0,
            died: 0
          })
          assert.isAtLeast(oldestMillis, 1_000)
          assert.isBelow(oldestMillis, 120_000)
        })
      ))

    it("releases running steps when their worker ends, without counting the attempt", () =>
      run(
        Effect.gen(function* () {
          const kind = makeKind()
          const scope = yield* Scope.make()
          const first = yield* Scope.provide(
            startWorker(kind, () => Effect.never),
            scope
          )
          yield* offerStep(kind, 1)
          yield* waitUntil("it runs", () => first.ran.length === 1)
          yield* Scope.close(scope, Exit.void)
          assert.strictEqual((yield* findReport(kind))?.due, 1)
          const second = yield* startWorker(kind)
          yield* waitUntil("it has run", () => second.ran.length === 1)
          assert.deepStrictEqual(second.ran, [{ n: 1, attempt: 1 }])
        })
      ))

    it("rejects a second worker of the same kind", () =>
      run(
        Effect.gen(function* () {
          const kind = makeKind()
          yield* startWorker(kind)
          assert.isTrue(Exit.hasDies(yield* Effect.exit(startWorker(kind))))
        })
      ))

    if (shared === undefined) return
    const { frozen, heir, other } = shared

    it("runs steps that another process has offered", () =>
      run(
        Effect.gen(function* () {
          const kind = makeKind()
          const { ran } = yield* startWorker(kind)
          const elsewhere = yield* Layer.build(Layer.fresh(other))
          yield* Effect.provideContext(offerStep(kind, 1), elsewhere)
          yield* within(4, "it has run", () => ran.length === 1)
          assert.deepStrictEqual(ran, [{ n: 1, attempt: 1 }])
        })
      ))

    it("runs each of 200 steps once in two processes that share them", () =>
      run(
        Effect.gen(function* () {
          const kind = makeKind({ concurrency: 8 })
          const elsewhere = yield* Layer.build(Layer.fresh(other))
          const begun = yield* Deferred.make<void>()
          const here = yield* startWorker(kind, () => Deferred.await(begun))
          const there = yield* Effect.provideContext(
            startWorker(kind, () => Deferred.succeed(begun, undefined)),
            elsewhere
          )
          const all = Array.from({ length: 200 }, (_, n) => n)
          yield* Effect.forEach(all, (n) => offerStep(kind, n), { concurrency: 8 })
          yield* within(20, "all have run", () => here.ran.length + there.ran.length >= 200)
          assert.sameMembers(
            [...here.ran, ...there.ran].map(({ n }) => n),
            all
          )
        })
      ))

    it("takes over the steps of a process that stopped renewing its leases, and counts its attempt", () =>
      run(
        Effect.gen(function* () {
          const kind = makeKind()
          const silent = yield* Layer.build(Layer.fresh(frozen))
          const first = yield* Effect.provideContext(
            startWorker({ ...kind, concurrency: 1 }, () => Effect.never),
            silent
          )
          const offeredAt = yield* Clock.currentTimeMillis
          yield* offerStep(kind, 1)
          yield* within(4, "it runs there", () => first.ran.length === 1)
          const elsewhere = yield* Layer.build(Layer.fresh(heir.layer))
          // With one run at a time, the heir cannot take over from itself.
          const second = yield* Effect.provideContext(
            startWorker({ ...kind, concurrency: 1 }),
            elsewhere
          )
          yield* within(8, "it has run here", () => second.ran.length === 1)
          assert.isAtLeast(yield* Clock.currentTimeMillis, offeredAt + heir.millis)
          assert.deepStrictEqual(second.ran, [{ n: 1, attempt: 2 }])
        })
      ))

    it("dead-letters a step whose process died during its last attempt", () =>
      run(
        Effect.gen(function* () {
          const kind = makeKind({ maxAttempts: 1 })
          const silent = yield* Layer.build(Layer.fresh(frozen))
          const first = yield* Effect.provideContext(
            startWorker({ ...kind, concurrency: 1 }, () => Effect.never),
            silent
          )
          yield* offerStep(kind, 1)
          yield* within(4, "it runs there", () => first.ran.length === 1)
          const elsewhere = yield* Layer.build(Layer.fresh(heir.layer))
          const second = yield* Effect.provideContext(
            startWorker({ ...kind, concurrency: 1 }),
            elsewhere
          )
          yield* within(8, "it is dead", () => second.dead.length === 1)
          assert.deepStrictEqual(second.ran, [])
          assert.strictEqual(second.dead[0]?.reason, "Lost")
        })
      ))

    it("releases running steps to another process when one closes", () =>
      run(
        Effect.gen(function* () {
          const kind = makeKind()
          const scope = yield* Scope.make()
          const closing = yield* Layer.buildWithScope(Layer.fresh(other), scope)
          const first = yield* startWorker(kind, () => Effect.never).pipe(
            Effect.provideContext(Context.merge(closing, Context.make(Scope.Scope, scope)))
          )
          yield* offerStep(kind, 1)
          yield* within(4, "it runs there", () => first.ran.length === 1)
          yield* Scope.close(scope, Exit.void)
          const second = yield* startWorker(kind)
          yield* waitUntil("it has run here", () => second.ran.length === 1)
          assert.deepStrictEqual(second.ran, [{ n: 1, attempt: 1 }])
        })
      ))
  })
}
