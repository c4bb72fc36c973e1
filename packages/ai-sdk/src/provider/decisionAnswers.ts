/** Converts the answers of a Decision to the AI SDK's form. */
import type { Decision } from "@signalbox/core/contract"
import type { DecisionAnswer } from "./DecisionModel.ts"

type Answer = (typeof Decision.Type)["answers"][string]

export const writeAnswers = (
  answers: Readonly<Record<string, Answer>>
): Record<string, DecisionAnswer> =>
  Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, writeAnswer(answer)]))

/** Providers may choose or score apart from their probabilities; the AI SDK wants both to agree. */
const writeAnswer = (answer: Answer): DecisionAnswer => {
  switch (answer.type) {
    case "noul":
      return { type: "boolean", probability: answer.noul }
    case "choice": {
      const { choice, probabilities } = answer
      const chosen = probabilities?.[choice]
      return chosen === undefined || isBeaten(chosen, probabilities)
        ? { type: "choice", choice }
        : { type: "choice", choice, probabilities: { ...probabilities } }
    }
    case "score": {
      const { probabilities, score } = answer
      return probabilities === undefined
        ? { type: "score", score }
        : { type: "score", score: computeMean(probabilities), probabilities: { ...probabilities } }
    }
  }
}

const isBeaten = (chosen: number, probabilities: Readonly<Record<string, number>> = {}): boolean =>
  Object.values(probabilities).some((probability) => probability > chosen)

const computeMean = (probabilities: Readonly<Record<string, number>>): number => {
  const levels = Object.entries(probabilities)
  const mean = levels.reduce((sum, [level, probability]) => sum + Number(level) * probability, 0)
  // Sums of fractions may exceed the highest level by a rounding error.
  return Math.min(mean, levels.length - 1)
}
