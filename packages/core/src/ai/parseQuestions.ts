/** Parses Effect's decisions as the questions of a Decision. */
import type * as Decision from "effect/ai/Decision"
import type { Question, Questions } from "../questions/Question.ts"

type Answerable = Exclude<Decision.Any, Decision.Locate>

export const parseQuestions = (decisions: Readonly<Record<string, Answerable>>): Questions =>
  Object.fromEntries(
    Object.entries(decisions).map(([name, decision]) => [name, parseQuestion(decision)])
  )

const parseQuestion = (decision: Answerable): Question => {
  const { instructions } = decision
  switch (decision._tag) {
    case "Probability":
      return {
        type: "noul",
        instructions,
        ...(decision.criteria === undefined ? undefined : { criteria: decision.criteria })
      }
    case "Classify":
      return { type: "choice", instructions, criteria: decision.criteria }
    case "Rate": {
      const [lowest, ...levels] = decision.criteria.map(({ description }) => description)
      // `Decision.rate` requires two levels.
      return { type: "score", instructions, criteria: [lowest ?? "", ...levels] }
    }
  }
}
