/** Joins the labelled answers of two models to the same question of the same Decision. */
import { findMode } from "../questions/distribution.ts"
import type { AccountMaps } from "./AccountMaps.ts"
import { applyMap } from "./applyMap.ts"
import type { CalibrationSample } from "./CalibrationSample.ts"

/** Both answers to one question, with its label. */
export interface LabeledPair {
  /** Keyed hash of the question. */
  readonly question: string
  /** How the first model made its probabilities. */
  readonly method: string
  /** Those of the first model, calibrated. */
  readonly probabilities: ReadonlyArray<number>
  readonly isRight: boolean
  /** Whether the most probable option of the other model is right. */
  readonly isOtherRight: boolean
}

/** The order of `samples` is kept. `model`: the one that answered first. */
export const joinPairs = (
  samples: ReadonlyArray<CalibrationSample>,
  model: string,
  to: string,
  maps: AccountMaps
): ReadonlyArray<LabeledPair> => {
  const others = new Map<string, CalibrationSample>()
  const firsts: Array<CalibrationSample> = []
  for (const sample of samples) {
    if (sample.pair !== to) continue
    if (sample.model === model) firsts.push(sample)
    else others.set(toKey(sample), sample)
  }
  return firsts.flatMap((first) => {
    const other = others.get(toKey(first))
    if (other === undefined) return []
    const { kind, method, question } = first
    const found = maps.find({ model, method, kind }, question)
    const probabilities =
      found === undefined ? first.probabilities : applyMap(kind, found.map, first.probabilities)
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

const toKey = ({ generation, name }: CalibrationSample): string => `${generation} ${name}`
