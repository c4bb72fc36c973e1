/**
 * Answer sets by split conformal prediction: the options among which the right one lies with a given probability, as long
 * as questions stay like the labelled ones. https://arxiv.org/abs/2107.07511
 */
import type { QuestionKind } from "./CalibrationMap.ts"
import type { LabeledAnswer } from "./Labeler.ts"

/** How improbable the right options of labelled answers were: `1 - q[label]`, the least first. */
export interface ConformalScores {
  readonly scores: Float32Array
  /** The sum of weights up to each score; absent: each answer has the same weight. */
  readonly masses?: Float32Array
}

/**
 * The scores of labelled answers by the distributions that had not seen their labels, or by the served distributions
 * where these score higher. A model that states confidences in steps gives thousands of answers the same score, and the
 * set must include a served step as a whole.
 */
export const toConformalScores = (
  answers: ReadonlyArray<LabeledAnswer>,
  heldOut: ReadonlyArray<ReadonlyArray<number>>,
  served: ReadonlyArray<ReadonlyArray<number>>
): ConformalScores => {
  const sorted = answers
    .map(({ label, weight }, at) => ({
      score: 1 - Math.min(heldOut[at]![label]!, served[at]![label]!),
      weight
    }))
    .toSorted((one, other) => one.score - other.score)
  const scores = Float32Array.from(sorted, ({ score }) => score)
  if (sorted.every(({ weight }) => weight === sorted[0]!.weight)) return { scores }
  let total = 0
  return { scores, masses: Float32Array.from(sorted, ({ weight }) => (total += weight)) }
}

/**
 * The greatest score that an option of the set may have: of n scores the one at position `ceil((n + 1) * coverage)`, or
 * infinity where there are too few.
 */
export const findScoreQuantile = (
  { masses, scores }: ConformalScores,
  coverage: number
): number => {
  const count = scores.length
  if (count === 0) return Infinity
  // Rounding must not ask for one more answer: 0.9 * 10 is a little above 9 in some representations.
  if (masses === undefined) return scores[Math.ceil((count + 1) * coverage - 1e-9) - 1] ?? Infinity
  const total = masses.at(-1)!
  // The answer to come counts as much as the average one.
  const wanted = coverage * (total + total / count)
  const at = masses.findIndex((mass) => mass >= wanted - 1e-6 * total)
  return scores[at] ?? Infinity
}

/**
 * The positions of the options in the set, in order. The set always has the best option, and the set of a score has no
 * gaps.
 */
export const buildPredictionSet = (
  kind: QuestionKind,
  probabilities: ReadonlyArray<number>,
  mode: number,
  threshold: number
): ReadonlyArray<number> => {
  const members: Array<number> = []
  for (const [at, p] of probabilities.entries()) {
    // In the precision of the scores, so that equal ones compare equal.
    if (at === mode || Math.fround(1 - p) <= threshold) members.push(at)
  }
  const [first] = members
  if (kind !== "score" || first === undefined) return members
  return Array.from({ length: members.at(-1)! - first + 1 }, (_, at) => first + at)
}
