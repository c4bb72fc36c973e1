/** Calibrates an answer in the precision of labels, so that a threshold learned from labels meets equal numbers. */
import type { ReadyMap } from "./AccountMaps.ts"
import { applyMap } from "./applyMap.ts"
import type { QuestionKind } from "./CalibrationMap.ts"

/** Labels keep probabilities as 32-bit floats. `found`: the map of the question; undefined: none. */
export const calibrateStored = (
  kind: QuestionKind,
  found: Pick<ReadyMap, "map"> | undefined,
  probabilities: ReadonlyArray<number>
): ReadonlyArray<number> => {
  const stored = probabilities.map(Math.fround)
  return found === undefined ? stored : applyMap(kind, found.map, stored)
}
