import { assert, describe, it } from "@effect/vitest"
import {
  findUnsure,
  toConfidence
} from "../../../../src/domains/decisions/escalation/makeUnsureFinder.ts"
import type { Answers } from "../../../../src/questions/Answer.ts"

const answers: Answers = Object.fromEntries([
  ["__proto__", { type: "noul", noul: 0.55 }],
  ["sure", { type: "noul", noul: 0.99 }],
  ["mood", { type: "choice", choice: "good", confidence: 0.5 }],
  ["level", { type: "score", score: 1, confidence: 0.9 }]
] as const)
const confidence = (below: number, coversNoul = true, question?: string) =>
  ({
    type: "confidence",
    below,
    coversNoul,
    ...(question === undefined ? {} : { question })
  }) as const
const probability = (from: number, to: number) =>
  ({ type: "probability", between: [from, to] }) as const

describe("findUnsure", () => {
  it("finds exactly those below the threshold", () => {
    assert.deepStrictEqual(findUnsure(confidence(0.5), answers), ["__proto__"])
    assert.deepStrictEqual(findUnsure(confidence(0.51), answers), ["__proto__", "mood"])
    assert.deepStrictEqual(findUnsure(confidence(1.1), answers), Object.keys(answers))
    assert.deepStrictEqual(findUnsure(confidence(0.9, false), answers), ["mood"])
    assert.deepStrictEqual(findUnsure(confidence(1, true, "level"), answers), ["level"])
  })

  it("finds yes/no questions in a band of probability, both ends included", () => {
    assert.deepStrictEqual(findUnsure(probability(0.55, 0.6), answers), ["__proto__"])
    assert.deepStrictEqual(findUnsure(probability(0.5, 0.55), answers), ["__proto__"])
    assert.deepStrictEqual(findUnsure(probability(0.56, 0.98), answers), [])
  })

  it("takes no answer at the threshold for one below it because of rounding", () => {
    for (let step = 0; step <= 20; step++) {
      const noul = step * 0.05
      const stated = { q: { type: "noul", noul } } as const
      const at = Math.round(Math.abs(2 * noul - 1) * 10) / 10
      assert.deepStrictEqual(findUnsure(confidence(at), stated), [], String(noul))
      assert.deepStrictEqual(findUnsure(confidence(at + 0.01), stated), ["q"], String(noul))
      const exact = step / 20
      assert.deepStrictEqual(findUnsure(probability(exact, exact), stated), ["q"], String(noul))
    }
  })

  it("joins the questions of conditions that hold together", () => {
    const conditions = [confidence(0.6, false), probability(0.4, 0.6), probability(0, 0.1)]
    const group = (atLeast: number) => findUnsure({ type: "group", atLeast, conditions }, answers)
    assert.deepStrictEqual(group(1).toSorted(), ["__proto__", "mood"])
    assert.deepStrictEqual(group(2).toSorted(), ["__proto__", "mood"])
    assert.deepStrictEqual(group(3), [])
  })

  it("has the confidence of a choice between two labels for yes and no", () => {
    assert.closeTo(toConfidence({ type: "noul", noul: 0.75 }), 0.5, 1e-12)
    assert.closeTo(toConfidence({ type: "noul", noul: 0.25 }), 0.5, 1e-12)
  })
})
