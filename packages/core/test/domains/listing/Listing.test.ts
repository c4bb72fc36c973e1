import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import type { ModelConfig } from "../../../src/engine/catalog/model/Model.ts"
import { Health } from "../../../src/engine/health/Health.ts"
import { ModelUsage } from "../../../src/engine/health/ModelUsage.ts"
import { Listing } from "../../../src/domains/listing/Listing.ts"
import type { ModelSort } from "../../../src/domains/listing/ModelQuery.ts"
import { makeEndpoint, makeModel } from "./makeIndex.ts"
import { makeListing } from "./makeListing.ts"

const hour = 3_600_000
const now = 1_000 * hour

/** One is slow in the catalog, one is fast, and one is unknown. */
const models: ReadonlyArray<ModelConfig> = [
  makeModel("a/slow", {
    endpoints: [makeEndpoint({ typical: { latencyMillis: 2_000, throughput: 10 } })]
  }),
  makeModel("a/fast", {
    endpoints: [makeEndpoint({ typical: { latencyMillis: 200, throughput: 100 } })]
  }),
  makeModel("a/silent")
]

const order = Effect.fnUntraced(function* (sort: ModelSort) {
  const { search } = yield* Listing
  const { models } = yield* search({ sort }, { offset: 0 })
  return models.map(({ id }): string => id)
})

const recordSuccess = Effect.fnUntraced(function* (model: string, latencyMillis: number) {
  const health = yield* Health
  health.record({
    endpoint: `${model}@one`,
    startedAt: now - latencyMillis,
    at: now,
    result: "success",
    latencyMillis,
    outputTokens: 1_000
  })
})

describe("a sort by measurements", () => {
  for (const sort of ["throughput-high-to-low", "latency-low-to-high"] as const) {
    it.effect(`uses the catalog's values until there are measurements: ${sort}`, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(now)
        assert.deepStrictEqual(yield* order(sort), ["a/fast", "a/slow", "a/silent"])
        yield* recordSuccess("a/fast", 60_000)
        yield* recordSuccess("a/silent", 1_000)
        // Sorts are cached for a second, because a large catalog takes a while.
        yield* TestClock.setTime(now + 999)
        assert.deepStrictEqual(yield* order(sort), ["a/fast", "a/slow", "a/silent"])
        yield* TestClock.setTime(now + 1_000)
        assert.deepStrictEqual(
          yield* order(sort),
          sort === "latency-low-to-high"
            ? ["a/silent", "a/slow", "a/fast"]
            : ["a/silent", "a/fast", "a/slow"]
        )
        // Measurements expire after half an hour.
        yield* TestClock.setTime(now + 2 * hour)
        assert.deepStrictEqual(yield* order(sort), ["a/fast", "a/slow", "a/silent"])
      }).pipe(Effect.provide(makeListing(models)))
    )
  }

  for (const sort of ["most-popular", "top-weekly"] as const) {
    it.effect(`uses the tokens of the last week: ${sort}`, () =>
      Effect.gen(function* () {
        const usage = yield* ModelUsage
        yield* TestClock.setTime(now)
        assert.deepStrictEqual(yield* order(sort), ["a/slow", "a/fast", "a/silent"])
        usage.record("a/silent", { inputTokens: 1, outputTokens: 500 }, now)
        usage.record("a/fast", { inputTokens: 100, outputTokens: 0 }, now - 2 * hour)
        yield* TestClock.setTime(now + 1_000)
        assert.deepStrictEqual(yield* order(sort), ["a/silent", "a/fast", "a/slow"])
        usage.record("a/fast", { inputTokens: 402, outputTokens: 0 }, now)
        yield* TestClock.setTime(now + 2_000)
        assert.deepStrictEqual(yield* order(sort), ["a/fast", "a/silent", "a/slow"])
        yield* TestClock.setTime(now + 170 * hour)
        assert.deepStrictEqual(yield* order(sort), ["a/slow", "a/fast", "a/silent"])
      }).pipe(Effect.provide(makeListing(models)))
    )
  }
})
