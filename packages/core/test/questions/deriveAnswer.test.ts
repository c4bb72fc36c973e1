import { assert, describe, expect, it } from "vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import fc from "fast-check"
import { scaleRuns } from "../../../../vitest.scope.ts"
import { Answer, type Verdict } from "../../src/questions/Answer.ts"
import { deriveAnswer } from "../../src/questions/deriveAnswer.ts"
import {
  type Choice,
  type Question,
  type Score,
  countOptions
} from "../../src/questions/Question.ts"

const choice: Choice = { type: "choice", instructions: "?", criteria: { a: null, b: "x", c: null } }
const score: Score = { type: "score", instructions: "?", criteria: ["low", { mid: 1 }, ["high"]] }

const answer = (question: Question, verdict: Verdict) =>
  Result.getOrThrow(deriveAnswer(question, verdict))

describe("deriveAnswer", () => {
  it("answers a noul with the probability of yes", () => {
    const question: Question = { type: "noul", instructions: "?" }
    assert.deepStrictEqual(answer(question, { weights: [1, 3] }), { type: "noul", noul: 0.25 })
  })

  it("answers a choice with its most probable label", () => {
    assert.deepStrictEqual(answer(choice, { weights: [0.25, 0.5, 0.25] }), {
      type: "choice",
      choice: "b",
      confidence: (0.5 - 1 / 3) / (1 - 1 / 3),
      probabilities: { a: 0.25, b: 0.5, c: 0.25 }
    })
  })

  it("answers a score with the expected level, keyed by position, and its legend", () => {
    assert.deepStrictEqual(answer(score, { weights: [0.25, 0.5, 0.25] }), {
      type: "score",
      score: 1,
      confidence: 1 - 0.5 / (2 / 3),
      probabilities: { "0": 0.25, "1": 0.5, "2": 0.25 },
      legend: { "0": "low", "1": { mid: 1 }, "2": ["high"] }
    })
  })

  it("passes on the values of a native upstream", () => {
    const weights = [0.2, 0.3, 0.5]
    expect(answer(choice, { weights, native: { choice: "a", confidence: 0.9 } })).toMatchObject({
      choice: "a",
      confidence: 0.9,
      probabilities: { a: 0.2, b: 0.3, c: 0.5 }
    })
    expect(answer(score, { weights, native: { score: 0.1, confidence: 0 } })).toMatchObject({
      score: 0.1,
      confidence: 0
    })
    expect(answer(score, { weights, native: { score: 2 } })).toMatchObject({ score: 2 })
  })

  const refused: ReadonlyArray<[string, Question, Verdict]> = [
    ["too few weights", choice, { weights: [0.5, 0.5] }],
    ["too many weights", choice, { weights: [0.25, 0.25, 0.25, 0.25] }],
    ["a negative weight", choice, { weights: [1, -0.1, 0.1] }],
    ["a non-numeric weight", choice, { weights: [1, Number.NaN, 0] }],
    ["an infinite weight", choice, { weights: [1, Infinity, 0] }],
    ["an unknown label", choice, { weights: [1, 0, 0], native: { choice: "d" } }],
    [
      "a label only the prototype has",
      choice,
      { weights: [1, 0, 0], native: { choice: "toString" } }
    ],
    ["a confidence above 1", choice, { weights: [1, 0, 0], native: { confidence: 1.01 } }],
    ["a non-numeric confidence", score, { weights: [1, 0, 0], native: { confidence: NaN } }],
    ["a score above the top", score, { weights: [1, 0, 0], native: { score: 2.01 } }],
    ["a score below 0", score, { weights: [1, 0, 0], native: { score: -0.01 } }],
    ["a non-numeric score", score, { weights: [1, 0, 0], native: { score: Number.NaN } }]
  ]
  it.each(refused)("rejects %s with a message", (_, question, verdict) => {
    const result = deriveAnswer(question, verdict)
    assert.isTrue(Result.isFailure(result) && result.failure.length > 10)
  })

  const guidance = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.dictionary(fc.string(), fc.string())
  )
  const label = fc.oneof(
    fc.constantFrom("__proto__", "constructor", "toString", "", "0", "😀"),
    fc.string({ unit: "binary" })
  )
  const question: fc.Arbitrary<Question> = fc.oneof(
    fc.constant({ type: "noul", instructions: "?" } as const),
    fc.uniqueArray(label, { minLength: 1, maxLength: 200 }).map((labels) => ({
      type: "choice" as const,
      instructions: "?",
      criteria: Object.fromEntries(labels.map((label) => [label, null]))
    })),
    fc.tuple(guidance, fc.array(guidance, { maxLength: 20 })).map(([first, rest]) => ({
      type: "score" as const,
      instructions: "?",
      criteria: [first, ...rest] as const
    }))
  )
  const isAnswer = Schema.is(Answer)

  it("gives every question a valid answer that survives JSON", () => {
    fc.assert(
      fc.property(
        question,
        fc.infiniteStream(fc.double({ min: 0, noNaN: true })),
        (question, stream) => {
          const finite = stream.map((weight) => (Number.isFinite(weight) ? weight : 0))
          const weights = [...finite.take(countOptions(question))]
          const made = answer(question, { weights })
          const read: unknown = JSON.parse(JSON.stringify(made))
          assert.isTrue(isAnswer(read))
          assert.strictEqual(made.type, question.type)
          if (made.type === "noul" || question.type === "noul") {
            assert.isTrue(made.type === "noul" && made.noul >= 0 && made.noul <= 1)
            return
          }
          const keys =
            question.type === "choice"
              ? Object.keys(question.criteria)
              : question.criteria.map((_, i) => String(i))
          assert.deepStrictEqual(Object.keys(made.probabilities!), keys)
          const total = Object.values(made.probabilities!).reduce((a, b) => a + b, 0)
          assert.approximately(total, 1, 1e-6)
          assert.isTrue(made.confidence! >= 0 && made.confidence! <= 1)
          if (made.type === "choice") {
            assert.strictEqual(
              made.probabilities![made.choice],
              Math.max(...Object.values(made.probabilities!))
            )
          } else {
            assert.isTrue(made.score >= 0 && made.score <= keys.length - 1)
            assert.deepStrictEqual(Object.keys(made.legend!), keys)
          }
        }
      ),
      { numRuns: scaleRuns(1_000) }
    )
  })
})
