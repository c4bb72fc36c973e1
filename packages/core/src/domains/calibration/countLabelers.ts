/** Counts who gave the labels of a map. */
import * as Arr from "effect/Array"
import type { CalibrationSample } from "./CalibrationSample.ts"
import type { LabelerShare } from "./FittedMaps.ts"
import { toLabelerKey } from "./Labeler.ts"

/** The labelers with the most weight first. `samples` have the weights that the map was fitted with. */
export const countLabelers = (
  samples: ReadonlyArray<CalibrationSample>
): ReadonlyArray<LabelerShare> => {
  const counts = new Map<string, LabelerShare>()
  let total = 0
  for (const { labeler = {}, weight } of samples) {
    total += weight
    const key = toLabelerKey(labeler)
    const known = counts.get(key)
    counts.set(key, {
      labeler,
      samples: (known?.samples ?? 0) + 1,
      share: (known?.share ?? 0) + weight
    })
  }
  return Arr.fromIterable(counts.values())
    .toSorted((one, other) => other.share - one.share)
    .slice(0, maxLabelers)
    .map((each) => ({ ...each, share: each.share / total }))
}

const maxLabelers = 10
