import * as Decision from "effect/ai/Decision"
import { expect, test } from "vitest"
import {
  parseQuestions,
  parseState,
  writeDecisionAnswers,
  writePredictionSets
} from "../../src/ai/SignalboxDecisionModel.ts"

const severity = Decision.rate({
  instructions: "How severe is it?",
  criteria: ["none", { label: "some", description: { what: "Hurts" } }, "blocking"]
})
const urgent = Decision.probability({ instructions: "The message is urgent" })
const decisions = Object.fromEntries([
  ["__proto__", severity],
  ["urgent", urgent]
])

test("a scale keeps its descriptions, and any name is a name of a question", () => {
  const questions = parseQuestions(decisions)
  expect(Object.entries(questions)).toEqual([
    [
      "__proto__",
      {
        type: "score",
        instructions: "How severe is it?",
        criteria: ["none", { what: "Hurts" }, "blocking"]
      }
    ],
    ["urgent", { type: "noul", instructions: "The message is urgent" }]
  ])
})

const answers = Object.fromEntries([
  [
    "__proto__",
    {
      type: "score" as const,
      score: 1.5,
      confidence: 0.5,
      probabilities: { "0": 0.1, "1": 0.3, "2": 0.6 },
      prediction_set: [1, 2]
    }
  ],
  ["urgent", { type: "noul" as const, noul: 0.9, prediction_set: [true] }]
])

test("levels have the labels of the scale, in answers and in prediction sets", () => {
  expect(Object.entries(writeDecisionAnswers(decisions, answers))).toEqual([
    [
      "__proto__",
      {
        _tag: "Rate",
        rating: 1.5,
        confidence: 0.5,
        probabilities: { none: 0.1, some: 0.3, blocking: 0.6 }
      }
    ],
    ["urgent", { _tag: "Probability", probability: 0.9 }]
  ])
  expect(Object.entries(writePredictionSets(decisions, answers) ?? {})).toEqual([
    ["__proto__", ["some", "blocking"]],
    ["urgent", [true]]
  ])
})

test("no answer has a prediction set unless the request asks for coverage", () => {
  expect(writePredictionSets(decisions, { urgent: { type: "noul", noul: 0.9 } })).toBeUndefined()
})

test.each([
  ["a text", "Hello", "Hello"],
  ["an object", { text: "Hello" }, { text: "Hello" }],
  ["a number, as its text", 3, "3"],
  ["nothing, as its text", null, "null"]
])("the state may be %s", (_, state, expected) => {
  expect(parseState({ state })).toEqual(expected)
})
