/** The questions whose answers are not sure enough. */
import type { Answer, Answers } from "../../../questions/Answer.ts"
import type { EscalationCondition } from "./Escalation.ts"

/** Empty when the condition does not hold; otherwise the questions at which a part of it does. */
export const findUnsure = (
  condition: EscalationCondition,
  answers: Answers
): ReadonlyArray<string> => {
  switch (condition.type) {
    case "confidence": {
      const { below, coversNoul, question } = condition
      return select(
        answers,
        question,
        (answer) => (coversNoul || answer.type !== "noul") && toConfidence(answer) < below
      )
    }
    case "probability": {
      const [from, to] = condition.between
      return select(answers, condition.question, (answer) => {
        if (answer.type !== "noul") return false
        const yes = dropRounding(answer.noul)
        return yes >= from && yes <= to
      })
    }
    case "group": {
      const found = condition.conditions
        .map((each) => findUnsure(each, answers))
        .filter((names) => names.length > 0)
      return found.length >= condition.atLeast ? Array.from(new Set(found.flat())) : []
    }
  }
}

/** 0 to 1. The confidence of a yes/no question is that of a choice between two labels. */
export const toConfidence = (answer: Answer): number =>
  dropRounding(answer.type === "noul" ? Math.abs(2 * answer.noul - 1) : (answer.confidence ?? 1))

/** |2 * 0.95 - 1| is 0.8999999999999999, which is not below 0.9. */
const dropRounding = (value: number): number => Math.round(value * 1e12) / 1e12

const select = (
  answers: Answers,
  question: string | undefined,
  isUnsure: (answer: Answer) => boolean
): ReadonlyArray<string> =>
  Object.keys(answers).filter(
    (name) => (question === undefined || name === question) && isUnsure(answers[name]!)
  )
