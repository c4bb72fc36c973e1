import { assert, describe, it } from "vitest"
import * as Result from "effect/Result"
import { checkReply } from "../../../src/domains/decisions/DecisionWork.ts"
import type { Questions } from "../../../src/questions/Question.ts"
import type { DecisionReply } from "../../../src/engine/upstreams/DecisionCapability.ts"
import { make as nano } from "../../../src/values/usage/NanoUsd.ts"

const questions: Questions = {
  calm: { type: "noul", instructions: "?" },
  team: { type: "choice", instructions: "?", criteria: { a: null, b: null } }
}
const usage = { inputTokens: 3, outputTokens: 1 }
const reply = (
  verdicts: Readonly<Record<string, ReadonlyArray<number>>>,
  rest: Partial<DecisionReply> = {}
): DecisionReply => ({
  verdicts: new Map(Object.entries(verdicts).map(([name, weights]) => [name, { weights }])),
  usage,
  method: "native",
  ...rest
})
const whole = { calm: [1, 3], team: [1, 0] }

describe("checkReply", () => {
  it("answers questions and labels called __proto__", () => {
    const asked = JSON.parse(
      '{"__proto__":{"type":"choice","instructions":"?","criteria":{"__proto__":null,"b":null}}}'
    ) as Questions
    const verdicts = new Map([["__proto__", { weights: [1, 0] }]])
    const answers = Result.getOrThrow(checkReply(asked, { verdicts, usage, method: "native" }))
    assert.strictEqual(
      JSON.stringify(answers),
      '{"__proto__":{"type":"choice","choice":"__proto__","confidence":1,"probabilities":{"__proto__":1,"b":0}}}'
    )
  })

  it("returns an answer to each question, in order", () => {
    const answers = Result.getOrThrow(
      checkReply(questions, reply({ team: [1, 0], calm: [1, 3] }, { cost: nano(0n) }))
    )
    assert.deepStrictEqual(Object.keys(answers), ["calm", "team"])
    assert.deepInclude(answers["calm"], { noul: 0.25 })
    assert.deepInclude(answers["team"], { choice: "a" })
  })

  it("answers a question called __proto__", () => {
    const questions: Questions = JSON.parse('{"__proto__":{"type":"noul","instructions":"?"}}')
    const verdicts = new Map([["__proto__", { weights: [1, 1] }]])
    const answers = Result.getOrThrow(checkReply(questions, { verdicts, usage, method: "native" }))
    assert.strictEqual(JSON.stringify(answers), '{"__proto__":{"type":"noul","noul":0.5}}')
  })

  const refused: ReadonlyArray<[string, DecisionReply, string, unknown]> = [
    ["a missing answer", reply({ calm: [1, 3] }), 'no answer to "team"', usage],
    ["no answer at all", reply({}), 'no answer to "calm"', usage],
    [
      "an extra answer",
      reply({ ...whole, more: [1] }),
      "an answer to a question that was not asked",
      usage
    ],
    ["a renamed answer", reply({ calm: [1, 3], Team: [1, 0] }), 'no answer to "team"', usage],
    [
      "an answer of another shape",
      reply({ ...whole, team: [1, 0, 0] }),
      '"team": expected 2 weights, got 3',
      usage
    ],
    [
      "an answer that is not a distribution",
      reply({ ...whole, calm: [-1, 2] }),
      '"calm": a weight is not a finite number of at least 0',
      usage
    ],
    ["a cost below 0", reply(whole, { cost: nano(-1n) }), "a cost below 0", usage],
    ...[-1, 0.5, Number.NaN, Infinity].flatMap(
      (count): ReadonlyArray<[string, DecisionReply, string, unknown]> => [
        [
          `${count} input tokens`,
          reply(whole, { usage: { inputTokens: count, outputTokens: 0 } }),
          "a token count is not a whole number",
          undefined
        ],
        [
          `${count} output tokens`,
          reply(whole, { usage: { inputTokens: 0, outputTokens: count } }),
          "a token count is not a whole number",
          undefined
        ]
      ]
    )
  ]
  it.each(refused)("rejects %s, and keeps its usage", (_, reply, detail, usage) => {
    const failure = Result.getOrThrow(Result.flip(checkReply(questions, reply)))
    assert.strictEqual(failure.kind, "invalid_answer")
    assert.strictEqual(failure.detail, detail)
    assert.deepStrictEqual(failure.usage, usage)
  })
})
