/** Selects the questions that need a model: those with more than one option. */
import {
  type AnswerOption,
  listOptions,
  type Question,
  type Questions
} from "@signalbox/core/upstream"

export interface OpenQuestion {
  readonly name: string
  readonly question: Question
  /** At least two. */
  readonly options: ReadonlyArray<AnswerOption>
}

export const listOpenQuestions = (questions: Questions): ReadonlyArray<OpenQuestion> =>
  Object.entries(questions)
    .map(([name, question]) => ({ name, question, options: listOptions(question) }))
    .filter(({ options }) => options.length > 1)
