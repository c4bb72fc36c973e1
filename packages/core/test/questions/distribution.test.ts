import { assert, describe, it } from "vitest"
import fc from "fast-check"
import { scaleRuns } from "../../../../vitest.scope.ts"
import {
  computeChoiceConfidence,
  computeExpectedLevel,
  findMode,
  normalize,
  computeScoreConfidence
} from "../../src/questions/distribution.ts"

const runs = { numRuns: scaleRuns(1_000) }
const sum = (values: ReadonlyArray<number>) => values.reduce((total, value) => total + value, 0)

/** Any weights of an upstream: tiny, huge, zero. */
const weights = fc.array(
  fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: Number.MAX_VALUE, noNaN: true }),
    fc.constantFrom(0, Number.MIN_VALUE, Number.MAX_VALUE, 1)
  ),
  { minLength: 1, maxLength: 200 }
)

describe("normalize", () => {
  it("makes probabilities of any weights, in the same proportions", () => {
    fc.assert(
      fc.property(weights, (weights) => {
        const probabilities = normalize(weights)
        assert.strictEqual(probabilities.length, weights.length)
        assert.approximately(sum(probabilities), 1, 1e-9)
        for (const p of probabilities) assert.isTrue(p >= 0 && p <= 1, String(p))
        for (let i = 1; i < weights.length; i++) {
          if (weights[i]! >= weights[i - 1]!) {
            assert.isAtLeast(probabilities[i]!, probabilities[i - 1]!)
          }
        }
      }),
      runs
    )
  })

  it("leaves a distribution unchanged", () => {
    const stated = [0.1, 0.2, 0.7]
    assert.strictEqual(normalize(stated), stated)
    const rounded = [0.333333333, 0.333333333, 0.333333333]
    assert.strictEqual(normalize(rounded), rounded)
  })

  it("rescales a probability above 1", () => {
    assert.deepStrictEqual(normalize([1 + 5e-10, 0]), [1, 0])
  })

  it("scales other sums than 1, spreads all zeros, and survives overflow and underflow", () => {
    assert.deepStrictEqual(normalize([1, 3]), [0.25, 0.75])
    assert.deepStrictEqual(normalize([0, 0, 0, 0]), [0.25, 0.25, 0.25, 0.25])
    assert.deepStrictEqual(normalize([Number.MAX_VALUE, Number.MAX_VALUE]), [0.5, 0.5])
    assert.deepStrictEqual(normalize([Number.MIN_VALUE, Number.MIN_VALUE, 0]), [0.5, 0.5, 0])
    assert.deepStrictEqual(normalize([5]), [1])
  })
})

describe("mode", () => {
  it("is the first of the greatest", () => {
    assert.strictEqual(findMode([0.2, 0.4, 0.4]), 1)
    assert.strictEqual(findMode([0.5, 0.5]), 0)
    assert.strictEqual(findMode([1]), 0)
  })
})

describe("confidence and expectation", () => {
  // Figures of published answers.
  it("reproduce published answers", () => {
    assert.approximately(computeChoiceConfidence([0.78, 0.22, 0]), 0.67, 1e-9)
    assert.approximately(computeChoiceConfidence([0.88, 0.12]), 0.76, 1e-9)
    const score = [0.005, 0.005, 0.04, 0.25, 0.7]
    // 1 - (0.02 + 0.015 + 0.08 + 0.25) / 1.2
    assert.approximately(computeScoreConfidence(score), 1 - 0.365 / 1.2, 1e-12)
    assert.approximately(computeScoreConfidence(score), 0.69583, 5e-6)
    assert.approximately(computeExpectedLevel(score), 3.635, 1e-12)
  })

  it("are 1 for a single option, 0 for a uniform choice, 1 for certainty", () => {
    assert.strictEqual(computeChoiceConfidence([1]), 1)
    assert.strictEqual(computeScoreConfidence([1]), 1)
    assert.approximately(computeChoiceConfidence(Array.from({ length: 7 }, () => 1 / 7)), 0, 1e-12)
    assert.strictEqual(computeChoiceConfidence([0, 1, 0]), 1)
    assert.strictEqual(computeScoreConfidence([0, 1, 0]), 1)
    assert.strictEqual(computeScoreConfidence([0.5, 0, 0.5]), 0)
  })

  it("stay in range for any distribution", () => {
    fc.assert(
      fc.property(weights, (weights) => {
        const p = normalize(weights)
        for (const confidence of [computeChoiceConfidence(p), computeScoreConfidence(p)]) {
          assert.isTrue(confidence >= 0 && confidence <= 1)
        }
        const level = computeExpectedLevel(p)
        assert.isTrue(level >= 0 && level <= p.length - 1)
      }),
      runs
    )
  })

  it("grow when weight moves onto the mode", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 2, maxLength: 20 }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (weights, more) => {
          const before = normalize(weights)
          const after = normalize(before.map((p, i) => (i === findMode(before) ? p + more : p)))
          assert.isAtLeast(computeChoiceConfidence(after), computeChoiceConfidence(before) - 1e-12)
          assert.isAtLeast(computeScoreConfidence(after), computeScoreConfidence(before) - 1e-12)
        }
      ),
      runs
    )
  })
})
