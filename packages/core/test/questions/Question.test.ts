import { assert, describe, it } from "vitest"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Answers } from "../../src/questions/Answer.ts"
import { Question, Questions, countOptions, listOptions } from "../../src/questions/Question.ts"

const read = Schema.decodeUnknownResult(Question)

describe("Question", () => {
  it.each([
    { type: "noul", instructions: "?" },
    { type: "noul", instructions: { a: null }, criteria: { true: [], false: "no" } },
    { type: "choice", instructions: [1], criteria: { a: null, "": "x", "1": {} } },
    { type: "choice", instructions: "", criteria: { only: null } },
    { type: "score", instructions: "?", criteria: ["one level"] },
    { type: "score", instructions: "?", criteria: ["low", ["mid"], { high: 1 }] }
  ])("accepts %j unchanged", (question) => {
    assert.deepStrictEqual<unknown>(Result.getOrThrow(read(question)), question)
  })

  it.each([
    null,
    "noul",
    [],
    {},
    { type: "noul" },
    { type: "noul", instructions: null },
    { type: "noul", instructions: 7 },
    { type: "noul", instructions: "?", criteria: { true: "x" } },
    { type: "noul", instructions: "?", criteria: null },
    { type: "choice", instructions: "?" },
    { type: "choice", instructions: "?", criteria: {} },
    { type: "choice", instructions: "?", criteria: ["a", "b"] },
    { type: "choice", instructions: "?", criteria: { a: 1 } },
    { type: "score", instructions: "?", criteria: [] },
    { type: "score", instructions: "?", criteria: [null] },
    { type: "score", instructions: "?", criteria: { "0": "x" } },
    { type: "Noul", instructions: "?" },
    { type: "locate", instructions: "?" }
  ])("rejects %j", (question) => {
    assert.isTrue(Result.isFailure(read(question)))
  })

  it("keeps a question and a label called __proto__", () => {
    const json = '{"__proto__":{"type":"choice","instructions":"?","criteria":{"__proto__":null}}}'
    const questions = Option.getOrThrow(Schema.decodeUnknownOption(Questions)(JSON.parse(json)))
    assert.strictEqual(JSON.stringify(questions), json)
    assert.deepStrictEqual(listOptions(questions["__proto__"]!), [
      { label: "__proto__", guidance: null }
    ])
  })

  it.each([[{}], [[]], [null], ["x"], [[{ type: "noul", instructions: "?" }]]])(
    "rejects %j as questions",
    (questions) => {
      assert.isTrue(Option.isNone(Schema.decodeUnknownOption(Questions)(questions)))
    }
  )
})

describe("the options", () => {
  const cases: ReadonlyArray<[Question, ReadonlyArray<[string, unknown]>]> = [
    [
      { type: "noul", instructions: "?" },
      [
        ["yes", null],
        ["no", null]
      ]
    ],
    [
      { type: "noul", instructions: "?", criteria: { false: "b", true: "a" } },
      [
        ["yes", "a"],
        ["no", "b"]
      ]
    ],
    [
      { type: "choice", instructions: "?", criteria: { b: null, a: ["x"] } },
      [
        ["b", null],
        ["a", ["x"]]
      ]
    ],
    [
      { type: "score", instructions: "?", criteria: ["low", { high: true }] },
      [
        ["0", "low"],
        ["1", { high: true }]
      ]
    ]
  ]
  it.each(cases)("of %j have the order of the question", (question, expected) => {
    const found = listOptions(question)
    assert.deepStrictEqual<unknown>(
      found.map(({ guidance, label }) => [label, guidance]),
      expected
    )
    assert.strictEqual(countOptions(question), found.length)
  })

  it("have the JavaScript order of number-like labels, like answers", () => {
    const question: Question = {
      type: "choice",
      instructions: "?",
      criteria: { b: null, "10": null, "2": null }
    }
    assert.deepStrictEqual(
      listOptions(question).map(({ label }) => label),
      Object.keys(question.criteria)
    )
  })
})

describe("Answers", () => {
  it("are distinguished by their type", () => {
    const is = Schema.is(Answers)
    assert.isTrue(is({ a: { type: "noul", noul: 0.5 }, b: { type: "choice", choice: "x" } }))
    assert.isTrue(is({ a: { type: "score", score: 1, legend: { "0": "x" } } }))
    assert.isFalse(is({ a: { type: "noul", noul: Number.NaN } }))
    assert.isFalse(is({ a: { type: "noul", score: 1 } }))
    assert.isFalse(is({ a: { type: "choice", choice: 1 } }))
  })
})
