/** The request and the response body of a Decision. */
import * as Schema from "effect/Schema"
import {
  Answers,
  type ChoiceAnswer,
  type NoulAnswer,
  type ScoreAnswer
} from "../../questions/Answer.ts"
import { Guidance, type Question, Questions } from "../../questions/Question.ts"
import { Preferences } from "../../routing/Preferences.ts"
import { Trace } from "../../values/Trace.ts"
import { EndUser, SessionId } from "../../values/ids/Ids.ts"
import { DecisionModels, EscalateRequest } from "./escalation/EscalateRequest.ts"

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

const coverageMessage = "must be a number from 0.5 to 0.999"

/** Whether probabilities are calibrated by the labels of the account. */
export const CalibrationRequest = Schema.Struct({
  /** `auto`: where labels show that it helps. The answers can then be labelled. */
  mode: Schema.Literals(["auto", "off"]),
  /** Adds `prediction_set` to each answer: the right option lies in it with this probability. */
  coverage: Schema.optionalKey(
    Schema.Finite.annotate({ message: coverageMessage }).check(
      Schema.makeFilter((value) => value >= 0.5 && value <= 0.999, {
        message: coverageMessage,
        minimum: 0.5,
        maximum: 0.999
      })
    )
  )
})

/** A Decision request; unknown fields are ignored and told. */
export const DecisionRequest = Schema.Struct({
  model: Schema.NonEmptyString,
  /** The untrusted data to evaluate: text, or any JSON object or array. */
  state: Guidance,
  questions: Questions,
  /** Models that answer when the first fails; the first entry may say with `when` which unsure answers go to it. */
  models: Schema.optionalKey(Schema.NullOr(DecisionModels)),
  /** Asks another model again what the first is not sure of. */
  escalate: Schema.optionalKey(Schema.NullOr(EscalateRequest)),
  provider: Schema.optionalKey(Schema.NullOr(Preferences)),
  /** Absent: as `settings.calibrateDecisions` says. */
  calibration: Schema.optionalKey(CalibrationRequest),
  session_id: Schema.optionalKey(SessionId),
  trace: Schema.optionalKey(Trace),
  user: Schema.optionalKey(EndUser)
})
export type DecisionRequest = typeof DecisionRequest.Type
