/** The types of Decisions: the type of each answer follows from its question. */
import type { ChoiceAnswer, NoulAnswer, ScoreAnswer } from "./Answer.ts"
import type { Decision } from "./Decision.ts"
import type { DecisionRequest } from "./DecisionRequest.ts"
import type { Question } from "./Question.ts"

/** A Decision request, typed by its questions. */
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

/** The answers to a request, under the names of its questions. */
export type DecideResult<Q extends Readonly<Record<string, Question>>> = Omit<
  Decision,
  "answers"
> & {
  readonly answers: { readonly [Name in keyof Q]: AnswerTo<Q[Name]> }
}
