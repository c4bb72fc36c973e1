import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { scaleRuns } from "../../../../vitest.scope.ts"
import { CounterQueue } from "../../src/ledger/CounterQueue.ts"

interface Operation {
  readonly id: number
  readonly counters: ReadonlyArray<string>
}

/** Every batch waits until the test opens it, and returns the ids of its operations. */
const makeQueue = (failing: ReadonlySet<number> = new Set()) => {
  const batches: Array<{ readonly ids: ReadonlyArray<number>; readonly open: () => void }> = []
  const running = new Set<string>()
  let time = 0
  const queue = new CounterQueue<Operation, number, string>({
    apply: (operations) =>
      Effect.suspend(() => {
        const gate = Deferred.makeUnsafe<void>()
        const counters = new Set(operations.flatMap(({ counters }) => counters))
        for (const counter of counters) {
          assert.isFalse(running.has(counter) && time < 5_000, `${counter} is in two batches`)
          running.add(counter)
        }
        batches.push({
          ids: operations.map(({ id }) => id),
          open: () => Deferred.doneUnsafe(gate, Effect.void)
        })
        return Effect.andThen(
          Deferred.await(gate),
          Effect.suspend(() => {
            for (const counter of counters) running.delete(counter)
            return operations.some(({ id }) => failing.has(id))
              ? Effect.fail("failed")
              : Effect.succeed(operations.map(({ id }) => id))
          })
        )
      }),
    isSeparable: Exit.isFailure,
    fork: (effect) => void Effect.runFork(effect),
    now: () => time
  })
  let nextId = 0
  const start = (...counters: ReadonlyArray<string>) => {
    const operation = { id: nextId++, counters }
    return Effect.runFork(queue.run(operation))
  }
  /** Lets the latest batches go on, until `done`. */
  const openAll = (done: () => boolean) =>
    Effect.repeat(
      Effect.andThen(
        Effect.sync(() => {
          for (const { open } of batches) open()
        }),
        Effect.yieldNow
      ),
      { until: done }
    )
  const pass = (millis: number): void => void (time += millis)
  return { batches, openAll, pass, start }
}

const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect)
const awaitBatches = (batches: ReadonlyArray<unknown>, count: number) =>
  Effect.repeat(Effect.yieldNow, { until: () => batches.length >= count })

describe("operations on counters", () => {
  it("run at once if nobody else wants their counters, and else with the next batch", () =>
    run(
      Effect.gen(function* () {
        const { batches, start } = makeQueue()
        const fibers = [start("a"), start("a"), start("b"), start("a")]
        assert.deepStrictEqual(
          batches.map(({ ids }) => ids),
          [[0], [2]]
        )
        batches[0]?.open()
        yield* awaitBatches(batches, 3)
        assert.deepStrictEqual(batches[2]?.ids, [1, 3])
        for (const { open } of batches) open()
        assert.deepStrictEqual(yield* Fiber.joinAll(fibers), [0, 1, 2, 3])
      })
    ))

  it("of unrelated counters run apart again, after one that joined them", () =>
    run(
      Effect.gen(function* () {
        const { batches, start } = makeQueue()
        start("a", "b")
        start("a")
        start("b")
        start("a", "c")
        batches[0]?.open()
        yield* awaitBatches(batches, 3)
        assert.sameDeepMembers(
          batches.slice(1).map(({ ids }) => ids),
          [[1, 3], [2]]
        )
      })
    ))

  it("of a hammered key leave room for those of others when a batch is full", () =>
    run(
      Effect.gen(function* () {
        const { batches, start } = makeQueue()
        start("budget", "hammered")
        for (let n = 1; n <= 1_000; n++) start("budget", "hammered")
        start("budget", "other")
        batches[0]?.open()
        yield* awaitBatches(batches, 2)
        assert.isTrue(batches[1]?.ids.includes(1_001))
        assert.isBelow(batches[1]?.ids.length ?? 0, 200)
      })
    ))

  it("leave the queue when they are interrupted while they wait", () =>
    run(
      Effect.gen(function* () {
        const { batches, start } = makeQueue()
        const first = start("a")
        const interrupted = start("a")
        const last = start("a")
        yield* Fiber.interrupt(interrupted)
        batches[0]?.open()
        yield* awaitBatches(batches, 2)
        assert.deepStrictEqual(batches[1]?.ids, [2])
        batches[1]?.open()
        yield* Fiber.joinAll([first, last])
      })
    ))

  it("wait for no batch that gets no answer for long", () =>
    run(
      Effect.gen(function* () {
        const { batches, pass, start } = makeQueue()
        const stuck = start("a")
        const waiting = start("a")
        pass(5_000)
        const last = start("a", "b")
        assert.deepStrictEqual(
          batches.map(({ ids }) => ids),
          [[0], [1]]
        )
        batches[1]?.open()
        yield* awaitBatches(batches, 3)
        batches[2]?.open()
        assert.deepStrictEqual(yield* Fiber.joinAll([waiting, last]), [1, 2])
        batches[0]?.open()
        assert.strictEqual(yield* Fiber.join(stuck), 0)
      })
    ))

  it("succeed although another one of their batch fails", () =>
    run(
      Effect.gen(function* () {
        const { openAll, start } = makeQueue(new Set([2]))
        const fibers = [start("a"), start("a"), start("a"), start("a")]
        yield* openAll(() => fibers.every((fiber) => fiber.pollUnsafe() !== undefined))
        assert.deepStrictEqual(
          fibers.map((fiber) => fiber.pollUnsafe()),
          [Exit.succeed(0), Exit.succeed(1), Exit.fail("failed"), Exit.succeed(3)]
        )
      })
    ))

  it("all end, and no two running batches share a counter, whatever they want", async () => {
    const counters = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"), { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(fc.array(counters, { maxLength: 40 }), (wanted) =>
        run(
          Effect.gen(function* () {
            const { openAll, start } = makeQueue()
            const fibers = wanted.map((each) => start(...each))
            yield* openAll(() => fibers.every((fiber) => fiber.pollUnsafe() !== undefined))
            assert.deepStrictEqual(yield* Fiber.joinAll(fibers), Array.from(wanted.keys()))
          })
        )
      ),
      { numRuns: scaleRuns(500) }
    )
  })
})
