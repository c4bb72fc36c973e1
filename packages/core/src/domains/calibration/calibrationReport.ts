/** How well calibrated answers are: errors, scores and the reliability diagram. */
import type { QuestionKind } from "./CalibrationMap.ts"
import { clampProbabilities } from "./clampProbabilities.ts"
import {
  computeCalibrationError,
  computeChanceError,
  computeEqualMassError
} from "./expectedCalibrationError.ts"
import type { LabeledAnswer } from "./Labeler.ts"
import { type ReliabilityBin, toEqualWidthBins, toForecast } from "./reliability.ts"

/** Figures of labelled answers. Weighted by the weights of the labels. */
export interface CalibrationFigures {
  /** Expected calibration error over 15 bins of equal width, 0 to 1. */
  readonly ece: number
  /** The same over 15 bins of equally many answers. */
  readonly equalMassEce: number
  /** The `ece` that chance alone would cause for this number of answers. */
  readonly chanceEce: number
  /** Mean squared error over all options, 0 to 2; of yes/no questions over the probability of yes, 0 to 1. */
  readonly brier: number
  /** Mean negative log-likelihood of the right option. */
  readonly nll: number
  readonly bins: ReadonlyArray<ReliabilityBin>
}

export const computeCalibrationFigures = (
  kind: QuestionKind,
  answers: ReadonlyArray<LabeledAnswer>
): CalibrationFigures => {
  const forecasts = answers.map((answer) => toForecast(kind, answer))
  return {
    ece: computeCalibrationError(forecasts),
    equalMassEce: computeEqualMassError(forecasts),
    chanceEce: computeChanceError(forecasts),
    ...computeScores(kind, answers),
    bins: toEqualWidthBins(forecasts)
  }
}

const computeScores = (
  kind: QuestionKind,
  answers: ReadonlyArray<LabeledAnswer>
): { readonly brier: number; readonly nll: number } => {
  let [total, brier, nll] = [0, 0, 0]
  for (const { label, probabilities, weight } of answers) {
    total += weight
    let squares = 0
    for (const [at, p] of probabilities.entries()) squares += (p - (at === label ? 1 : 0)) ** 2
    // Both options of a yes/no question are off by the same.
    brier += weight * (kind === "noul" ? squares / 2 : squares)
    nll -= weight * Math.log(clampProbabilities(kind, probabilities)[label]!)
  }
  return total === 0 ? { brier: 0, nll: 0 } : { brier: brier / total, nll: nll / total }
}
