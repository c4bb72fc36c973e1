/** Joins the labelled answers of two models to the same question of the same Decision. */
import { findMode } from "../../questions/distribution.ts"
import type { AccountMaps } from "./AccountMaps.ts"
import { boundCounts } from "./boundLabelers.ts"
import { calibrateStored } from "./calibrateStored.ts"
import type { CalibrationSample } from "./CalibrationSample.ts"

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
