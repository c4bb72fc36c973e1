/** Converts a native answer to a verdict: probabilities in option order, with the values the upstream derived. */
import type { Question, Verdict } from "@signalbox/core/upstream"
import { isAtLeastZero, isObject, isUnit } from "./jsonChecks.ts"

type Probabilities = Readonly<Record<string, number>>

/** The verdict of `answer` on `question`, or the problem with it. */
export const toVerdict = (question: Question, answer: unknown): Verdict | string => {
  switch (question.type) {
    case "noul":
      return toNoulVerdict(answer)
    case "choice":
      return toChoiceVerdict(Object.keys(question.criteria), answer)
    case "score":
      return toScoreVerdict(question.criteria.length, answer)
  }
}

const toNoulVerdict = (answer: unknown): Verdict | string => {
  if (!isObject(answer) || answer["type"] !== "noul") return "it is no noul between 0 and 1"
  const { noul } = answer
  return isUnit(noul) ? { weights: [noul, 1 - noul] } : "it is no noul between 0 and 1"
}

const toChoiceVerdict = (labels: ReadonlyArray<string>, answer: unknown): Verdict | string => {
  if (!isObject(answer) || answer["type"] !== "choice") return "it is no choice"
  const { choice, confidence, probabilities } = answer
  if (typeof choice !== "string" || !isConfidence(confidence) || !areProbabilities(probabilities)) {
    return "it is no choice"
  }
  const chosen = labels.indexOf(choice)
  if (chosen === -1) return "its choice is not a label of the question"
  const weights =
    probabilities === undefined
      ? labels.map((_, i) => (i === chosen ? 1 : 0))
      : toOrderedWeights(labels, probabilities)
  if (weights === undefined) return "its probabilities are no distribution over the labels"
  return { weights, native: confidence === undefined ? { choice } : { choice, confidence } }
}

const toScoreVerdict = (levels: number, answer: unknown): Verdict | string => {
  const top = levels - 1
  if (!isObject(answer) || answer["type"] !== "score") return toScoreProblem(top)
  const { confidence, probabilities, score } = answer
  if (!isAtLeastZero(score) || score > top) return toScoreProblem(top)
  if (!isConfidence(confidence) || !areProbabilities(probabilities)) return toScoreProblem(top)
  const weights =
    probabilities === undefined
      ? Array.from({ length: levels }, (_, level) => Math.max(0, 1 - Math.abs(score - level)))
      : toOrderedWeights(listLevels(levels), probabilities)
  if (weights === undefined) return "its probabilities are no distribution over the levels"
  return { weights, native: confidence === undefined ? { score } : { score, confidence } }
}

const toScoreProblem = (top: number): string => `it is no score between 0 and ${top}`

/** The labels of levels, which most questions share. */
const listLevels = (count: number): ReadonlyArray<string> => {
  let labels = levelLabels[count]
  if (labels === undefined) {
    labels = Array.from({ length: count }, (_, level) => String(level))
    if (count <= maxKnownLevels) levelLabels[count] = labels
  }
  return labels
}

const levelLabels: Array<ReadonlyArray<string> | undefined> = []
const maxKnownLevels = 100

/** Optional, but not allowed to be invalid. */
const isConfidence = (value: unknown): value is number | undefined =>
  value === undefined || isUnit(value)

/**
 * Optional, but not allowed to be invalid. Not read by `for ... in`: V8 compiles that for the shape of the object, and
 * each answer may have another one.
 */
const areProbabilities = (value: unknown): value is Probabilities | undefined =>
  value === undefined || (isObject(value) && Object.values(value).every(isAtLeastZero))

/**
 * The numbers of exactly these keys, if they are a distribution. Their sum must be 1, within the error of rounding each
 * to two decimals and at most 0.05, or they are all 0.
 */
const toOrderedWeights = (
  keys: ReadonlyArray<string>,
  probabilities: Probabilities
): ReadonlyArray<number> | undefined => {
  if (Object.keys(probabilities).length !== keys.length) return undefined
  let total = 0
  const weights: Array<number> = []
  for (const key of keys) {
    const weight = Object.hasOwn(probabilities, key) ? probabilities[key] : undefined
    if (weight === undefined) return undefined
    total += weight
    weights.push(weight)
  }
  return total === 0 || Math.abs(total - 1) <= Math.min(0.05, 1e-6 + 0.005 * keys.length)
    ? weights
    : undefined
}
