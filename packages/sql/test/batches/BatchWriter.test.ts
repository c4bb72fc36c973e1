import { StoreUnavailable } from "@signalbox/core/stores"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Metric from "effect/Metric"
import * as References from "effect/References"
import * as Scope from "effect/Scope"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "vitest"
import { makeBatchWriter } from "../../src/batches/BatchWriter.ts"
import { StorageMonitor } from "../../src/connection/StorageMonitor.ts"

/** A writer of sums by key. Each write waits for `gate`. */
const makeWriter = Effect.fnUntraced(function* (changes: {
  readonly capacity?: number
  readonly size?: number
  readonly gate?: Effect.Effect<void>
  /** Returns the defect that a write of these items dies with. */
  readonly rejectWith?: (items: ReadonlyArray<number>) => unknown
}) {
  const { gate = Effect.void, rejectWith = () => undefined, ...settings } = changes
  const written: Array<ReadonlyArray<number>> = []
  const ids: Array<string> = []
  const scope = yield* Scope.make()
  const batches = yield* Scope.provide(
    makeBatchWriter<number>({
      name: "sums",
      capacity: 100,
      size: 10,
      intervalMillis: 100,
      ...settings,
      merge: (one, other) => one + other,
      describe: (item) => ({ item }),
      write: (items, id) =>
        Effect.andThen(
          Effect.andThen(
            Effect.sync(() => void ids.push(id)),
            gate
          ),
          Effect.suspend(() => {
            const problem = rejectWith(items)
            if (problem !== undefined) return Effect.die(problem)
            return Effect.sync(() => void written.push(items))
          })
        )
    }),
    scope
  )
  return {
    ...batches,
    offer: (key: string, item: number): void => void batches.offer([[key, item]]),
    offerAndWait: (key: string, item: number) => batches.offer([[key, item]]),
    written,
    /** The id of each attempt to write. */
    ids,
    close: Scope.close(scope, Exit.void)
  }
})

const unavailable = new StoreUnavailable({ cause: new Error("no answer") })

const readOnly = new StoreUnavailable({
  cause: new SqlError({ reason: new UnknownError({ cause: { severity: "ERROR", code: "25006" } }) })
})

const readCounts = Effect.map(
  Metric.snapshot,
  (metrics) =>
    new Map(
      metrics.map(({ id, state }) => [id, "count" in state ? Number(state.count) : undefined])
    )
)

const run = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) =>
  Effect.runPromise(
    Effect.scoped(effect).pipe(
      Effect.provide(TestClock.layer()),
      Effect.provideService(Metric.MetricRegistry, new Map())
    )
  )

describe("a batch writer", () => {
  it("writes batches of the given size after the interval", () =>
    run(
      Effect.gen(function* () {
        const { offer, written } = yield* makeWriter({ size: 2 })
        for (const [at, key] of ["a", "b", "c"].entries()) offer(key, at)
        yield* TestClock.adjust(99)
        assert.deepStrictEqual(written, [])
        yield* TestClock.adjust(1)
        assert.deepStrictEqual(written, [[0, 1], [2]])
        offer("d", 3)
        yield* TestClock.adjust(100)
        assert.deepStrictEqual(written, [[0, 1], [2], [3]])
      })
    ))

  it("writes nothing while the database cannot be used, so that no write waits for a timeout", () => {
    let isAvailable = false
    return run(
      Effect.gen(function* () {
        const { offer, written } = yield* makeWriter({
          rejectWith: () => (isAvailable ? undefined : unavailable)
        })
        offer("a", 1)
        yield* TestClock.adjust("1 hour")
        isAvailable = true
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(written, [[1]])
      }).pipe(
        Effect.provideService(StorageMonitor, {
          isAvailable: () => isAvailable,
          addQueue: () => undefined
        })
      )
    )
  })

  it("merges items of one key, except into an item that is being written", () =>
    run(
      Effect.gen(function* () {
        const gate = yield* Deferred.make<void>()
        const { find, flush, offer, written } = yield* makeWriter({ gate: Deferred.await(gate) })
        offer("a", 1)
        offer("a", 2)
        assert.strictEqual(find("a"), 3)
        const flushing = yield* Effect.forkChild(flush, { startImmediately: true })
        assert.strictEqual(find("a"), 3)
        offer("a", 10)
        assert.strictEqual(find("a"), 10)
        yield* Deferred.succeed(gate, undefined)
        yield* Fiber.join(flushing)
        yield* flush
        assert.deepStrictEqual(written, [[3], [10]])
        assert.isUndefined(find("a"))
      })
    ))

  it("drops and counts the newest items when the queue is full", () =>
    run(
      Effect.gen(function* () {
        const { flush, offer, written } = yield* makeWriter({ capacity: 2 })
        for (const key of ["a", "b", "c", "d"]) offer(key, 1)
        offer("a", 1)
        yield* flush
        assert.deepStrictEqual(written, [[2, 1]])
        assert.strictEqual((yield* readCounts).get("signalbox_queue_dropped_total"), 2)
      })
    ))

  it("makes those who offer wait for the writer once the queue is half full, for a second at most", () =>
    run(
      Effect.gen(function* () {
        const gate = yield* Deferred.make<void>()
        const { offerAndWait, written } = yield* makeWriter({
          capacity: 4,
          size: 2,
          gate: Deferred.await(gate)
        })
        assert.isTrue(Exit.isExit(offerAndWait("a", 1)))
        const waiting = yield* Effect.forkChild(offerAndWait("b", 2), { startImmediately: true })
        yield* TestClock.adjust(99)
        assert.isUndefined(waiting.pollUnsafe())
        yield* Deferred.succeed(gate, undefined)
        yield* Fiber.join(waiting)
        assert.deepStrictEqual(written, [[1, 2]])
      })
    ))

  it("does not wait for the interval once the queue is half full", () =>
    run(
      Effect.gen(function* () {
        const { offerAndWait, written } = yield* makeWriter({ capacity: 4, size: 2 })
        for (let item = 0; item < 100; item++) yield* offerAndWait(`item-${item}`, item)
        assert.isAtLeast(written.flat().length, 98)
        assert.isUndefined((yield* readCounts).get("signalbox_queue_dropped_total"))
      })
    ))

  it("keeps items that a read-only database rejected until it takes them", () =>
    run(
      Effect.gen(function* () {
        let isReadOnly = true
        const { offer, written } = yield* makeWriter({
          rejectWith: () => (isReadOnly ? readOnly : undefined)
        })
        offer("a", 1)
        yield* TestClock.adjust(60_000)
        offer("a", 2)
        assert.deepStrictEqual(written, [])
        isReadOnly = false
        yield* TestClock.adjust(2_000)
        assert.deepStrictEqual(written, [[1], [2]])
        assert.isUndefined((yield* readCounts).get("signalbox_queue_failed_total"))
      })
    ))

  it("writes every waiting item when it closes", () =>
    run(
      Effect.gen(function* () {
        const { close, offer, written } = yield* makeWriter({ size: 1 })
        offer("a", 1)
        offer("b", 2)
        yield* close
        assert.deepStrictEqual(written, [[1], [2]])
      })
    ))

  it("closes after the store timeout when the store does not answer", () =>
    run(
      Effect.gen(function* () {
        const { close, find, offer, written } = yield* makeWriter({ size: 1, gate: Effect.never })
        for (const [at, key] of ["a", "b", "c"].entries()) offer(key, at)
        const closing = yield* Effect.forkChild(close, { startImmediately: true })
        yield* TestClock.adjust(9_999)
        assert.isUndefined(closing.pollUnsafe())
        yield* TestClock.adjust(1)
        yield* Fiber.join(closing)
        assert.deepStrictEqual(written, [])
        assert.isUndefined(find("b"))
        // The first item is still being written, so it does not count as lost.
        assert.strictEqual((yield* readCounts).get("signalbox_queue_failed_total"), 2)
      })
    ))

  it("closes after the store timeout while a write is in progress", () =>
    run(
      Effect.gen(function* () {
        const { close, offer } = yield* makeWriter({ size: 1, gate: Effect.never })
        for (const [at, key] of ["a", "b", "c"].entries()) offer(key, at)
        yield* TestClock.adjust(100)
        const closing = yield* Effect.forkChild(close, { startImmediately: true })
        yield* TestClock.adjust(10_000)
        assert.isDefined(closing.pollUnsafe())
        assert.strictEqual((yield* readCounts).get("signalbox_queue_failed_total"), 2)
      })
    ))

  it("writes an item once when it closes during the write", () =>
    run(
      Effect.gen(function* () {
        const gate = yield* Deferred.make<void>()
        const { close, offer, written } = yield* makeWriter({ gate: Deferred.await(gate) })
        offer("a", 1)
        yield* TestClock.adjust(100)
        const closing = yield* Effect.forkChild(close, { startImmediately: true })
        yield* Deferred.succeed(gate, undefined)
        yield* Fiber.join(closing)
        assert.deepStrictEqual(written, [[1]])
      })
    ))

  it("repeats a batch of unknown outcome as it was, under its id, and before later ones", () =>
    run(
      Effect.gen(function* () {
        let isDown = true
        const { find, ids, offer, written } = yield* makeWriter({
          rejectWith: () => (isDown ? unavailable : undefined)
        })
        offer("a", 1)
        yield* TestClock.adjust(1_000)
        offer("a", 2)
        assert.strictEqual(find("a"), 2)
        isDown = false
        yield* TestClock.adjust(3_000)
        assert.deepStrictEqual(written, [[1], [2]])
        // The last attempt is that of the second batch.
        assert.strictEqual(new Set(ids.slice(0, -1)).size, 1)
        assert.strictEqual(new Set(ids).size, 2)
        assert.isUndefined((yield* readCounts).get("signalbox_queue_failed_total"))
      })
    ))

  it("counts items of unknown outcome against the capacity, and drops the newest", () =>
    run(
      Effect.gen(function* () {
        let isDown = true
        const { offer, written } = yield* makeWriter({
          capacity: 2,
          rejectWith: () => (isDown ? unavailable : undefined)
        })
        offer("a", 1)
        yield* TestClock.adjust(1_000)
        offer("b", 2)
        offer("c", 3)
        isDown = false
        yield* TestClock.adjust(3_000)
        assert.deepStrictEqual(written, [[1], [2]])
        assert.strictEqual((yield* readCounts).get("signalbox_queue_dropped_total"), 1)
      })
    ))

  it("writes a rejected batch item by item and logs the invalid item", () => {
    const logged: Array<unknown> = []
    const logger = Logger.make(({ fiber, message }) => {
      logged.push([message, fiber.getRef(References.CurrentLogAnnotations)])
    })
    return run(
      Effect.gen(function* () {
        const { flush, offer, written } = yield* makeWriter({
          rejectWith: (items) => (items.includes(13) ? new RangeError("too large") : undefined)
        })
        for (const [key, item] of [
          ["a", 1],
          ["invalid", 13],
          ["b", 2]
        ] as const)
          offer(key, item)
        // A retry would wait for the test clock, which does not move here.
        yield* flush
        assert.deepStrictEqual(written, [[1], [2]])
        assert.strictEqual((yield* readCounts).get("signalbox_queue_failed_total"), 1)
        assert.lengthOf(logged, 2)
        assert.include(JSON.stringify(logged[1]), '{"item":13}')
      }).pipe(Effect.provide(Logger.layer([logger])))
    )
  })
})
