/** The three kinds of question a Decision may ask. */

export type Noul = {
  readonly type: "noul"
  readonly instructions: string | object
  readonly criteria?: {
    readonly true: string | object
    readonly false: string | object
  }
}

export type Choice = {
  readonly type: "choice"
  readonly instructions: string | object
  readonly criteria: Readonly<Record<string, string | object | null>>
}

export type Score = {
  readonly type: "score"
  readonly instructions: string | object
  readonly criteria: readonly [string | object, ...ReadonlyArray<string | object>]
}

export type Question = Noul | Choice | Score

export type Questions = Readonly<Record<string, Question>>
