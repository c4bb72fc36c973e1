/** Reliability: how often answers are right, by how sure they are. */
import { findMode } from "../../questions/distribution.ts"
import type { QuestionKind } from "./CalibrationMap.ts"
import type { LabeledAnswer } from "./Labeler.ts"

/** One forecast: the stated probability of an event, and whether it happened. */
export interface Forecast {
  /** 0 to 1. */
  readonly confidence: number
  readonly isHit: boolean
  readonly weight: number
}

/** Forecasts of similar confidence. */
export interface ReliabilityBin {
  /** The range of confidence, 0 to 1. */
  readonly from: number
  readonly to: number
  /** Forecasts in the bin. */
  readonly count: number
  /** The mean confidence and the share of hits; both 0 in an empty bin. */
  readonly confidence: number
  readonly accuracy: number
  /** Wilson's 95 % interval of the accuracy. */
  readonly low: number
  readonly high: number
}

/** The forecast of an answer: that the answer is yes (noul), or that its best option is right. */
export const toForecast = (kind: QuestionKind, answer: LabeledAnswer): Forecast => {
  const { label, probabilities, weight } = answer
  const at = kind === "noul" ? 0 : findMode(probabilities)
  return { confidence: probabilities[at]!, isHit: label === at, weight }
}

/** How many bins a report has. */
export const binCount = 15

/** Bins of equal width; the confidence 1 is in the last one. */
export const toEqualWidthBins = (
  forecasts: ReadonlyArray<Forecast>
): ReadonlyArray<ReliabilityBin> => {
  const bins = Array.from({ length: binCount }, (): Array<Forecast> => [])
  for (const forecast of forecasts) {
    bins[Math.min(binCount - 1, Math.floor(forecast.confidence * binCount))]!.push(forecast)
  }
  return bins.map((members, at) => toBin(members, at / binCount, (at + 1) / binCount))
}

/** Bins with equally many forecasts each, as far as their number allows; fewer than 15 when there are fewer forecasts. */
export const toEqualMassBins = (
  forecasts: ReadonlyArray<Forecast>
): ReadonlyArray<ReliabilityBin> => {
  const sorted = forecasts.toSorted((one, other) => one.confidence - other.confidence)
  const count = Math.min(binCount, sorted.length)
  return Array.from({ length: count }, (_, at) => {
    const members = sorted.slice(
      Math.round((at * sorted.length) / count),
      Math.round(((at + 1) * sorted.length) / count)
    )
    return toBin(members, members[0]!.confidence, members.at(-1)!.confidence)
  })
}

const toBin = (members: ReadonlyArray<Forecast>, from: number, to: number): ReliabilityBin => {
  let [mass, squares, confidence, hits] = [0, 0, 0, 0]
  for (const forecast of members) {
    const { weight } = forecast
    mass += weight
    squares += weight * weight
    confidence += weight * forecast.confidence
    if (forecast.isHit) hits += weight
  }
  if (mass === 0) return { from, to, count: 0, confidence: 0, accuracy: 0, low: 0, high: 1 }
  const accuracy = hits / mass
  // Kish's effective sample size: unequal weights tell less than equally many equal ones.
  const effective = (mass * mass) / squares
  return {
    from,
    to,
    count: members.length,
    confidence: confidence / mass,
    accuracy,
    ...wilsonInterval(accuracy * effective, effective)
  }
}

/** Wilson's interval for `hits` of `count`; both may be sums of weights. Everything without a count. */
export const wilsonInterval = (
  hits: number,
  count: number
): { readonly low: number; readonly high: number } => {
  if (count <= 0) return { low: 0, high: 1 }
  const share = hits / count
  const scale = 1 + z ** 2 / count
  const centre = (share + z ** 2 / (2 * count)) / scale
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2))
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) }
}

const z = 1.959963984540054
