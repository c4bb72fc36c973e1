/** Writes the answers of a Decision in the form of Effect's decisions. */
import type * as Decision from "effect/ai/Decision"
import type * as DecisionModel from "effect/ai/DecisionModel"
import type { Answer, Answers } from "../questions/Answer.ts"
import { omitUndefined } from "../values/ownFields.ts"

/** The levels of a scale are named by their labels, as Effect does, and not by their places. */
export const writeDecisionAnswers = (
  decisions: Readonly<Record<string, Decision.Any>>,
  answers: Answers
): Readonly<Record<string, DecisionModel.ProviderAnswer>> =>
  Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [
      name,
      writeAnswer(findDecision(decisions, name), answer)
    ])
  )

/** Undefined when no answer has one. */
export const writePredictionSets = (
  decisions: Readonly<Record<string, Decision.Any>>,
  answers: Answers
): Readonly<Record<string, ReadonlyArray<boolean | string>>> | undefined => {
  const sets = Object.entries(answers).flatMap(([name, answer]) =>
    answer.prediction_set === undefined
      ? []
      : [[name, answer.prediction_set.map(toOptionName(findDecision(decisions, name)))] as const]
  )
  return sets.length === 0 ? undefined : Object.fromEntries(sets)
}

const toOptionName =
  (decision: Decision.Any | undefined) =>
  (option: boolean | number | string): boolean | string => {
    if (typeof option !== "number") return option
    return (decision?._tag === "Rate" ? decision.criteria[option]?.label : undefined) ?? `${option}`
  }

const findDecision = (
  decisions: Readonly<Record<string, Decision.Any>>,
  name: string
): Decision.Any | undefined => (Object.hasOwn(decisions, name) ? decisions[name] : undefined)

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
