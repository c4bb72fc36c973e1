/** Calibration of models that only name an option: how often the named one is right. */
import { findMode } from "../../questions/distribution.ts"
import type { MapOf } from "./CalibrationMap.ts"
import type { LabeledAnswer } from "./Labeler.ts"

/** The share of right answers, with four more answers of which `prior` is right. */
export const fitDiscrete = (
  answers: ReadonlyArray<LabeledAnswer>,
  prior = 0.5
): MapOf<"discrete"> => {
  let hits = 0
  let total = 0
  for (const { label, probabilities, weight } of answers) {
    total += weight
    if (findMode(probabilities) === label) hits += weight
  }
  return { type: "discrete", share: (hits + pseudoAnswers * prior) / (total + pseudoAnswers) }
}

const pseudoAnswers = 4
