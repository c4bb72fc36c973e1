import { assert, describe, it } from "vitest"
import fc from "fast-check"
import { scaleRuns } from "../../../../vitest.scope.ts"
import * as Histogram from "../../src/values/Histogram.ts"
import { measureHeap } from "../measureHeap.ts"

const runs = { numRuns: scaleRuns(2_000) }
const makeHistogram = (values: ReadonlyArray<number>) =>
  values.reduce(Histogram.add, Histogram.empty)

/** Small and large values over the whole range of the scale, like latencies. */
const value = fc
  .double({ min: Math.log(0.1), max: Math.log(600_000), noNaN: true })
  .map((log) => Math.exp(log))
const values = fc.array(value, { minLength: 1, maxLength: 300, size: "max" })
const share = fc.constantFrom(0.01, 0.5, 0.75, 0.9, 0.99, 1)

const getRelativeError = (actual: number, exact: number) => Math.abs(actual / exact - 1)
const bound = 0.075

describe("Histogram", () => {
  it("returns the value that a share of the values do not exceed, within 7.5 %", () => {
    fc.assert(
      fc.property(values, share, (values, share) => {
        const ascending = values.toSorted((a, b) => a - b)
        const exact = ascending[Math.ceil(share * values.length) - 1]!
        assert.isAtMost(
          getRelativeError(Histogram.getQuantile(makeHistogram(values), share), exact),
          bound
        )
      }),
      runs
    )
  })

  it("returns the value that a share of the values reach, within 7.5 %", () => {
    fc.assert(
      fc.property(values, share, (values, share) => {
        const descending = values.toSorted((a, b) => b - a)
        const exact = descending[Math.ceil(share * values.length) - 1]!
        assert.isAtMost(
          getRelativeError(Histogram.getUpperQuantile(makeHistogram(values), share), exact),
          bound
        )
      }),
      runs
    )
  })

  it("is the same whether values are added one by one or merged in any order", () => {
    fc.assert(
      fc.property(fc.array(value), fc.array(value), (some, others) => {
        const whole = makeHistogram([...some, ...others])
        assert.deepStrictEqual(Histogram.merge(makeHistogram(some), makeHistogram(others)), whole)
        assert.deepStrictEqual(Histogram.merge(makeHistogram(others), makeHistogram(some)), whole)
      }),
      runs
    )
  })

  it("stays small for any values, and loses nothing", () => {
    const anything = fc.array(
      fc.oneof(fc.double(), fc.constantFrom(0, -0, -1, 0.1, 1e-300, 1e300, Infinity, Number.NaN)),
      { maxLength: 500, size: "max" }
    )
    fc.assert(
      fc.property(anything, share, (values, share) => {
        const { count, counts, first } = makeHistogram(values)
        assert.strictEqual(count, values.length)
        assert.strictEqual(
          counts.reduce((sum, count) => sum + count, 0),
          count
        )
        assert.isAtMost(first + counts.length, 112)
        const quantile = Histogram.getQuantile(makeHistogram(values), share)
        assert.isTrue(quantile >= 0 && quantile < 1_000_000)
      }),
      runs
    )
  })

  it("counts values off the scale at its ends", () => {
    assert.strictEqual(
      Histogram.getQuantile(makeHistogram([0]), 1),
      Histogram.getQuantile(makeHistogram([0.1]), 1)
    )
    assert.strictEqual(
      Histogram.getQuantile(makeHistogram([-5]), 1),
      Histogram.getQuantile(makeHistogram([0.1]), 1)
    )
    assert.isAtMost(
      getRelativeError(Histogram.getQuantile(makeHistogram([1e9]), 1), 600_000),
      bound
    )
    assert.strictEqual(Histogram.getQuantile(Histogram.empty, 0.5), 0)
    assert.strictEqual(Histogram.getUpperQuantile(Histogram.empty, 0.5), 0)
  })

  it("does not change its input", () => {
    const before = makeHistogram([100, 200])
    const copy = structuredClone(before)
    Histogram.add(before, 100)
    Histogram.add(before, 5_000)
    Histogram.merge(before, makeHistogram([100]))
    assert.deepStrictEqual(before, copy)
  })

  it("keeps no memory in reserve for further buckets", () => {
    const one = makeHistogram(Array.from({ length: 20 }, (_, bucket) => 2 * 1.15 ** bucket))
    const count = 10_000
    const { bytes, made } = measureHeap(() =>
      Array.from({ length: count }, () => Histogram.merge(one, one))
    )
    assert.strictEqual(made[0]?.counts.length, 20)
    // Its counts take 160, and with a reserve 330.
    assert.isBelow(bytes / count, 300)
  })
})
