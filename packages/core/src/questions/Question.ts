/** The three kinds of question a Decision may ask. */
import * as Schema from "effect/Schema"
import { Guidance } from "./Guidance.ts"

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
