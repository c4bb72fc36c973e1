/** Joins the labelled answers of two models to the same question of the same Decision. */
import { findMode } from "../../questions/distribution.ts"
import { type AccountMaps, calibrateStored } from "./AccountMaps.ts"
import type { CalibrationSample } from "./CalibrationSample.ts"
import { toLabelerKey } from "./Labeler.ts"

/** Both answers to one question, with its label. */
export interface LabeledPair {
  /** Keyed hash of the question. */
  readonly question: string
  /** How the first model made its probabilities. */
  readonly method: string
  /** The calibrated probabilities of the first model. */
  readonly probabilities: ReadonlyArray<number>
  readonly isRight: boolean
  /** Whether the most probable option of the other model is right. */
  readonly isOtherRight: boolean
}

/** Which pairs to join. */
export interface PairSelection {
  /** The names of the model that answered first: those that providers report, or its id in the catalog. */
  readonly from: ReadonlyArray<string>
  /** The names of the other one: as requested, or its id in the catalog. */
  readonly to: ReadonlyArray<string>
}

/** The order of `samples` is kept. */
export const joinPairs = (
  samples: ReadonlyArray<CalibrationSample>,
  { from, to }: PairSelection,
  maps: AccountMaps
): ReadonlyArray<LabeledPair> => {
  const others = new Map<string, CalibrationSample>()
  const firsts: Array<CalibrationSample> = []
  for (const sample of samples) {
    if (sample.pair === undefined || !to.includes(sample.pair)) continue
    if (isNamed(sample, from) && !isNamed(sample, to)) firsts.push(sample)
    else others.set(toKey(sample), sample)
  }
  const paired = firsts.filter((first) => others.has(toKey(first)))
  return boundCounts(paired).flatMap((first) => {
    const other = others.get(toKey(first))
    if (other === undefined) return []
    const { kind, method, question } = first
    const found = maps.find({ model: first.model, method, kind }, question)
    const probabilities = calibrateStored(kind, found, first.probabilities)
    return [
      {
        question,
        method,
        probabilities,
        isRight: findMode(probabilities) === first.label,
        isOtherRight: findMode(other.probabilities) === other.label
      }
    ]
  })
}

const isNamed = (
  { catalogModel, model }: CalibrationSample,
  names: ReadonlyArray<string>
): boolean => names.includes(model) || (catalogModel !== undefined && names.includes(catalogModel))

const toKey = ({ generation, name }: CalibrationSample): string => `${generation} ${name}`

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
