import { assert, describe, it } from "vitest"
import fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import {
  buildPredictionSet,
  findScoreQuantile,
  toConformalScores
} from "../../../src/domains/calibration/conformal.ts"
import { findMode } from "../../../src/questions/distribution.ts"
import { makeRandom } from "../../../src/routing/plan/makeRandom.ts"
import { makeOverconfident } from "./labeledAnswers.ts"

const toScores = (values: ReadonlyArray<number>, weights?: ReadonlyArray<number>) => {
  const answers = values.map((value, at) => ({
    probabilities: [1 - value, value],
    label: 0,
    weight: weights?.[at] ?? 1
  }))
  const distributions = answers.map(({ probabilities }) => probabilities)
  return toConformalScores(answers, distributions, distributions)
}

const toSteps = (count: number) => Array.from({ length: count }, (_, at) => at / 100)

describe("findScoreQuantile", () => {
  it("is the score at position ceil((n + 1) * coverage), in any order", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 500, max: 999 }),
        (values, perMille) => {
          const position = Math.ceil(((values.length + 1) * perMille) / 1_000)
          const sorted = values
            .map((value) => Math.fround(1 - (1 - value)))
            .toSorted((a, b) => a - b)
          const threshold = findScoreQuantile(toScores(values), perMille / 1_000)
          assert.strictEqual(threshold, sorted[position - 1] ?? Infinity)
        }
      ),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("needs 9 labels for 0.9 and 19 for 0.95", () => {
    assert.strictEqual(findScoreQuantile(toScores(toSteps(8)), 0.9), Infinity)
    assert.approximately(findScoreQuantile(toScores(toSteps(9)), 0.9), 0.08, 1e-6)
    assert.strictEqual(findScoreQuantile(toScores(toSteps(18)), 0.95), Infinity)
    assert.approximately(findScoreQuantile(toScores(toSteps(19)), 0.95), 0.18, 1e-6)
    assert.strictEqual(findScoreQuantile(toScores([]), 0.5), Infinity)
  })

  it("counts an answer by its weight", () => {
    const values = toSteps(40)
    const heavy = values.map((_, at) => (at === 39 ? 20 : 1))
    assert.approximately(findScoreQuantile(toScores(values), 0.75), 0.3, 1e-6)
    assert.approximately(findScoreQuantile(toScores(values, heavy), 0.75), 0.39, 1e-6)
  })

  it("covers as often as it says", () => {
    const random = makeRandom(17)
    let covered = 0
    const rounds = 200
    for (let round = 0; round < rounds; round++) {
      const [asked, ...labels] = makeOverconfident(100, random, 2)
      const distributions = labels.map(({ probabilities }) => probabilities)
      const threshold = findScoreQuantile(
        toConformalScores(labels, distributions, distributions),
        0.9
      )
      const set = buildPredictionSet(
        "choice",
        asked!.probabilities,
        findMode(asked!.probabilities),
        threshold
      )
      if (set.includes(asked!.label)) covered++
    }
    assert.isAtLeast(covered / rounds, 0.9 - 2 * Math.sqrt(0.09 / rounds))
  })
})

describe("buildPredictionSet", () => {
  it("is never empty, in order, and without gaps for a score", () => {
    assert.deepStrictEqual(buildPredictionSet("choice", [0.2, 0.5, 0.3], 1, 0), [1])
    assert.deepStrictEqual(buildPredictionSet("choice", [0.4, 0.2, 0.4], 0, 0.7), [0, 2])
    assert.deepStrictEqual(buildPredictionSet("score", [0.4, 0.2, 0.4], 0, 0.7), [0, 1, 2])
    assert.deepStrictEqual(buildPredictionSet("noul", [0.1, 0.9], 1, Infinity), [0, 1])
  })
})
