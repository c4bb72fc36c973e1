import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { parseDecisionRequest } from "../../../../src/domains/decisions/parseDecisionRequest.ts"
import { defaults } from "../../../../src/instance/Settings.ts"

const questions = {
  calm: { type: "noul", instructions: "Is it calm?" },
  mood: { type: "choice", instructions: "Which mood?", criteria: { good: null, bad: null } },
  __proto__: undefined
}
const parse = (changes: object) => {
  const text = JSON.stringify({ model: "a/small", state: "It is fine.", questions, ...changes })
  return parseDecisionRequest(text, { bytes: text.length, settings: defaults })
}
const parsed = (changes: object) => Result.getOrThrow(parse(changes)).fallbacks
const refused = (changes: object): string => {
  const result = parse(changes)
  if (Result.isSuccess(result) || result.failure._tag !== "InvalidRequest") {
    throw new Error("it was not refused")
  }
  return `${result.failure.path.join(".")}: ${result.failure.problem}`
}
const when = (condition: unknown) => ({ models: [{ model: "a/large", when: condition }] })

describe("parseEscalation", () => {
  it("reads nothing from a request without both fields", () => {
    assert.isUndefined(parsed({}))
    assert.isUndefined(parsed({ escalate: null, models: null }))
  })

  it("reads each of the four conditions", () => {
    assert.deepStrictEqual(parsed({ escalate: { to: "a/large", confidence_below: 0.8 } }), {
      fallbacks: ["a/large"],
      escalation: { to: ["a/large"], rule: { type: "confidence", below: 0.8, coversNoul: true } }
    })
    assert.deepStrictEqual(
      parsed({ escalate: { to: ["a/large", "a/other"], probability_between: [0.2, 0.8] } }),
      {
        fallbacks: ["a/large", "a/other"],
        escalation: {
          to: ["a/large", "a/other"],
          rule: { type: "probability", between: [0.2, 0.8] }
        }
      }
    )
    assert.deepStrictEqual(
      parsed({ escalate: { to: "a/large", question: "mood", target: { relative_accuracy: 0.98 } } })
        ?.escalation,
      { to: ["a/large"], question: "mood", rule: { type: "relative_accuracy", share: 0.98 } }
    )
    assert.deepStrictEqual(
      parsed({ escalate: { to: "a/large", target: { max_share: 0.2 } } })?.escalation?.rule,
      { type: "max_share", share: 0.2 }
    )
  })

  it("demands exactly one of them", () => {
    for (const escalate of [
      { to: "a/large" },
      { to: "a/large", confidence_below: 0.8, probability_between: [0, 1] },
      { to: "a/large", target: {} },
      { to: "a/large", target: { relative_accuracy: 0.9, max_share: 0.5 } }
    ]) {
      assert.match(refused({ escalate }), /^escalate: must have exactly one of/)
    }
  })

  it("names what is wrong", () => {
    const cases: ReadonlyArray<readonly [object, RegExp]> = [
      [{ escalate: { to: "a/small", confidence_below: 0.8 } }, /^escalate\.to: must be another/],
      [{ escalate: { to: [], confidence_below: 0.8 } }, /^escalate\.to/],
      [{ escalate: { to: "a/large", confidence_below: 1.1 } }, /^escalate\.confidence_below/],
      [{ escalate: { to: "a/large", confidenceBelow: 0.5 } }, /^escalate\.confidenceBelow/],
      [
        { escalate: { to: "a/large", confidence_below: 0.5, question: "constructor" } },
        /^escalate\.question: is not the name of a question/
      ],
      [
        { escalate: { to: "a/large", probability_between: [0, 1], question: "mood" } },
        /^escalate\.question: is not a yes\/no question/
      ],
      [{ escalate: { to: "a/large", probability_between: [0.8, 0.2] } }, /smaller number first/],
      [
        { ...when({ confidenceBelow: 0.5 }), escalate: { to: "a/large", confidence_below: 0.5 } },
        /^escalate: leave it out/
      ],
      [
        { models: ["a/large", { model: "a/other", when: { confidenceBelow: 0.5 } }] },
        /^models\.1: a condition is allowed in the first entry only/
      ],
      [when({ question: "calm", confidenceBelow: 0.5 }), /use probabilityBetween/],
      [when({ question: "nope", confidenceBelow: 0.5 }), /^models\.0\.when\.question: is not the/],
      [
        when({ atLeast: { count: 2, conditions: [{ confidenceBelow: 0.5 }] } }),
        /^models\.0\.when\.atLeast\.count: is more than there are/
      ],
      [when({ confidenceBelow: 0.5, probabilityBetween: [0, 1] }), /^models/],
      [when({ any: [] }), /^models/],
      [when({ sure: true }), /^models/]
    ]
    for (const [changes, message] of cases) assert.match(refused(changes), message)
  })

  it("reads the conditions of another gateway, nested", () => {
    assert.deepStrictEqual(
      parsed({
        models: [
          {
            model: "a/large",
            when: {
              any: [
                { question: "mood", confidenceBelow: 0.6 },
                { all: [{ probabilityBetween: [0.4, 0.6] }, { confidenceBelow: 0.9 }] }
              ]
            }
          },
          "a/other"
        ]
      }),
      {
        fallbacks: ["a/large", "a/other"],
        escalation: {
          to: ["a/large"],
          rule: {
            type: "group",
            atLeast: 1,
            conditions: [
              { type: "confidence", below: 0.6, coversNoul: false, question: "mood" },
              {
                type: "group",
                atLeast: 2,
                conditions: [
                  { type: "probability", between: [0.4, 0.6] },
                  { type: "confidence", below: 0.9, coversNoul: false }
                ]
              }
            ]
          }
        }
      }
    )
  })

  it("takes names alone as fallbacks, and nests five levels at most", () => {
    assert.deepStrictEqual(parsed({ models: ["a/large"] }), { fallbacks: ["a/large"] })
    const nest = (depth: number): object =>
      depth === 1 ? { confidenceBelow: 0.5 } : { any: [nest(depth - 1)] }
    assert.isDefined(parsed(when(nest(5)))?.escalation)
    assert.match(refused(when(nest(6))), /levels deep/)
  })
})
