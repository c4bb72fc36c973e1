import { StoreUnavailable } from "@signalbox/core/stores"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Metric from "effect/Metric"
import * as References from "effect/References"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "vitest"
import { makeBatchWriter } from "../src/batches/BatchWriter.ts"

/** Sums by key, and what was written of them; `gate` holds up a write. */
const makeWriter = Effect.fnUntraced(function* (changes: {
  readonly capacity?: number
  readonly size?: number
  readonly retries?: number
  readonly gate?: Effect.Effect<void>
  /** What is wrong with what it cannot write. */
  readonly refused?: (items: ReadonlyArray<number>) => unknown
}) {
  const { gate = Effect.void, refused = () => undefined, ...settings } = changes
  const written: Array<ReadonlyArray<number>> = []
  const scope = yield* Scope.make()
  const batches = yield* Scope.provide(
    makeBatchWriter<number>({
      name: "sums",
      capacity: 100,
      size: 10,
      intervalMillis: 100,
      retries: 0,
      ...settings,
      merge: (one, other) => one + other,
      describe: (item) => ({ item }),
      write: (items) =>
        Effect.andThen(
          gate,
          Effect.suspend(() => {
            const problem = refused(items)
            if (problem !== undefined) return Effect.die(problem)
            return Effect.sync(() => void written.push(items))
          })
        )
    }),
    scope
  )
  return { ...batches, written, close: Scope.close(scope, Exit.void) }
})

const unavailable = new StoreUnavailable({ cause: new Error("no answer") })

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

describe("batches", () => {
  it("are written when the interval is over, so many at a time", () =>
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

  it("join what has the same key, and what is being written is not touched any more", () =>
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

  it("drop the newest when there is no room, and count them", () =>
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

  it("are written whole when it closes", () =>
    run(
      Effect.gen(function* () {
        const { close, offer, written } = yield* makeWriter({ size: 1 })
        offer("a", 1)
        offer("b", 2)
        yield* close
        assert.deepStrictEqual(written, [[1], [2]])
      })
    ))

  it("hold up a close no longer than a store may take, though nothing answers", () =>
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
        // The first is being written: nobody can say yet what becomes of it.
        assert.strictEqual((yield* readCounts).get("signalbox_queue_failed_total"), 2)
      })
    ))

  it("held up a close for as long as what is being written had no answer", () =>
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

  it("are written once though it closes while they are being written", () =>
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

  it("that cannot be written are counted, and those after them are written", () =>
    run(
      Effect.gen(function* () {
        let tries = 0
        const gate = Effect.suspend(() => (++tries <= 2 ? Effect.die(unavailable) : Effect.void))
        const { flush, offer, written } = yield* makeWriter({ gate, retries: 1 })
        offer("a", 1)
        const flushing = yield* Effect.forkChild(flush, { startImmediately: true })
        yield* TestClock.adjust(100)
        yield* Fiber.join(flushing)
        offer("b", 2)
        yield* flush
        assert.deepStrictEqual(written, [[2]])
        assert.strictEqual((yield* readCounts).get("signalbox_queue_failed_total"), 1)
      })
    ))

  it("that hold what the store refuses are written one by one, and that one is told", () => {
    const told: Array<unknown> = []
    const logger = Logger.make(({ fiber, message }) => {
      told.push([message, fiber.getRef(References.CurrentLogAnnotations)])
    })
    return run(
      Effect.gen(function* () {
        const { flush, offer, written } = yield* makeWriter({
          retries: 3,
          refused: (items) => (items.includes(13) ? new RangeError("too large") : undefined)
        })
        for (const [key, item] of [
          ["a", 1],
          ["liar", 13],
          ["b", 2]
        ] as const)
          offer(key, item)
        // Nothing is tried again that would be refused again: no clock is moved here.
        yield* flush
        assert.deepStrictEqual(written, [[1], [2]])
        assert.strictEqual((yield* readCounts).get("signalbox_queue_failed_total"), 1)
        assert.lengthOf(told, 2)
        assert.include(JSON.stringify(told[1]), '{"item":13}')
      }).pipe(Effect.provide(Logger.layer([logger])))
    )
  })

  it("whose store was away are not written again, where nobody can say whether they were", () =>
    run(
      Effect.gen(function* () {
        let isAway = true
        const { flush, offer, written } = yield* makeWriter({
          refused: () => (isAway ? unavailable : undefined)
        })
        for (const key of ["a", "b"]) offer(key, 1)
        yield* flush
        isAway = false
        offer("c", 2)
        yield* flush
        assert.deepStrictEqual(written, [[2]])
        assert.strictEqual((yield* readCounts).get("signalbox_queue_failed_total"), 2)
      })
    ))
})
