import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import {
  type AnswerPair,
  type EscalationThreshold,
  findShareThreshold,
  findThreshold,
  isBelow
} from "../../../../src/domains/decisions/escalation/findThreshold.ts"
import { makeRandom } from "../../../../src/routing/plan/makeRandom.ts"

/** The first model is right with the probability of its confidence, the other one with `other`. */
const drawPairs = (n: number, other: number, seed: number, steps?: number): Array<AnswerPair> => {
  const random = makeRandom(seed)
  return Array.from({ length: n }, () => {
    const drawn = random()
    const confidence = steps === undefined ? drawn : Math.round(drawn * steps) / steps
    return { confidence, isRight: random() < confidence, isOtherRight: random() < other }
  })
}
const accuracy = (pairs: ReadonlyArray<AnswerPair>, threshold: EscalationThreshold): number => {
  const draw = makeRandom(1)
  const right = pairs.filter(({ confidence, isOtherRight, isRight }) =>
    isBelow(threshold, confidence, draw) ? isOtherRight : isRight
  )
  return right.length / pairs.length
}
const share = (confidences: ReadonlyArray<number>, threshold: EscalationThreshold): number => {
  const draw = makeRandom(7)
  return (
    confidences.filter((confidence) => isBelow(threshold, confidence, draw)).length /
    confidences.length
  )
}

describe("findThreshold", () => {
  it("sends everything on while there are fewer than 100 labels, and says so", () => {
    assert.deepStrictEqual(findThreshold(drawPairs(99, 0.9, 1), 0.98), {
      below: Infinity,
      tieShare: 1,
      reason: "too_few_labels"
    })
  })

  it("sends everything on when no threshold keeps the accuracy, and says so", () => {
    const pairs = drawPairs(500, 1, 2).map((pair) => ({ ...pair, isRight: false }))
    assert.strictEqual(findThreshold(pairs, 1).reason, "out_of_reach")
  })

  it("sends nothing on when the other model is no better", () => {
    const pairs = drawPairs(500, 0, 3)
    const threshold = findThreshold(pairs, 0.98)
    assert.strictEqual(accuracy(pairs, threshold), accuracy(pairs, { below: 0, tieShare: 0 }))
    assert.isUndefined(threshold.reason)
  })

  it("keeps the stated accuracy on other answers in at least 80 of 100 draws", () => {
    const later = drawPairs(20_000, 0.9, 999)
    const everything = accuracy(later, { below: Infinity, tieShare: 1 })
    let met = 0
    for (let seed = 0; seed < 100; seed++) {
      const threshold = findThreshold(drawPairs(1_000, 0.9, seed), 0.95)
      if (accuracy(later, threshold) >= 0.95 * everything) met += 1
    }
    assert.isAtLeast(met, 80)
  })

  it("splits a step of stated confidences instead of sending all of it on", () => {
    const pairs = drawPairs(5_000, 0.95, 5, 4)
    const { below, tieShare } = findThreshold(pairs, 0.9)
    assert.include([0, 0.25, 0.5, 0.75, 1], below)
    assert.isTrue(tieShare > 0 && tieShare < 1, String(tieShare))
  })

  it("asks no more often for a lower target", () => {
    fc.assert(
      fc.property(fc.integer(), fc.double({ min: 0.5, max: 1, noNaN: true }), (seed, target) => {
        const pairs = drawPairs(300, 0.9, seed)
        const confidences = pairs.map(({ confidence }) => confidence)
        const strict = share(confidences, findThreshold(pairs, target))
        const lax = share(confidences, findThreshold(pairs, target * 0.9))
        assert.isAtMost(lax, strict + 0.02)
      }),
      { numRuns: 50 }
    )
  })
})

describe("findShareThreshold", () => {
  it("sends on the share that was asked for, of continuous and of stepped confidences", () => {
    for (const steps of [undefined, 4]) {
      const confidences = drawPairs(5_000, 0.9, 11, steps).map(({ confidence }) => confidence)
      for (const wanted of [0, 0.05, 0.3, 0.77, 1]) {
        assert.closeTo(share(confidences, findShareThreshold(confidences, wanted)), wanted, 0.02)
      }
    }
  })
})
