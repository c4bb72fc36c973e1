/** Writes the answers of a Decision as those of Effect's decisions. */
import type * as Decision from "effect/ai/Decision"
import type * as DecisionModel from "effect/ai/DecisionModel"
import type { Answer, Answers } from "../questions/Answer.ts"
import { omitUndefined } from "../values/omitUndefined.ts"

/** The levels of a scale are named by their labels, as Effect does, and not by their places. */
export const writeDecisionAnswers = (
  decisions: Readonly<Record<string, Decision.Any>>,
  answers: Answers
): Readonly<Record<string, DecisionModel.ProviderAnswer>> =>
  Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [
      name,
      writeAnswer(Object.hasOwn(decisions, name) ? decisions[name] : undefined, answer)
    ])
  )

const writeAnswer = (
  decision: Decision.Any | undefined,
  answer: Answer
): DecisionModel.ProviderAnswer => {
  switch (answer.type) {
    case "noul":
      return { _tag: "Probability", probability: answer.noul }
    case "choice": {
      const { choice, confidence, probabilities } = answer
      return { _tag: "Classify", label: choice, ...omitUndefined({ confidence, probabilities }) }
    }
    case "score": {
      const { confidence, probabilities, score } = answer
      const levels = decision?._tag === "Rate" ? decision.criteria : []
      return {
        _tag: "Rate",
        rating: score,
        ...omitUndefined({
          confidence,
          probabilities:
            probabilities &&
            Object.fromEntries(
              levels.map(({ label }, level) => [label, probabilities[level] ?? Number.NaN])
            )
        })
      }
    }
  }
}
