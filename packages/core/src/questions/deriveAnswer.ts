/** The one place where a verdict becomes an answer: validated, normalised, completed. */
import * as Result from "effect/Result"
import type { Answer } from "./Answer.ts"
import {
  choiceConfidence,
  expectedLevel,
  mode,
  normalise,
  scoreConfidence
} from "./distribution.ts"
import { optionCount } from "./options.ts"
import type { Question } from "./Question.ts"
import type { Verdict } from "./Verdict.ts"

/**
 * The answer to `question` that `verdict` gives, or what is wrong with the verdict.
 * Formulas: semantics C1. Probabilities are not rounded.
 */
export const deriveAnswer = (
  question: Question,
  verdict: Verdict
): Result.Result<Answer, string> => {
  const { given, weights } = verdict
  const expected = optionCount(question)
  if (weights.length !== expected) {
    return Result.fail(`expected ${expected} weights, got ${weights.length}`)
  }
  if (!weights.every((weight) => Number.isFinite(weight) && weight >= 0)) {
    return Result.fail("a weight is not a finite number of at least 0")
  }
  const confidence = given?.confidence
  if (confidence !== undefined && !(confidence >= 0 && confidence <= 1)) {
    return Result.fail("confidence lies outside 0..1")
  }
  const probabilities = normalise(weights)
  switch (question.type) {
    case "noul":
      return Result.succeed({ type: "noul", noul: probabilities[0]! })
    case "choice": {
      const labels = Object.keys(question.criteria)
      const choice = given?.choice ?? labels[mode(probabilities)]!
      if (!Object.hasOwn(question.criteria, choice)) {
        return Result.fail("the choice is not a label of the question")
      }
      return Result.succeed({
        type: "choice",
        choice,
        confidence: confidence ?? choiceConfidence(probabilities),
        probabilities: keyed(labels, probabilities)
      })
    }
    case "score": {
      const positions = question.criteria.map((_, level) => String(level))
      const score = given?.score ?? expectedLevel(probabilities)
      if (!(score >= 0 && score <= expected - 1)) {
        return Result.fail(`the score lies outside 0..${expected - 1}`)
      }
      return Result.succeed({
        type: "score",
        score,
        confidence: confidence ?? scoreConfidence(probabilities),
        probabilities: keyed(positions, probabilities),
        legend: keyed(positions, question.criteria)
      })
    }
  }
}

/** An object of own keys only, whatever the keys are called. */
const keyed = <A>(keys: ReadonlyArray<string>, values: ReadonlyArray<A>): Record<string, A> =>
  Object.fromEntries(keys.map((key, i) => [key, values[i]!]))
