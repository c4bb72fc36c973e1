/** The request and the response body of a Decision. */
import type { Answers, ChoiceAnswer, NoulAnswer, ScoreAnswer } from "./Answer.ts"
import type { Preferences } from "./Preferences.ts"
import type { Question, Questions } from "./Question.ts"
import type { Trace } from "./Trace.ts"

export type Decision = {
  readonly answers: Answers
  readonly id?: string
  readonly model: string
  readonly provider?: string
  readonly usage: {
    readonly input_tokens: number
    readonly output_tokens: number
    readonly cost?: number
  }
}

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

export type DecisionRequest = {
  readonly model: string
  readonly state: string | object
  readonly questions: Questions
  readonly models?: ReadonlyArray<
    | string
    | {
        readonly model: string
        readonly when: unknown
      }
  > | null
  readonly escalate?: {
    readonly to: string | readonly [string, ...ReadonlyArray<string>]
    readonly confidence_below?: number
    readonly probability_between?: readonly [number, ...ReadonlyArray<number>]
    readonly question?: string
    readonly target?: {
      readonly relative_accuracy?: number
      readonly max_share?: number
    }
  } | null
  readonly provider?: Preferences | null
  readonly calibration?: {
    readonly mode: "auto" | "off"
    readonly coverage?: number
  }
  readonly session_id?: string
  readonly trace?: Trace
  readonly user?: string
}
