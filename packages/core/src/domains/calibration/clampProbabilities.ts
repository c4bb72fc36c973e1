/** Keeps probabilities away from 0 and 1, where one wrong answer would outweigh all others. */
import { normalize } from "../../questions/distribution.ts"
import type { QuestionKind } from "./CalibrationMap.ts"

const leastOfYes = 0.005
const leastOfOption = 1e-6

/** `[yes, no]` between 0.005 and 0.995; options of other questions at least 1e-6, scaled to sum to 1. */
export const clampProbabilities = (
  kind: QuestionKind,
  probabilities: ReadonlyArray<number>
): ReadonlyArray<number> => {
  if (kind === "noul") {
    const yes = Math.min(1 - leastOfYes, Math.max(leastOfYes, normalize(probabilities)[0]!))
    return [yes, 1 - yes]
  }
  const normal = normalize(probabilities)
  return normal.some((p) => p < leastOfOption)
    ? normalize(normal.map((p) => Math.max(p, leastOfOption)))
    : normal
}
