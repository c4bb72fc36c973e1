/** The options of a question in their order, the order in which verdicts weigh them. */
import type { Guidance } from "./Guidance.ts"
import type { Question } from "./Question.ts"

/** One thing an answer can be: what it is called and what the caller says about it. */
export interface AnswerOption {
  readonly label: string
  readonly guidance: Guidance | null
}

/** The options of a question, in their order. */
export const listOptions = (question: Question): ReadonlyArray<AnswerOption> => {
  switch (question.type) {
    case "noul":
      return [
        { label: "yes", guidance: question.criteria?.true ?? null },
        { label: "no", guidance: question.criteria?.false ?? null }
      ]
    case "choice":
      return Object.entries(question.criteria).map(([label, guidance]) => ({ label, guidance }))
    case "score":
      return question.criteria.map((guidance, level) => ({ label: String(level), guidance }))
  }
}

/** How many options a question has. */
export const countOptions = (question: Question): number => {
  switch (question.type) {
    case "noul":
      return 2
    case "choice":
      return Object.keys(question.criteria).length
    case "score":
      return question.criteria.length
  }
}
