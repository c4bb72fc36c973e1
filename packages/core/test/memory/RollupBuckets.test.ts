import { identity } from "effect/Function"
import * as FastCheck from "fast-check"
import { assert, describe, it } from "vitest"
import * as Measures from "../../src/engine/observability/rollups/Measures.ts"
import type { DimensionRollups } from "../../src/engine/observability/rollups/RollupDelta.ts"
import { RollupBuckets } from "../../src/memory/RollupBuckets.ts"
import type { Dimension } from "../../src/values/Dimension.ts"
import * as Histogram from "../../src/values/Histogram.ts"
import { rollup } from "../engine/observability/rollups/rollupArbitraries.ts"
import { measureHeap } from "../measureHeap.ts"

const minute = 60_000

const values = 40
const makeMeasures = (): Measures.Measures => ({
  ...Measures.empty,
  requests: 30,
  latency: Histogram.addAll(
    Histogram.empty,
    Array.from({ length: 30 }, (_, n) => 2 + n),
    identity
  )
})
const makeRollups = (): DimensionRollups =>
  new Map([
    [
      "model",
      { values: new Map(Array.from({ length: values }, (_, n) => [`a/b-${n}`, makeMeasures()])) }
    ]
  ])

describe("RollupBuckets", () => {
  it("reads of an ended bucket what an open one has", () =>
    FastCheck.assert(
      FastCheck.property(rollup, rollup, (one, other) => {
        const rollups: DimensionRollups = new Map<Dimension, typeof one>([
          ["model", one],
          ["user", other]
        ])
        const buckets = new RollupBuckets()
        buckets.set(0, rollups)
        buckets.set(minute, rollups)
        buckets.setEnded(minute, rollups)
        assert.deepStrictEqual(buckets.findAll(minute), buckets.findAll(0))
        assert.deepStrictEqual(buckets.find(minute, "user"), other)
        assert.isUndefined(buckets.find(minute, "key"))
        assert.deepStrictEqual(buckets.listDimensions(minute), buckets.listDimensions(0))
        assert.strictEqual(buckets.countValues(minute), buckets.countValues(0))
        assert.deepStrictEqual(buckets.listStarts(), [0, minute])
      })
    ))

  it("opens an ended bucket again, and deletes both kinds", () => {
    const [first, second] = [makeRollups(), makeRollups()]
    const buckets = new RollupBuckets()
    buckets.setEnded(0, first)
    buckets.set(0, second)
    assert.strictEqual(buckets.findAll(0), second)
    assert.deepStrictEqual(buckets.listStarts(), [0])
    buckets.setEnded(minute, first)
    buckets.delete(0)
    buckets.delete(minute)
    assert.deepStrictEqual([buckets.findAll(0), buckets.findAll(minute)], [undefined, undefined])
    assert.strictEqual(buckets.countValues(minute), 0)
  })

  it("keeps a day of ended minutes in little of the heap", () => {
    const { bytes, made } = measureHeap(() => {
      const buckets = new RollupBuckets()
      for (let n = 0; n < 1_440; n++) buckets.setEnded(n * minute, makeRollups())
      return buckets
    })
    assert.strictEqual(made.listStarts().length, 1_440)
    // As objects they take 480.
    assert.isBelow(bytes / 1_440 / values, 200)
  })
})
