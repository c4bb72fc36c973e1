import { assert, describe, it } from "vitest"
import * as Bits from "../../../src/domains/listing/BitSet.ts"
import { modelSorts } from "../../../src/domains/listing/ModelQuery.ts"
import { findLiveMetric, takePage, rankModels } from "../../../src/domains/listing/rankModels.ts"
import { makeIndex, makeModel } from "./makeIndex.ts"

const elo = (...scores: ReadonlyArray<number>) => ({
  card: {
    benchmarks: {
      design_arena: scores.map((elo, place) => ({
        arena: `arena ${place}`,
        category: "website",
        elo,
        rank: 1,
        win_rate: 50
      }))
    }
  }
})

const makePricedModel = (id: string, prompt: string, completion: string) =>
  makeModel(id, { endpoints: [{ provider: "one", price: { prompt, completion } }] })

describe("a sort of the models", () => {
  it("uses measurements for four sorts, and only the models for the others", () => {
    const index = makeIndex([makeModel("a/one"), makeModel("a/two"), makeModel("a/three")])
    const byMeasure = modelSorts.filter(
      (sort) => rankModels(index, sort, Float64Array.of(Number.NaN, 2, 3))[0] !== 0
    )
    assert.deepStrictEqual(
      byMeasure,
      modelSorts.filter((sort) => findLiveMetric(sort) !== undefined)
    )
    assert.deepStrictEqual(byMeasure, [
      "most-popular",
      "top-weekly",
      "throughput-high-to-low",
      "latency-low-to-high"
    ])
    assert.deepStrictEqual(
      byMeasure.map((sort) => [...rankModels(index, sort, Float64Array.of(Number.NaN, 2, 3))]),
      [
        [2, 1, 0],
        [2, 1, 0],
        [2, 1, 0],
        [1, 2, 0]
      ]
    )
  })

  it("has every position once, including those without a model", () => {
    assert.deepStrictEqual(rankModels(makeIndex([]), "context-high-to-low"), new Uint32Array())
    const index = makeIndex([
      makeModel("a/one"),
      makeModel("a/two"),
      makeModel("a/three", { hidden: true })
    ])
    assert.deepStrictEqual(rankModels(index, "pricing-low-to-high"), Uint32Array.of(0, 1))
  })

  it("uses the best of a model's arenas, and sorts models without an arena as those without a score", () => {
    const index = makeIndex([
      makeModel("a/none", elo()),
      makeModel("a/low", elo(1000, 1100)),
      makeModel("a/silent"),
      makeModel("a/high", elo(900, 1200))
    ])
    const order = rankModels(index, "design-arena-elo-high-to-low")
    assert.deepStrictEqual(
      Array.from(order, (place) => index.models[place]!.id as string),
      ["a/high", "a/low", "a/none", "a/silent"]
    )
  })

  it("sorts models with the same average price in the default order", () => {
    // In floating point 0.1 + 0.2 is more than 0.15 + 0.15.
    const index = makeIndex([
      makePricedModel("a/first", "0.0000001", "0.0000002"),
      makePricedModel("a/second", "0.00000015", "0.00000015"),
      makePricedModel("a/third", "0.0000002", "0.0000001")
    ])
    for (const sort of ["pricing-low-to-high", "pricing-high-to-low"] as const) {
      assert.deepStrictEqual(rankModels(index, sort), Uint32Array.of(0, 1, 2), sort)
    }
  })
})

describe("a page", () => {
  const found = Bits.makeEmpty(40)
  for (const place of [1, 5, 8, 32, 39]) Bits.add(found, place)
  const backwards = Uint32Array.from({ length: 40 }, (_, place) => 39 - place)

  it.each([
    { offset: 0, limit: Infinity, places: [39, 32, 8, 5, 1] },
    { offset: 0, limit: 2, places: [39, 32] },
    { offset: 2, limit: 2, places: [8, 5] },
    { offset: 4, limit: 2, places: [1] },
    { offset: 5, limit: 2, places: [] },
    { offset: 500, limit: 1, places: [] },
    { offset: 3, limit: Infinity, places: [5, 1] }
  ])("of $limit from $offset on has the models there, in order", ({ limit, offset, places }) => {
    assert.deepStrictEqual(takePage(found, backwards, offset, limit), places)
  })
})
