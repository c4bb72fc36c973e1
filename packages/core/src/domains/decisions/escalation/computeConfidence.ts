/** How sure a distribution is, by the formulas of answers. */
import type { Answer } from "../../../questions/Answer.ts"
import { computeChoiceConfidence, computeScoreConfidence } from "../../../questions/distribution.ts"

/**
 * 0 to 1, from the probabilities in the order of the options. Rounded to six decimals, which the 32-bit floats of
 * labels keep, so that equal confidences are equal numbers after any computation.
 */
export const computeConfidence = (
  kind: Answer["type"],
  probabilities: ReadonlyArray<number>
): number => {
  const computed =
    kind === "score"
      ? computeScoreConfidence(probabilities)
      : computeChoiceConfidence(probabilities)
  return Math.round(computed * 1e6) / 1e6
}

/**
 * The confidence of an answer. A confidence that a provider states itself is ignored, because labels are not compared
 * by it.
 */
export const computeAnswerConfidence = (answer: Answer): number =>
  answer.type === "noul"
    ? computeConfidence("noul", [answer.noul, 1 - answer.noul])
    : computeConfidence(answer.type, Object.values(answer.probabilities ?? {}))
