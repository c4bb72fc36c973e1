/** Turns the verdict of an upstream into a validated, normalised and complete answer. */
import * as Result from "effect/Result"
import { setOwn } from "../values/ownFields.ts"
import type { Answer, Verdict } from "./Answer.ts"
import {
  computeChoiceConfidence,
  computeExpectedLevel,
  findMode,
  normalize,
  computeScoreConfidence
} from "./distribution.ts"
import { type Question, countOptions } from "./Question.ts"

/** The answer to `question` that `verdict` gives, or the problem with the verdict. Probabilities are not rounded. */
export const deriveAnswer = (
  question: Question,
  verdict: Verdict
): Result.Result<Answer, string> => {
  const { native, weights } = verdict
  const expected = countOptions(question)
  if (weights.length !== expected) {
    return Result.fail(`expected ${expected} weights, got ${weights.length}`)
  }
  for (let at = 0; at < expected; at++) {
    if (!isWeight(weights[at]!)) return Result.fail("a weight is not a finite number of at least 0")
  }
  const confidence = native?.confidence
  if (confidence !== undefined && !(confidence >= 0 && confidence <= 1)) {
    return Result.fail("confidence lies outside 0..1")
  }
  const probabilities = normalize(weights)
  switch (question.type) {
    case "noul":
      return Result.succeed({ type: "noul", noul: probabilities[0]! })
    case "choice": {
      const labels = Object.keys(question.criteria)
      const choice = native?.choice ?? labels[findMode(probabilities)]!
      if (!Object.hasOwn(question.criteria, choice)) {
        return Result.fail("the choice is not a label of the question")
      }
      return Result.succeed({
        type: "choice",
        choice,
        confidence: confidence ?? computeChoiceConfidence(probabilities),
        probabilities: toRecord(labels, probabilities)
      })
    }
    case "score": {
      const score = native?.score ?? computeExpectedLevel(probabilities)
      if (!(score >= 0 && score <= expected - 1)) {
        return Result.fail(`the score lies outside 0..${expected - 1}`)
      }
      return Result.succeed({
        type: "score",
        score,
        confidence: confidence ?? computeScoreConfidence(probabilities),
        probabilities: toPositions(probabilities),
        legend: toPositions(question.criteria)
      })
    }
  }
}

const isWeight = (weight: number): boolean => Number.isFinite(weight) && weight >= 0

const toRecord = <A>(keys: ReadonlyArray<string>, values: ReadonlyArray<A>): Record<string, A> => {
  const record: Record<string, A> = {}
  for (let at = 0; at < keys.length; at++) setOwn(record, keys[at]!, values[at]!)
  return record
}

/** By the zero-based position, written as a decimal string. */
const toPositions = <A>(values: ReadonlyArray<A>): Record<string, A> => {
  const record: Record<string, A> = {}
  for (let at = 0; at < values.length; at++) record[at] = values[at]!
  return record
}
