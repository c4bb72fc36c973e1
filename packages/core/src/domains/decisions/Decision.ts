/** The response body of a Decision. */
import * as Schema from "effect/Schema"
import {
  Answers,
  type ChoiceAnswer,
  type NoulAnswer,
  type ScoreAnswer
} from "../../questions/Answer.ts"
import type { Question } from "../../questions/Question.ts"
import type { DecisionRequest } from "./DecisionRequest.ts"

/** The answer to a Decision request. */
export const Decision = Schema.Struct({
  answers: Answers,
  id: Schema.optionalKey(Schema.String),
  /** The catalog id of the model that answered; the record has the provider's name for it. */
  model: Schema.String,
  provider: Schema.optionalKey(Schema.String),
  /** The known usage of all attempts, including failed ones. */
  usage: Schema.Struct({
    input_tokens: Schema.Int,
    output_tokens: Schema.Int,
    /** USD; omitted when a price is unknown. */
    cost: Schema.optionalKey(Schema.Finite)
  })
})
export type Decision = typeof Decision.Type

/** A Decision request in process, typed by its questions. */
export type DecideRequest<Q extends Readonly<Record<string, Question>>> = Omit<
  DecisionRequest,
  "questions" | "state"
> & {
  /** Text, or any object or array that JSON can express. */
  readonly state: string | object
  readonly questions: Q
}

/** The answer to one question; `choice` is one of the question's labels. */
export type AnswerTo<Q extends Question> = Q extends { readonly type: "noul" }
  ? NoulAnswer
  : Q extends { readonly type: "choice"; readonly criteria: infer Criteria }
    ? Omit<ChoiceAnswer, "choice" | "confidence" | "prediction_set" | "probabilities"> & {
        readonly choice: keyof Criteria & string
        readonly confidence: number
        readonly prediction_set?: ReadonlyArray<keyof Criteria & string>
        readonly probabilities: { readonly [Label in keyof Criteria & string]: number }
      }
    : Q extends { readonly type: "score" }
      ? Required<Omit<ScoreAnswer, "prediction_set">> & Pick<ScoreAnswer, "prediction_set">
      : never

/** The answers to a request in process, under the names of its questions. */
export type DecideResult<Q extends Readonly<Record<string, Question>>> = Omit<
  Decision,
  "answers"
> & {
  readonly answers: { readonly [Name in keyof Q]: AnswerTo<Q[Name]> }
}
