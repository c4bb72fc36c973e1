import { assert, describe, it } from "vitest"
import fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { applyMap } from "../../../src/domains/calibration/applyMap.ts"
import type { QuestionKind } from "../../../src/domains/calibration/CalibrationMap.ts"
import { chooseMap } from "../../../src/domains/calibration/chooseMap.ts"
import { findMode, normalize } from "../../../src/questions/distribution.ts"
import { makeRandom } from "../../../src/routing/plan/makeRandom.ts"
import { labeledAnswers, makeOverconfident, weights } from "./labeledAnswers.ts"

const kinds = ["noul", "choice", "score"] as const satisfies ReadonlyArray<QuestionKind>

const sum = (values: ReadonlyArray<number>): number =>
  values.reduce((total, value) => total + value, 0)

const assertDistribution = (probabilities: ReadonlyArray<number>): void => {
  assert.approximately(sum(probabilities), 1, 1e-9)
  for (const p of probabilities) assert.isTrue(p >= 0 && p <= 1, String(p))
}

describe("chooseMap", () => {
  it("leaves the best option of a choice and a score first, and distributions normalised, for any labels", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("choice", "score"),
        fc.constantFrom("logprobs", "stated", "discrete"),
        fc
          .integer({ min: 2, max: 12 })
          .chain((options) => fc.tuple(labeledAnswers(options), weights(options, options))),
        (kind, method, [answers, asked]) => {
          const { heldOut, map } = chooseMap({ kind, method, answers })
          const mapped = applyMap(kind, map, asked)
          assertDistribution(mapped)
          assert.strictEqual(findMode(mapped), findMode(normalize(asked)))
          for (const [at, distribution] of heldOut.entries()) {
            assertDistribution(distribution)
            assert.strictEqual(findMode(distribution), findMode(answers[at]!.probabilities))
          }
        }
      ),
      { numRuns: scaleRuns(500) }
    )
  })

  it("makes yes/no distributions of any weights", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("logprobs", "discrete"),
        labeledAnswers(2),
        weights(2, 2),
        (method, answers, asked) => {
          const { heldOut, map } = chooseMap({ kind: "noul", method, answers })
          assert.lengthOf(heldOut, answers.length)
          assertDistribution(applyMap("noul", map, asked))
          for (const distribution of heldOut) assertDistribution(distribution)
        }
      ),
      { numRuns: scaleRuns(500) }
    )
  })

  it("keeps the first of equal options first, where rounding makes a later one greater", () => {
    const map = { type: "discrete", share: 0.1 } as const
    for (const count of [3, 6, 7]) {
      const mapped = applyMap(
        "choice",
        map,
        Array.from({ length: count }, () => 0)
      )
      assert.strictEqual(findMode(mapped), 0)
    }
  })

  it("keeps the order of options and moves no single option", () => {
    fc.assert(
      fc.property(labeledAnswers(5), weights(5, 5), (answers, asked) => {
        const { map } = chooseMap({ kind: "choice", method: "logprobs", answers })
        const raw = normalize(asked)
        const mapped = applyMap("choice", map, asked)
        for (let one = 0; one < 5; one++) {
          for (let other = 0; other < 5; other++) {
            if (raw[one]! > raw[other]!) assert.isAtLeast(mapped[one]!, mapped[other]! - 1e-12)
          }
        }
        assert.deepStrictEqual(applyMap("choice", map, [3]), [1])
      }),
      { numRuns: scaleRuns(300) }
    )
  })

  it("serves no map of fewer than ten labels, or where answers are right as often as they say", () => {
    const random = makeRandom(7)
    const few = makeOverconfident(9, random, 4)
    for (const kind of kinds) {
      assert.strictEqual(chooseMap({ kind, method: "logprobs", answers: few }).map.type, "none")
    }
    const honest = makeOverconfident(2_000, random, 1)
    const { map } = chooseMap({ kind: "choice", method: "logprobs", answers: honest })
    const moved = applyMap("choice", map, [0.9, 0.1])
    assert.approximately(moved[0]!, 0.9, 0.04)
  })

  it("finds the temperature of answers that are too sure", () => {
    const answers = makeOverconfident(400, makeRandom(3), 2.2)
    const { map } = chooseMap({ kind: "choice", method: "logprobs", answers })
    if (map.type !== "temperature") return assert.fail(map.type)
    assert.approximately(map.temperature, 2.2, 0.4)
  })

  it("finds the line of yes/no answers, and chooses isotonic where no line fits", () => {
    const random = makeRandom(5)
    const line = chooseMap({
      kind: "noul",
      method: "stated",
      answers: makeOverconfident(400, random, 2.2)
    })
    if (line.map.type !== "platt") return assert.fail(line.map.type)
    assert.approximately(line.map.slope, 1 / 2.2, 0.15)
    // Right nine times of ten above one half, else never: a step.
    const steps = Array.from({ length: 2_000 }, () => {
      const yes = random()
      return {
        probabilities: [yes, 1 - yes],
        label: yes > 0.5 && random() < 0.9 ? 0 : 1,
        weight: 1
      }
    })
    const { map } = chooseMap({ kind: "noul", method: "stated", answers: steps })
    assert.strictEqual(map.type, "isotonic")
    assert.approximately(applyMap("noul", map, [0.8, 0.2])[0]!, 0.9, 0.05)
    assert.isBelow(applyMap("noul", map, [0.2, 0.8])[0]!, 0.05)
  })

  it("shrinks the map of a question towards that of its kind", () => {
    const answers = makeOverconfident(50, makeRandom(11), 3)
    const fit = (prior: number) => {
      const { map } = chooseMap({
        kind: "choice",
        method: "logprobs",
        answers,
        prior: { type: "temperature", temperature: prior }
      })
      return map.type === "temperature" ? map.temperature : 1
    }
    assert.isAbove(fit(6), fit(3))
    assert.isBelow(fit(6), 6)
  })

  it("says of bare choices how often they are right, never less than chance", () => {
    const answers = Array.from({ length: 96 }, (_, at) => ({
      probabilities: [0, 1, 0],
      label: at % 4 === 0 ? 0 : 1,
      weight: 1
    }))
    const { map } = chooseMap({ kind: "choice", method: "discrete", answers })
    assert.deepStrictEqual(map, { type: "discrete", share: 74 / 100 })
    assert.deepStrictEqual(
      applyMap("choice", map, [0, 1, 0]).map((p) => Math.round(p * 100)),
      [13, 74, 13]
    )
    const wrong = chooseMap({
      kind: "choice",
      method: "discrete",
      answers: answers.map((answer) => ({ ...answer, label: 0 }))
    })
    assert.approximately(applyMap("choice", wrong.map, [0, 1, 0])[1]!, 1 / 3, 1e-9)
  })

  it("counts an answer by its weight", () => {
    const answers = makeOverconfident(60, makeRandom(13), 3)
    const repeated = answers.flatMap((answer) => [answer, answer, answer])
    const fit = (labels: typeof answers) =>
      chooseMap({ kind: "choice", method: "stated", answers: labels }).map
    const [once, thrice] = [fit(answers.map((answer) => ({ ...answer, weight: 3 }))), fit(repeated)]
    if (once.type !== "temperature" || thrice.type !== "temperature") return assert.fail(once.type)
    assert.approximately(once.temperature, thrice.temperature, 1e-3)
  })
})
