import { assert, describe, it } from "vitest"
import fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { fitIsotonic, interpolate } from "../../../src/domains/calibration/isotonic.ts"
import { retemper } from "../../../src/domains/calibration/applyMap.ts"
import { findMode, normalize } from "../../../src/questions/distribution.ts"

const observations = fc.array(
  fc.record({
    confidence: fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom(0.85, 0.9, 0.95, 1)
    ),
    isHit: fc.boolean(),
    weight: fc.constantFrom(1, 1, 7)
  }),
  { minLength: 1, maxLength: 80 }
)

describe("fitIsotonic", () => {
  it("never falls, and stays within 0 and 1", () => {
    fc.assert(
      fc.property(observations, fc.double({ min: 0, max: 1, noNaN: true }), (observed, at) => {
        const points = fitIsotonic(observed)
        for (let next = 1; next < points.length; next++) {
          assert.isAtLeast(points[next]![0], points[next - 1]![0])
          assert.isAtLeast(points[next]![1], points[next - 1]![1])
        }
        const height = interpolate(points, at)
        assert.isTrue(height >= 0 && height <= 1, String(height))
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("pools answers out of order and shrinks blocks towards their confidence", () => {
    const points = fitIsotonic([
      { confidence: 0.2, isHit: true, weight: 1 },
      { confidence: 0.4, isHit: false, weight: 1 },
      { confidence: 0.9, isHit: true, weight: 1 }
    ])
    assert.deepStrictEqual(
      points.map(([confidence, accuracy]) => [confidence.toFixed(3), accuracy.toFixed(3)]),
      [
        ["0.300", "0.400"],
        ["0.900", "0.933"]
      ]
    )
    assert.approximately(interpolate(points, 0.6), (0.4 + 2.8 / 3) / 2, 1e-9)
    assert.strictEqual(interpolate([], 0.7), 0.7)
  })
})

describe("retemper", () => {
  it("gives the best option the probability asked for", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 2, maxLength: 10 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (weights, share) => {
          const probabilities = normalize([2, ...weights])
          const count = probabilities.length
          const target = 1 / count + share * (0.99 - 1 / count)
          const moved = retemper(probabilities, target)
          assert.approximately(moved[0]!, target, 1e-4)
          assert.strictEqual(findMode(moved), 0)
        }
      ),
      { numRuns: scaleRuns(500) }
    )
  })
})
