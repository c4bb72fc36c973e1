/** The answers of a Decision, one typed answer per question, and the raw results they are derived from. */
import * as Schema from "effect/Schema"
import { Guidance } from "./Question.ts"

/**
 * `noul` is the probability of yes, 0..1. `prediction_set`, of every answer, has the options among which the right one lies
 * with the `coverage` of the request.
 */
export const NoulAnswer = Schema.Struct({
  type: Schema.Literal("noul"),
  noul: Schema.Finite,
  prediction_set: Schema.optionalKey(Schema.Array(Schema.Boolean))
})
export type NoulAnswer = typeof NoulAnswer.Type

/** `choice` is a label of greatest probability; `probabilities` has exactly the question's labels. */
export const ChoiceAnswer = Schema.Struct({
  type: Schema.Literal("choice"),
  choice: Schema.String,
  confidence: Schema.optionalKey(Schema.Finite),
  probabilities: Schema.optionalKey(Schema.Record(Schema.String, Schema.Finite)),
  prediction_set: Schema.optionalKey(Schema.Array(Schema.String))
})
export type ChoiceAnswer = typeof ChoiceAnswer.Type

/**
 * `score` is the expected level index, 0..N-1. `probabilities` and `legend` are keyed by the
 * zero-based position of each criterion, written as a decimal string.
 */
export const ScoreAnswer = Schema.Struct({
  type: Schema.Literal("score"),
  score: Schema.Finite,
  confidence: Schema.optionalKey(Schema.Finite),
  probabilities: Schema.optionalKey(Schema.Record(Schema.String, Schema.Finite)),
  legend: Schema.optionalKey(Schema.Record(Schema.String, Guidance)),
  /** Levels without a gap, the lowest first. */
  prediction_set: Schema.optionalKey(Schema.Array(Schema.Int))
})
export type ScoreAnswer = typeof ScoreAnswer.Type

/** The answer to one question. */
export const Answer = Schema.Union([NoulAnswer, ChoiceAnswer, ScoreAnswer])
export type Answer = typeof Answer.Type

/** The answers by question name. */
export const Answers = Schema.Record(Schema.String, Answer)
export type Answers = typeof Answers.Type

/** What calibration did to an answer, as its record says. */
export interface AppliedMap {
  readonly map: "discrete" | "isotonic" | "none" | "platt" | "temperature"
  /** Labels that the map was fitted to; 0 without a map. */
  readonly samples: number
  /** Whether the map was fitted for the question or for its kind; null without a map. */
  readonly scope: "question" | "kind" | null
  /** Keyed hash of the question, by which reports select it; null for one too large to be labelled. */
  readonly key: string | null
}

/**
 * The raw result of an upstream for one question: a distribution over its options in their order, `[yes, no]` for
 * noul, the labels for choice, the levels for score. Weights need not be normalised. `native` has the results of an
 * upstream with native Decisions; they are validated and passed through instead of derived.
 */
export interface Verdict {
  readonly weights: ReadonlyArray<number>
  readonly native?: {
    /** The label chosen (choice). */
    readonly choice?: string
    /** The expected level (score). */
    readonly score?: number
    /** 0..1, by the upstream's own definition. */
    readonly confidence?: number
  }
}

/** The same side of one half, the same choice, or the same nearest level, for every question. */
export const haveSameVerdicts = (one: Answers, other: Answers): boolean =>
  Object.keys(one).every(
    (name) => Object.hasOwn(other, name) && toVerdict(one[name]!) === toVerdict(other[name]!)
  )

const toVerdict = (answer: Answer): boolean | number | string => {
  switch (answer.type) {
    case "noul":
      return answer.noul >= 0.5
    case "choice":
      return answer.choice
    case "score":
      return Math.round(answer.score)
  }
}
