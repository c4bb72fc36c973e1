import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { reportEscalation } from "../../../../src/domains/decisions/escalation/escalationReport.ts"

const pair = fc.record({
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  isRight: fc.boolean(),
  isOtherRight: fc.boolean()
})

describe("reportEscalation", () => {
  it("says nothing without labels", () => {
    const { curve, pairs, targets } = reportEscalation([])
    assert.deepStrictEqual([pairs, curve.length], [0, 0])
    assert.isTrue(targets.every(({ threshold }) => threshold.reason === "too_few_labels"))
  })

  it("has curves that begin with the first model, end with the other, and stay below the best", () => {
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1, maxLength: 300 }), (pairs) => {
        const { curve, first, other } = reportEscalation(pairs)
        const [start, end] = [curve[0]!, curve.at(-1)!]
        for (const name of ["atRandom", "byConfidence", "best"] as const) {
          assert.closeTo(start[name], first.share, 1e-9)
          assert.closeTo(end[name], other.share, 1e-9)
        }
        for (const { atRandom, best, byConfidence } of curve) {
          assert.isAtMost(atRandom, best + 1e-9)
          // The share of ties is drawn.
          assert.isAtMost(byConfidence, best + 0.1 + 2 / Math.sqrt(pairs.length))
        }
      }),
      { numRuns: 50 }
    )
  })
})
