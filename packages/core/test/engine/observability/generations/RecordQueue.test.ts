import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import * as Settings from "../../../../src/instance/Settings.ts"
import {
  makeRecordQueue,
  maxWaitingRecords,
  type RecordQueue
} from "../../../../src/engine/observability/generations/RecordQueue.ts"

const delayMillis = 5
const storeTimeoutMillis = 1_000

/** A queue whose batches are seen. */
const observe = (
  write: (batch: ReadonlyArray<number>) => Effect.Effect<void> = () => Effect.void
): {
  readonly batches: Array<ReadonlyArray<number>>
  readonly make: (delay?: number) => Effect.Effect<RecordQueue<number>, never, Scope.Scope>
} => {
  const batches: Array<ReadonlyArray<number>> = []
  return {
    batches,
    make: (recordDelayMillis = delayMillis) =>
      makeRecordQueue<number>((batch) => {
        batches.push(batch)
        return write(batch)
      }).pipe(Effect.provide(Settings.layer({ recordDelayMillis, storeTimeoutMillis })))
  }
}

describe("RecordQueue", () => {
  it.effect("writes what has come within the delay together, in order", () =>
    Effect.gen(function* () {
      const { batches, make } = observe()
      const queue = yield* make()
      yield* queue.offer(1)
      yield* TestClock.adjust(delayMillis - 1)
      yield* queue.offer(2)
      assert.deepStrictEqual(batches, [])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(batches, [[1, 2]])
      yield* queue.offer(3)
      yield* TestClock.adjust(delayMillis)
      assert.deepStrictEqual(batches, [[1, 2], [3]])
    })
  )

  it.effect("keeps every record of a loop that never lets a timer run", () =>
    Effect.gen(function* () {
      const { batches, make } = observe()
      const queue = yield* make()
      for (let record = 0; record < 10_000; record++) {
        // An effect that has its result already, so the loop is not left.
        assert.isTrue(Effect.isEffect(queue.offer(record)))
      }
      const full = Math.floor(10_000 / maxWaitingRecords)
      assert.strictEqual(batches.length, full)
      yield* queue.flush()
      assert.deepStrictEqual(
        batches.flat(),
        Array.from({ length: 10_000 }, (_, record) => record)
      )
    })
  )

  it.effect("makes a read wait for what is being written, and no request", () =>
    Effect.gen(function* () {
      const written = yield* Deferred.make<void>()
      const { make } = observe(() => Deferred.await(written))
      const queue = yield* make()
      yield* queue.offer(1)
      yield* TestClock.adjust(delayMillis)
      yield* queue.offer(2)
      const reading = yield* Effect.forkChild(queue.flush(), { startImmediately: true })
      assert.isUndefined(reading.pollUnsafe())
      yield* Deferred.succeed(written, undefined)
      yield* Fiber.join(reading)
    })
  )

  it.effect("holds up a caller that fills it faster than a store writes", () =>
    Effect.gen(function* () {
      const written = yield* Deferred.make<void>()
      const { make } = observe(() => Deferred.await(written))
      const queue = yield* make()
      const filling = yield* Effect.forkChild(
        Effect.forEach(Array(maxWaitingRecords).keys(), queue.offer, { discard: true }),
        { startImmediately: true }
      )
      assert.isUndefined(filling.pollUnsafe())
      yield* Deferred.succeed(written, undefined)
      yield* Fiber.join(filling)
    })
  )

  it.effect("goes on after a write that dies", () =>
    Effect.gen(function* () {
      let writes = 0
      const { batches, make } = observe(() => {
        writes++
        if (writes === 1) throw new Error("at once")
        return writes === 2 ? Effect.die(new Error("later")) : Effect.void
      })
      const queue = yield* make()
      for (const record of [1, 2, 3]) {
        yield* queue.offer(record)
        yield* queue.flush()
      }
      assert.deepStrictEqual(batches, [[1], [2], [3]])
    })
  )

  it.effect("does not lose a batch with the fiber that reads", () =>
    Effect.gen(function* () {
      const written = yield* Deferred.make<void>()
      let stored = 0
      const { make } = observe(() =>
        Effect.andThen(
          Deferred.await(written),
          Effect.sync(() => void stored++)
        )
      )
      const queue = yield* make()
      yield* queue.offer(1)
      const reading = yield* Effect.forkChild(
        Effect.suspend(() => queue.flush()),
        { startImmediately: true }
      )
      yield* Fiber.interrupt(reading)
      yield* Deferred.succeed(written, undefined)
      yield* queue.flush()
      assert.strictEqual(stored, 1)
    })
  )

  it.effect("writes the last records when it is closed, and later ones at once", () =>
    Effect.gen(function* () {
      const { batches, make } = observe()
      const queue = yield* Effect.scoped(Effect.tap(make(), ({ offer }) => offer(1)))
      assert.deepStrictEqual(batches, [[1]])
      yield* queue.offer(2)
      assert.deepStrictEqual(batches, [[1], [2]])
    })
  )

  it.effect("does not keep a closing instance waiting for a store that never answers", () =>
    Effect.gen(function* () {
      const { make } = observe(() => Effect.never)
      const closing = yield* Effect.forkChild(
        Effect.scoped(Effect.tap(make(), ({ offer }) => offer(1))),
        { startImmediately: true }
      )
      yield* TestClock.adjust(storeTimeoutMillis - 1)
      assert.isUndefined(closing.pollUnsafe())
      yield* TestClock.adjust(1)
      yield* Fiber.join(closing)
    }).pipe(Effect.provide(Logger.layer([])))
  )

  it.effect("without a delay, makes each caller wait for its record", () =>
    Effect.gen(function* () {
      const written = yield* Deferred.make<void>()
      const { make } = observe(() => Deferred.await(written))
      const queue = yield* make(0)
      const offering = yield* Effect.forkChild(queue.offer(1), { startImmediately: true })
      assert.isUndefined(offering.pollUnsafe())
      yield* Deferred.succeed(written, undefined)
      yield* Fiber.join(offering)
    })
  )
})
