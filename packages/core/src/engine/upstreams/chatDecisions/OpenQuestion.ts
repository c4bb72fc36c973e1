/** Selects the questions that need a model: those with more than one option. */
import {
  type AnswerOption,
  type Question,
  type Questions,
  listOptions
} from "../../../questions/Question.ts"

export interface OpenQuestion {
  readonly name: string
  readonly question: Question
  /** At least two. */
  readonly options: ReadonlyArray<AnswerOption>
}

export const listOpenQuestions = (questions: Questions): ReadonlyArray<OpenQuestion> => {
  const open: Array<OpenQuestion> = []
  for (const [name, question] of Object.entries(questions)) {
    const options = listOptions(question)
    if (options.length > 1) open.push({ name, question, options })
  }
  return open
}
