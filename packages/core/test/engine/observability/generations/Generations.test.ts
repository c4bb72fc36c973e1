import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Metric from "effect/Metric"
import * as TestClock from "effect/testing/TestClock"
import { Pipeline } from "../../../../src/engine/observability/broadcast/Pipeline.ts"
import { ObservabilityPreferences } from "../../../../src/engine/observability/broadcast/ObservabilityPreferences.ts"
import type { Generation } from "../../../../src/engine/observability/generations/Generation.ts"
import {
  type EndedRequest,
  Generations
} from "../../../../src/engine/observability/generations/Generations.ts"
import { GenerationStore } from "../../../../src/engine/observability/generations/GenerationStore.ts"
import { Metrics } from "../../../../src/engine/observability/metrics/Metrics.ts"
import { RollupStore } from "../../../../src/engine/observability/rollups/RollupStore.ts"
import * as Settings from "../../../../src/instance/Settings.ts"
import { memoryGenerationStore } from "../../../../src/memory/memoryGenerationStore.ts"
import { memoryRollupStore } from "../../../../src/memory/memoryRollupStore.ts"
import { StoreUnavailable } from "../../../../src/values/errors/StoreUnavailable.ts"
import { GenerationId } from "../../../../src/values/ids/GenerationId.ts"
import { defaultAccountId, defaultWorkspaceId } from "../../../../src/values/ids/Ids.ts"

const account = defaultAccountId

const makeGeneration = (number: number): Generation => ({
  id: GenerationId.make(`gen-${number}`),
  account,
  workspace: defaultWorkspaceId,
  operation: "decisions",
  configuration: 1,
  startedAt: number,
  latencyMillis: 0,
  requestedModel: "a/b",
  attempts: [],
  rejected: [],
  demoted: []
})

const end = (number: number): EndedRequest => {
  const generation = makeGeneration(number)
  return { id: generation.id, generation, content: { input: number, bytes: 1 } }
}

/** A request whose record cannot be made. */
const endBroken = (number: number): EndedRequest => ({
  ...end(number),
  get generation(): Generation {
    throw new Error("broken")
  }
})

const layerObservers = (seen: Array<string> = []) =>
  Layer.mergeAll(
    Layer.provide(
      Pipeline.layer({ broadcast: [({ id }) => void seen.push(id)] }),
      Layer.mock(ObservabilityPreferences, { get: () => Effect.succeed({ broadcast: true }) })
    ),
    Metrics.layer
  ).pipe(Layer.provide(Layer.sync(Metric.MetricRegistry, () => new Map())))

const layerWith = (
  stores: Layer.Layer<GenerationStore | RollupStore> = memory,
  seen?: Array<string>,
  settings: Partial<Settings.SettingsShape> = {}
) =>
  Generations.layer({ logs: false }).pipe(
    Layer.provideMerge([layerObservers(seen), stores]),
    Layer.provide(Settings.layer(settings)),
    Layer.merge(Logger.layer([]))
  )

const memory = Layer.provideMerge(memoryGenerationStore, memoryRollupStore)

const countRequests = Effect.gen(function* () {
  const query = { account, resolution: "day", dimension: "total", from: 0, to: 1 } as const
  const [bucket] = yield* RollupStore.use((store) => store.list(query))
  return bucket?.values.get(null)?.requests ?? 0
})

const readMetric = Effect.gen(function* () {
  const text = yield* Metrics.use(({ toPrometheusText }) => toPrometheusText([]))
  return Number(/^signalbox_requests_total{.*} (\d+)$/m.exec(text)?.[1] ?? 0)
})

describe("Generations", () => {
  it.effect("ends a transaction whose record the store could not take, and counts nothing", () => {
    const unavailable = new StoreUnavailable({ cause: new Error("the connection broke") })
    const seen: Array<string> = []
    const stores = Layer.provideMerge(
      Layer.mock(GenerationStore, { record: () => Effect.die(unavailable) }),
      memoryRollupStore
    )
    return Effect.gen(function* () {
      const generations = yield* Generations
      const { content, generation } = end(1)
      const exit = yield* Effect.exit(generations.record(generation, content))
      assert.deepStrictEqual(exit, Exit.die(unavailable))
      assert.deepStrictEqual(seen, [])
    }).pipe(Effect.provide(layerWith(stores, seen)))
  })

  it.effect("shows a request that has just ended to every read", () =>
    Effect.gen(function* () {
      const generations = yield* Generations
      const store = yield* GenerationStore
      yield* generations.add(end(1))
      assert.deepStrictEqual(yield* generations.get({ account }, "gen-1"), makeGeneration(1))
      yield* generations.add(end(2))
      assert.deepStrictEqual(yield* store.find(account, end(2).id), makeGeneration(2))
      yield* generations.add(end(3))
      assert.strictEqual((yield* store.list({ account }, { limit: 10 })).rows.length, 3)
      yield* generations.add(end(4))
      assert.strictEqual((yield* store.scan(0, { limit: 10 })).rows.length, 4)
      yield* generations.add(end(5))
      assert.strictEqual(yield* countRequests, 5)
      yield* generations.add(end(6))
      void generations.flush()
      assert.strictEqual(yield* readMetric, 6)
    }).pipe(Effect.provide(layerWith()))
  )

  it.effect("waits for a store that stores before answers, as one without batches did", () => {
    const stored: Array<string> = []
    const store = Layer.mock(GenerationStore, {
      storesBeforeAnswers: true,
      record: (generations) =>
        Effect.andThen(
          Effect.yieldNow,
          Effect.sync(() => void stored.push(...generations.map(({ id }) => id)))
        )
    })
    return Effect.gen(function* () {
      const generations = yield* Generations
      yield* generations.add(end(1))
      assert.deepStrictEqual(stored, ["gen-1"])
      yield* generations.add(end(2))
      assert.deepStrictEqual(stored, ["gen-1", "gen-2"])
    }).pipe(Effect.provide(layerWith(Layer.merge(store, Layer.mock(RollupStore, {})))))
  })

  it.effect("broadcasts a request soon after it has ended, and once", () => {
    const seen: Array<string> = []
    return Effect.gen(function* () {
      const generations = yield* Generations
      yield* generations.add(end(1))
      assert.deepStrictEqual(seen, [])
      yield* TestClock.adjust(5)
      assert.deepStrictEqual(seen, ["gen-1"])
      yield* generations.get({ account }, "gen-1")
      yield* TestClock.adjust(5)
      assert.deepStrictEqual(seen, ["gen-1"])
    }).pipe(Effect.provide(layerWith(memory, seen)))
  })

  it.effect("does not fill the small queue of a destination with one batch", () => {
    const seen: Array<string> = []
    return Effect.gen(function* () {
      const { add } = yield* Generations
      for (let number = 1; number <= 20; number++) {
        yield* add(end(number))
        // The destination has time, and the clock does not move.
        yield* TestClock.adjust(0)
      }
    }).pipe(
      Effect.provide(layerWith(memory, seen, { maxQueuedBroadcasts: 3 })),
      Effect.andThen(Effect.sync(() => assert.strictEqual(seen.length, 20)))
    )
  })

  it.effect("broadcasts and stores what ended last when it is closed", () => {
    const seen: Array<string> = []
    return Effect.gen(function* () {
      const stored = yield* Effect.gen(function* () {
        yield* Generations.use(({ add }) => add(end(1)))
        return yield* GenerationStore
      }).pipe(Effect.provide(layerWith(memory, seen)))
      assert.deepStrictEqual(seen, ["gen-1"])
      assert.deepStrictEqual(yield* stored.find(account, end(1).id), makeGeneration(1))
    })
  })

  it.effect("loses no record but the one that cannot be made", () =>
    Effect.gen(function* () {
      const generations = yield* Generations
      const store = yield* GenerationStore
      for (const ended of [end(1), endBroken(2), end(3)]) yield* generations.add(ended)
      const { rows } = yield* store.list({ account }, { limit: 10 })
      assert.deepStrictEqual(
        rows.map(({ id }) => id),
        [end(3).id, end(1).id]
      )
      assert.strictEqual(yield* readMetric, 2)
      assert.strictEqual(yield* countRequests, 2)
    }).pipe(Effect.provide(layerWith()))
  )

  /** A store that rejects what has the second record, after it has stored the first. */
  const rejecting = Layer.effect(
    GenerationStore,
    Effect.map(GenerationStore, (store) => ({
      record: (generations) =>
        generations.some(({ id }) => id === end(2).id)
          ? Effect.andThen(
              store.record(generations.slice(0, generations.length > 1 ? 1 : 0)),
              Effect.die(new Error("rejected"))
            )
          : store.record(generations),
      find: store.find,
      list: store.list,
      listSessions: store.listSessions,
      scan: store.scan
    }))
  ).pipe(Layer.provideMerge(memory))

  it.effect("loses no record but the one that the store rejects, and counts none twice", () =>
    Effect.gen(function* () {
      const generations = yield* Generations
      const store = yield* GenerationStore
      for (const number of [1, 2, 3]) yield* generations.add(end(number))
      const { rows } = yield* store.list({ account }, { limit: 10 })
      assert.deepStrictEqual(
        rows.map(({ id }) => id),
        [end(3).id, end(1).id]
      )
      assert.strictEqual(yield* countRequests, 2)
      assert.strictEqual(yield* readMetric, 3)
    }).pipe(Effect.provide(layerWith(rejecting)))
  )
})
