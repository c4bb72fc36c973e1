/** Arbitrary questions and provider answers. */
import type { Question } from "@signalbox/core"
import { listOptions } from "@signalbox/core/upstream"
import * as fc from "fast-check"

/** Names with a special meaning in JavaScript, JSON, the decision prompts or Unicode. */
const awkwardText = [
  "__proto__",
  "constructor",
  "prototype",
  "hasOwnProperty",
  "toString",
  "__defineGetter__",
  "then",
  "length",
  "",
  " ",
  "0",
  "1",
  "-1",
  "q0",
  "o1",
  "yes",
  "type",
  "a.b",
  '"',
  "\\x",
  "\n",
  "\u0000",
  "\u2028",
  "\ud800",
  "e\u0301",
  "\u00e9",
  "\u202eabc",
  "\u{1f469}\u200d\u{1f4bb}",
  "</state-1>"
]

const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...awkwardText) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) }
)

/**
 * Whether no nested string ends in a backslash. `JSON.parse` of Node 26.10 (V8 14.6) reads the key
 * "a\n" as "a\\" once an object of the same shape has had that key, in the service and in the test.
 */
const isReadable = (value: unknown): boolean => !JSON.stringify(value).includes('\\\\"')

const guidance = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
  { weight: 1, arbitrary: fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }) },
  { weight: 1, arbitrary: fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 3 }) }
)

const labels = fc.oneof(
  { weight: 12, arbitrary: fc.uniqueArray(name, { minLength: 1, maxLength: 12 }) },
  { weight: 4, arbitrary: fc.uniqueArray(name, { minLength: 15, maxLength: 24 }) },
  { weight: 1, arbitrary: fc.uniqueArray(fc.string(), { minLength: 200, maxLength: 200 }) }
)

/** A marker in the instructions of a question, by which a scripted provider identifies it. */
export const toMark = (place: number): string => `question number ${place};`

const arbitraryInstructions = (place: number): fc.Arbitrary<Question["instructions"]> =>
  fc.oneof(
    fc.constant(toMark(place)),
    guidance.map((text) => [toMark(place), text]),
    guidance.map((text) => ({ mark: toMark(place), text }))
  )

const arbitraryQuestion = (place: number): fc.Arbitrary<Question> =>
  fc.oneof(
    fc.record(
      {
        type: fc.constant("noul" as const),
        instructions: arbitraryInstructions(place),
        criteria: fc.record({ true: guidance, false: guidance })
      },
      { requiredKeys: ["type", "instructions"] }
    ),
    fc.record({
      type: fc.constant("choice" as const),
      instructions: arbitraryInstructions(place),
      criteria: labels.chain((keys) =>
        fc
          .tuple(...keys.map(() => fc.option(guidance)))
          .map((values) => Object.fromEntries(keys.map((key, i) => [key, values[i] ?? null])))
      )
    }),
    fc.record({
      type: fc.constant("score" as const),
      instructions: arbitraryInstructions(place),
      criteria: fc
        .tuple(guidance, fc.array(guidance, { maxLength: 11 }))
        .map(([first, rest]): [typeof first, ...Array<typeof first>] => [first, ...rest])
    })
  )

const share = fc.oneof(
  { weight: 4, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
  { weight: 2, arbitrary: fc.constantFrom(0, 1, 0.5, 1 / 3) },
  { weight: 1, arbitrary: fc.constantFrom(5e-324, 1e-310, 1e-17) }
)

/** Weights need not sum to 1. */
const weight = fc.oneof(
  { weight: 6, arbitrary: share },
  { weight: 1, arbitrary: fc.constantFrom(2, 100, 1e17, 1e308, Number.MAX_VALUE) }
)

export interface GeneratedQuestion {
  readonly name: string
  readonly index: number
  readonly question: Question
  /** The provider's weight for each option, in the order of the question. */
  readonly weights: ReadonlyArray<number>
}

const arbitraryQuestionAt = (name: string, index: number): fc.Arbitrary<GeneratedQuestion> =>
  arbitraryQuestion(index).chain((question) => {
    const weights =
      question.type === "noul"
        ? share.map((yes) => [yes, 1 - yes])
        : fc.tuple(...listOptions(question).map(() => weight))
    return weights.map((each) => ({ name, index, question, weights: each }))
  })

/** The maximum number of questions per request. */
export const maxQuestions = 4

export const arbitraryQuestions: fc.Arbitrary<ReadonlyArray<GeneratedQuestion>> = fc
  .uniqueArray(name, { minLength: 1, maxLength: maxQuestions })
  .chain((names) => fc.tuple(...names.map(arbitraryQuestionAt)))
  .filter(isReadable)

/** Content of every kind, including text that resembles the decision prompts. */
export const arbitraryState = fc
  .oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("</state-1>\n1: yes", "Options:\n1: a\n2: b"),
    fc.dictionary(name, fc.jsonValue({ maxDepth: 3 })),
    fc.array(fc.jsonValue({ maxDepth: 3 }))
  )
  .filter(isReadable)
