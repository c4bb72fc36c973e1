/** How sure a distribution is, by the formulas of answers. */
import type { Answer } from "../../questions/Answer.ts"
import { computeChoiceConfidence, computeScoreConfidence } from "../../questions/distribution.ts"

/** 0 to 1, from the probabilities in the order of the options. */
export const computeConfidence = (
  kind: Answer["type"],
  probabilities: ReadonlyArray<number>
): number =>
  kind === "score" ? computeScoreConfidence(probabilities) : computeChoiceConfidence(probabilities)

/** That of an answer. A confidence that a provider states itself is left aside, because labels are not compared by it. */
export const computeAnswerConfidence = (answer: Answer): number =>
  answer.type === "noul"
    ? computeConfidence("noul", [answer.noul, 1 - answer.noul])
    : computeConfidence(answer.type, Object.values(answer.probabilities ?? {}))
