/** Converts the AI SDK's questions to the questions of a Decision. */
import { UnsupportedFunctionalityError } from "@ai-sdk/provider"
import type { Question } from "@signalbox/core"
import type { CallWarnings } from "./CallWarnings.ts"
import type { DecisionQuestion } from "./DecisionModel.ts"

export const parseQuestions = (
  questions: Readonly<Record<string, DecisionQuestion>>,
  warnings: CallWarnings
): Readonly<Record<string, Question>> =>
  Object.fromEntries(
    Object.entries(questions).map(([name, question]) => [
      name,
      parseQuestion(name, question, warnings)
    ])
  )

const parseQuestion = (
  name: string,
  question: DecisionQuestion,
  warnings: CallWarnings
): Question => {
  switch (question.type) {
    case "boolean":
      return parseBoolean(name, question, warnings)
    case "choice": {
      const { criteria, instructions } = question
      return { type: "choice", instructions: instructions ?? "Which one holds?", criteria }
    }
    case "score": {
      const { criteria, instructions } = question
      const [lowest = "0", ...levels] = criteria.map((level, index) => level ?? String(index))
      return {
        type: "score",
        instructions: instructions ?? "Which level holds?",
        criteria: [lowest, ...levels]
      }
    }
    case "box":
      throw new UnsupportedFunctionalityError({ functionality: "questions of the type box" })
  }
}

/** A Decision describes both answers or none. */
const parseBoolean = (
  name: string,
  { criteria, instructions }: Extract<DecisionQuestion, { readonly type: "boolean" }>,
  warnings: CallWarnings
): Question => {
  const described = instructions ?? "Which one holds, true or false?"
  const { false: no, true: yes } = criteria ?? {}
  if (yes == null && no == null) return { type: "noul", instructions: described }
  if (yes == null || no == null) {
    warnings.compatible(
      `criteria of the question ${name}`,
      `${yes == null ? "True" : "False"} was described as everything else.`
    )
  }
  return {
    type: "noul",
    instructions: described,
    criteria: { true: yes ?? everythingElse, false: no ?? everythingElse }
  }
}

const everythingElse = "Everything else."
