/** The answers of a Decision, one typed answer per question, and the raw results they are derived from. */

export type NoulAnswer = {
  readonly type: "noul"
  readonly noul: number
  readonly prediction_set?: ReadonlyArray<boolean>
}

export type ChoiceAnswer = {
  readonly type: "choice"
  readonly choice: string
  readonly confidence?: number
  readonly probabilities?: Readonly<Record<string, number>>
  readonly prediction_set?: ReadonlyArray<string>
}

export type ScoreAnswer = {
  readonly type: "score"
  readonly score: number
  readonly confidence?: number
  readonly probabilities?: Readonly<Record<string, number>>
  readonly legend?: Readonly<Record<string, string | object>>
  readonly prediction_set?: ReadonlyArray<number>
}

export type Answer = NoulAnswer | ChoiceAnswer | ScoreAnswer

export type Answers = Readonly<Record<string, Answer>>
