/** A test suite for implementations of `ExperimentStore`. */
import {
  type ExperimentEnd,
  type ExperimentMeasures,
  ExperimentStore,
  NanoUsd,
  Transaction
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import { makeRunTest } from "./makeRunTest.ts"

/**
 * Declares the tests in a vitest file: `ExperimentStoreContract("postgres", layer)`. The layer has the store and its
 * transactions.
 */
export const ExperimentStoreContract = (
  implementation: string,
  layer: Layer.Layer<ExperimentStore | Transaction, unknown>
): void => {
  const run = makeRunTest(layer)

  describe(`ExperimentStore: ${implementation}`, () => {
    it("opens an experiment once, as a first run without measures", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ExperimentStore
          const id = makeId()
          const opened = yield* store.open(id, 1_000)
          assert.include(opened, { id, run: 1, status: "running", startedAt: 1_000 })
          assert.strictEqual(opened.total.trial.requests, 0)
          assert.deepStrictEqual(yield* store.open(id, 2_000), opened)
        })
      ))

    it("adds up exactly what many processes measure at once", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ExperimentStore
          const id = makeId()
          yield* Effect.forEach(
            Array.from({ length: 20 }, (_, i) => i),
            (i) => store.add(id, 1, makeMeasures(i), 1_000),
            { concurrency: "unbounded" }
          )
          const { total } = yield* store.open(id, 2_000)
          assert.deepInclude(total.trial, { requests: 20, errors: 0, cost: NanoUsd.make(190n) })
          assert.strictEqual(total.trial.costSquares, 2_470n)
          assert.strictEqual(total.trial.latency.count, 20)
          assert.deepInclude(total, { compared: 20, agreed: 10, skipped: 20, unmeasured: 20 })
        })
      ))

    it("keeps amounts beyond what a double can say", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ExperimentStore
          const id = makeId()
          const cost = NanoUsd.make(2n ** 60n + 1n)
          const costSquares = cost * cost
          const { total } = yield* store.add(
            id,
            1,
            { ...makeMeasures(0), trial: { ...makeMeasures(0).trial, cost, costSquares } },
            0
          )
          assert.deepInclude(total.trial, { cost, costSquares })
          assert.deepInclude((yield* store.open(id, 0)).total.trial, { cost, costSquares })
        })
      ))

    it("knows no squares of costs once a process of an earlier version has measured", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ExperimentStore
          const id = makeId()
          yield* store.add(id, 1, makeMeasures(1), 0)
          const { costSquares: _, ...former } = makeMeasures(2).trial
          yield* store.add(id, 1, { ...makeMeasures(2), trial: former }, 0)
          const { total } = yield* store.add(id, 1, makeMeasures(3), 0)
          assert.deepInclude(total.trial, { requests: 3, cost: NanoUsd.make(6n) })
          assert.isUndefined(total.trial.costSquares)
          assert.strictEqual(total.control.costSquares, 0n)
        })
      ))

    it("ends a run once, for concurrent attempts", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ExperimentStore
          const id = makeId()
          yield* store.open(id, 0)
          const ended = yield* Effect.forEach(
            Array.from({ length: 8 }, (_, at) => at),
            (at) => store.end(id, 1, { ...ending, at }),
            { concurrency: "unbounded" }
          )
          assert.strictEqual(ended.filter(Boolean).length, 1)
          const state = yield* store.open(id, 10)
          assert.include(state, { status: "rolled_back", cause: "because", run: 1 })
          assert.strictEqual(state.endedAt, ended.indexOf(true))
        })
      ))

    it("restarts once what has ended, and then counts only the new run", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ExperimentStore
          const id = makeId()
          yield* store.add(id, 1, makeMeasures(1), 0)
          assert.isFalse(yield* store.restart(id, 1, 5), "it runs")
          yield* store.end(id, 1, ending)
          const restarted = yield* Effect.forEach([5, 5, 5], (at) => store.restart(id, 1, at), {
            concurrency: "unbounded"
          })
          assert.strictEqual(restarted.filter(Boolean).length, 1)
          assert.isFalse(yield* store.end(id, 1, ending), "the first run is over")
          const state = yield* store.add(id, 1, makeMeasures(1), 9)
          assert.include(state, { run: 2, status: "running", startedAt: 5 })
          assert.notProperty(state, "endedAt")
          assert.strictEqual(state.total.trial.requests, 0)
          assert.strictEqual((yield* store.add(id, 2, makeMeasures(1), 9)).total.trial.requests, 1)
        })
      ))

    it("neither ends nor restarts what it does not know", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ExperimentStore
          assert.isFalse(yield* store.end(makeId(), 1, ending))
          assert.isFalse(yield* store.restart(makeId(), 1, 0))
        })
      ))

    it("rolls back an end with its transaction", () =>
      run(
        Effect.gen(function* () {
          const { withTransaction } = yield* Transaction
          const store = yield* ExperimentStore
          const id = makeId()
          yield* store.open(id, 0)
          yield* Effect.exit(
            withTransaction(Effect.andThen(store.end(id, 1, ending), Effect.fail("no")))
          )
          assert.strictEqual((yield* store.open(id, 0)).status, "running")
        })
      ))
  })
}

const makeId = (): string => `experiment-${crypto.randomUUID()}`

const ending: ExperimentEnd = { status: "rolled_back", at: 4, cause: "because" }

const makeMeasures = (i: number): ExperimentMeasures => ({
  control: {
    requests: 0,
    errors: 0,
    latency: { count: 0, first: 0, counts: [] },
    cost: NanoUsd.zero,
    costSquares: 0n
  },
  trial: {
    requests: 1,
    errors: 0,
    latency: { count: 1, first: 10 + i, counts: [1] },
    cost: NanoUsd.make(BigInt(i)),
    costSquares: BigInt(i * i)
  },
  compared: 1,
  agreed: i % 2,
  skipped: 1,
  unmeasured: 1
})
