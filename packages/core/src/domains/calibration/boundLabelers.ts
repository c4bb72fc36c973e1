/** Bounds the influence of one labeler on a map or a threshold. */
import type { CalibrationSample } from "./CalibrationSample.ts"
import { toLabelerKey } from "./Labeler.ts"

/**
 * The labels of one member weigh at most as much as the labels of all others together, which is half of the whole, or
 * as much as 50 answers where the others weigh less. Labels of managers, and of earlier versions, have their full
 * weight.
 */
const computeLabelerScales = (
  samples: ReadonlyArray<CalibrationSample>
): ReadonlyMap<string, number> => {
  const weights = new Map<string, number>()
  let total = 0
  for (const { labeler, weight } of samples) {
    total += weight
    if (labeler === undefined || labeler.isManager === true) continue
    const key = toLabelerKey(labeler)
    weights.set(key, (weights.get(key) ?? 0) + weight)
  }
  const scales = new Map<string, number>()
  for (const [key, weight] of weights) {
    const others = total - weight
    // Without others there is nothing to outweigh.
    if (others > 0 && weight > Math.max(others, leastBound)) {
      scales.set(key, Math.max(others, leastBound) / weight)
    }
  }
  return scales
}

/** Fewer labels of others say too little to hold the many of one against them. */
const leastBound = 50

/** The same labels with bounded weights. */
export const boundWeights = (
  samples: ReadonlyArray<CalibrationSample>
): ReadonlyArray<CalibrationSample> => {
  const scales = computeLabelerScales(samples)
  if (scales.size === 0) return samples
  return samples.map((sample) => {
    const scale = sample.labeler && scales.get(toLabelerKey(sample.labeler))
    return scale === undefined ? sample : { ...sample, weight: sample.weight * scale }
  })
}

/** For uses without weights: keeps the first labels of each member, as many as its bounded share allows. */
export const boundCounts = (
  samples: ReadonlyArray<CalibrationSample>
): ReadonlyArray<CalibrationSample> => {
  const counted = samples.map((sample) => ({ ...sample, weight: 1 }))
  const scales = computeLabelerScales(counted)
  if (scales.size === 0) return samples
  const room = new Map<string, number>()
  for (const { labeler } of samples) {
    const key = labeler && toLabelerKey(labeler)
    const scale = key === undefined ? undefined : scales.get(key)
    if (key !== undefined && scale !== undefined) room.set(key, (room.get(key) ?? 0) + scale)
  }
  return samples.filter(({ labeler }) => {
    const key = labeler && toLabelerKey(labeler)
    const left = key === undefined ? undefined : room.get(key)
    if (key === undefined || left === undefined) return true
    room.set(key, left - 1)
    return left >= 1 - 1e-9
  })
}
