/** The three kinds of question a Decision may ask. */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { SettingsShape } from "../instance/Settings.ts"
import type { InvalidRequest } from "../values/errors/RequestErrors.ts"
import { findCountProblem } from "../values/validation/findCountProblem.ts"

/** A JSON object or array that is passed to the model unchecked. */
const JsonContainer = Schema.declare<Record<string, unknown> | ReadonlyArray<unknown>>(
  (input): input is Record<string, unknown> | ReadonlyArray<unknown> =>
    typeof input === "object" && input !== null,
  { expected: "a string, an object or an array" }
)

/** Instructions of a question or an option for the model. */
export const Guidance = Schema.Union([Schema.String, JsonContainer])
export type Guidance = typeof Guidance.Type

/** A yes/no question. */
export const Noul = Schema.Struct({
  type: Schema.Literal("noul"),
  instructions: Guidance,
  criteria: Schema.optionalKey(Schema.Struct({ true: Guidance, false: Guidance }))
})
export type Noul = typeof Noul.Type

/** One label out of several; at least one label. */
export const Choice = Schema.Struct({
  type: Schema.Literal("choice"),
  instructions: Guidance,
  criteria: Schema.Record(Schema.String, Schema.NullOr(Guidance))
    .annotate({
      message: 'Expected an object with a key for each label, such as {"yes": null, "no": null}'
    })
    .check(Schema.isMinProperties(1))
})
export type Choice = typeof Choice.Type

/** A level on a scale ordered from lowest to highest; at least one level. */
export const Score = Schema.Struct({
  type: Schema.Literal("score"),
  instructions: Guidance,
  criteria: Schema.NonEmptyArray(Guidance).annotate({
    message: 'Expected a list of levels, the lowest first, such as ["low", "high"]'
  })
})
export type Score = typeof Score.Type

/** A question of any type. */
export const Question = Schema.Union([Noul, Choice, Score]).annotate({
  expected: 'a question of type "noul", "choice" or "score"'
})
export type Question = typeof Question.Type

/** Questions by the names their caller chose. Names are data: `__proto__` is a legal one. */
export const Questions = Schema.Record(Schema.String, Question).check(Schema.isMinProperties(1))
export type Questions = typeof Questions.Type

/** A possible answer: its label and the guidance of the caller. */
export interface AnswerOption {
  readonly label: string
  readonly guidance: Guidance | null
}

/** The options of a question, in their order. */
export const listOptions = (question: Question): ReadonlyArray<AnswerOption> => {
  switch (question.type) {
    case "noul":
      return [
        { label: "yes", guidance: question.criteria?.true ?? null },
        { label: "no", guidance: question.criteria?.false ?? null }
      ]
    case "choice":
      return Object.entries(question.criteria).map(([label, guidance]) => ({ label, guidance }))
    case "score":
      return question.criteria.map((guidance, level) => ({ label: String(level), guidance }))
  }
}

/** How many options a question has. */
export const countOptions = (question: Question): number => {
  switch (question.type) {
    case "noul":
      return 2
    case "choice":
      return Object.keys(question.criteria).length
    case "score":
      return question.criteria.length
  }
}

/** Ignores invalid questions, which are rejected later. */
export const findQuestionCountProblem = (
  questions: unknown,
  settings: SettingsShape
): InvalidRequest | undefined => {
  if (!Predicate.isObject(questions)) return undefined
  const names = Object.keys(questions)
  const problem = findCountProblem(names.length, "maxQuestions", settings, ["questions"])
  if (problem !== undefined) return problem
  let options = 0
  for (const name of names) {
    const question = questions[name]
    const criteria = Predicate.isObject(question) ? question["criteria"] : undefined
    if (typeof criteria !== "object" || criteria === null) continue
    const isScale = Array.isArray(criteria)
    const count = isScale ? criteria.length : Object.keys(criteria).length
    const setting = isScale ? "maxLevels" : "maxLabels"
    const found = findCountProblem(count, setting, settings, ["questions", name, "criteria"])
    if (found !== undefined) return found
    options += count
  }
  return findCountProblem(options, "maxOptions", settings, ["questions"])
}
