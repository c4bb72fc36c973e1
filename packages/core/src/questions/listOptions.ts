/** The options of a question, in the order of the weights of a verdict. */
import type { Guidance } from "./Guidance.ts"
import type { Question } from "./Question.ts"

/** A possible answer: its label and the guidance of the caller. */
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
