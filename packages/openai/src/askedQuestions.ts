/** The questions of a Decision that have to be asked: a single option needs no model. */
import { type AnswerOption, options, type Question, type Questions } from "@signalbox/core/upstream"

export interface AskedQuestion {
  readonly name: string
  readonly question: Question
  /** At least two. */
  readonly options: ReadonlyArray<AnswerOption>
}

export const askedQuestions = (questions: Questions): ReadonlyArray<AskedQuestion> =>
  Object.entries(questions)
    .map(([name, question]) => ({ name, question, options: options(question) }))
    .filter(({ options }) => options.length > 1)
