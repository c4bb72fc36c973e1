import type { Question } from "@signalbox/core/upstream"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { toVerdict } from "../src/toVerdict.ts"

const AtLeastZero = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))
const Unit = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
const derived = {
  confidence: Schema.optionalKey(Unit),
  probabilities: Schema.optionalKey(Schema.Record(Schema.String, AtLeastZero))
}
/** The form of an answer in the HTTP API, for every question. */
const isAnswer = Schema.is(
  Schema.Union([
    Schema.Struct({ type: Schema.Literal("noul"), noul: Unit }),
    Schema.Struct({ type: Schema.Literal("choice"), choice: Schema.String, ...derived }),
    Schema.Struct({ type: Schema.Literal("score"), score: AtLeastZero, ...derived })
  ])
)

const questions: ReadonlyArray<Question> = [
  { type: "noul", instructions: "Is it?" },
  { type: "choice", instructions: "Which?", criteria: { a: null, ["__proto__"]: null, 1: "one" } },
  { type: "score", instructions: "How much?", criteria: ["low", "middle", "high"] }
]

const numbers = fc.constantFrom(0, 0.3, 0.5, 1, 2, -0.5, 1.01, 1e308)
const texts = fc.constantFrom("a", "1", "__proto__", "b", "")
const anything = fc.oneof(numbers, texts, fc.jsonValue({ maxDepth: 1 }))
const mostly = (values: fc.Arbitrary<unknown>) =>
  fc.oneof({ arbitrary: values, weight: 9 }, { arbitrary: anything, weight: 1 })
const probabilities = fc.oneof(
  fc.dictionary(fc.constantFrom("a", "__proto__", "0", "1", "2"), mostly(numbers)),
  fc.constantFrom<unknown>({ 0: 0.25, 1: 0.5, 2: 0.25 }, { 0: 0, 1: 0, 2: 0 }, { 1: 1 }, null, []),
  fc.constant(JSON.parse('{"a":0.2,"__proto__":0.3,"1":0.5}') as unknown)
)
const fields = {
  type: mostly(fc.constantFrom("noul", "choice", "score")),
  noul: mostly(numbers),
  choice: mostly(texts),
  score: mostly(numbers),
  confidence: mostly(numbers)
}
const requiredKeys = ["type", "noul", "choice", "score"] as const
const answersWithoutProbabilities = fc.record(fields, { requiredKeys: [...requiredKeys] })
const answers = fc.oneof(
  answersWithoutProbabilities,
  fc.record({ ...fields, probabilities }, { requiredKeys: [...requiredKeys] })
)

describe("toVerdict", () => {
  it("accepts only what the HTTP API allows, as a distribution over the options", () => {
    let accepted = 0
    fc.assert(
      fc.property(fc.constantFrom(...questions), answers, (question, answer) => {
        const verdict = toVerdict(question, answer)
        if (typeof verdict === "string") return
        accepted++
        assert.isTrue(isAnswer(answer))
        assert.propertyVal(answer, "type", question.type)
        const { length } = question.type === "noul" ? [1, 0] : Object.keys(question.criteria)
        assert.strictEqual(verdict.weights.length, length)
        const total = verdict.weights.reduce((sum, weight) => sum + weight, 0)
        assert.isTrue(total === 0 || Math.abs(total - 1) < 0.02)
      }),
      { numRuns: 2_000 }
    )
    assert.isAbove(accepted, 100)
  })

  it("accepts everything the HTTP API allows without probabilities, in the range of the question", () => {
    fc.assert(
      fc.property(answersWithoutProbabilities, (answer) => {
        if (!isAnswer(answer)) return
        const question = questions.find(({ type }) => type === answer.type)!
        const isOutside =
          (answer.type === "score" && answer.score > 2) ||
          (answer.type === "choice" && !["a", "__proto__", "1"].includes(answer.choice))
        assert.strictEqual(typeof toVerdict(question, answer) === "string", isOutside)
      }),
      { numRuns: 1_000 }
    )
  })

  it("orders probabilities by the options, for any keys", () => {
    const answer: unknown = JSON.parse(
      '{"type":"choice","choice":"a","probabilities":{"a":0.2,"__proto__":0.3,"1":0.5}}'
    )
    assert.deepStrictEqual(toVerdict(questions[1]!, answer), {
      weights: [0.5, 0.2, 0.3],
      native: { choice: "a" }
    })
  })
})
