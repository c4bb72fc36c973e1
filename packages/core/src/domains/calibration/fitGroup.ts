/** Fits the maps of a group: one for its kind of question, and one for each question with enough labels. */
import * as Arr from "effect/Array"
import type { CalibrationMap, QuestionKind } from "./CalibrationMap.ts"
import type { CalibrationGroup, CalibrationSample } from "./CalibrationSample.ts"
import type { FittedMap, FittedMaps, LabelerShare } from "./FittedMaps.ts"
import { type LabeledAnswer, toLabelerKey } from "./Labeler.ts"
import { encodeFloats } from "./QuestionHasher.ts"
import { applyMap, clampProbabilities } from "./applyMap.ts"
import { boundWeights } from "./joinPairs.ts"
import { chooseMapInSteps } from "./chooseMap.ts"
import { toConformalScores } from "./conformal.ts"
import {
  binCount,
  type Forecast,
  type ReliabilityBin,
  toEqualMassBins,
  toEqualWidthBins,
  toForecast
} from "./reliability.ts"

/** `samples`: the latest first. Yields where a server may serve requests meanwhile. */
export function* fitGroupInSteps(
  group: CalibrationGroup,
  samples: ReadonlyArray<CalibrationSample>,
  fittedAt: number
): Generator<void, FittedMaps> {
  if (samples.length === 0) return { fittedAt, maps: [] }
  const kind = yield* fitMapInSteps(group, samples)
  const maps = [kind]
  for (const [question, own] of groupByQuestion(samples)) {
    if (own.length < leastQuestionLabels) continue
    const fitted = yield* fitMapInSteps(group, own, kind.map)
    maps.push({ ...fitted, question })
  }
  return { fittedAt, maps }
}

/** From here on a question has a map of its own. */
const leastQuestionLabels = 50

/** How many labels are reported apart, to show drift. */
const recentSamples = 200

function* fitMapInSteps(
  { kind, method }: CalibrationGroup,
  given: ReadonlyArray<CalibrationSample>,
  prior?: CalibrationMap
): Generator<void, FittedMap> {
  const samples = boundWeights(given)
  const { heldOut, map } = yield* chooseMapInSteps({
    kind,
    method,
    answers: samples,
    ...(prior === undefined ? undefined : { prior })
  })
  yield
  const served = samples.map(({ probabilities }) => applyMap(kind, map, probabilities))
  const { masses, scores } = toConformalScores(samples, heldOut, served)
  yield
  const compare = (count: number): FittedMap["all"] => {
    const compared = samples.slice(0, count)
    return {
      samples: compared.length,
      before: computeCalibrationFigures(kind, compared),
      after: computeCalibrationFigures(
        kind,
        compared.map((sample, at) => ({ ...sample, probabilities: heldOut[at]! }))
      )
    }
  }
  return {
    map,
    scores: encodeFloats(scores),
    ...(masses === undefined ? undefined : { masses: encodeFloats(masses) }),
    labelers: countLabelers(samples),
    all: compare(samples.length),
    recent: compare(recentSamples)
  }
}

const groupByQuestion = (
  samples: ReadonlyArray<CalibrationSample>
): ReadonlyMap<string, ReadonlyArray<CalibrationSample>> => {
  const groups = new Map<string, Array<CalibrationSample>>()
  for (const sample of samples) {
    const group = groups.get(sample.question)
    if (group === undefined) groups.set(sample.question, [sample])
    else group.push(sample)
  }
  return groups
}

/** The labelers with the most weight first. `samples` have the weights that the map was fitted with. */
const countLabelers = (samples: ReadonlyArray<CalibrationSample>): ReadonlyArray<LabelerShare> => {
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

/** Figures of labelled answers. Weighted by the weights of the labels. */
export interface CalibrationFigures {
  /** Expected calibration error over 15 bins of equal width, 0 to 1. */
  readonly ece: number
  /** The same over 15 bins of equally many answers. */
  readonly equalMassEce: number
  /** The `ece` that chance alone would cause for this number of answers. */
  readonly chanceEce: number
  /** Mean squared error over all options, 0 to 2; of yes/no questions over the probability of yes, 0 to 1. */
  readonly brier: number
  /** Mean negative log-likelihood of the right option. */
  readonly nll: number
  readonly bins: ReadonlyArray<ReliabilityBin>
}

export const computeCalibrationFigures = (
  kind: QuestionKind,
  answers: ReadonlyArray<LabeledAnswer>
): CalibrationFigures => {
  const forecasts = answers.map((answer) => toForecast(kind, answer))
  return {
    ece: computeCalibrationError(forecasts),
    equalMassEce: computeEqualMassError(forecasts),
    chanceEce: computeChanceError(forecasts),
    ...computeScores(kind, answers),
    bins: toEqualWidthBins(forecasts)
  }
}

const computeScores = (
  kind: QuestionKind,
  answers: ReadonlyArray<LabeledAnswer>
): { readonly brier: number; readonly nll: number } => {
  let [total, brier, nll] = [0, 0, 0]
  for (const { label, probabilities, weight } of answers) {
    total += weight
    let squares = 0
    for (const [at, p] of probabilities.entries()) squares += (p - (at === label ? 1 : 0)) ** 2
    // Both options of a yes/no question are off by the same.
    brier += weight * (kind === "noul" ? squares / 2 : squares)
    nll -= weight * Math.log(clampProbabilities(kind, probabilities)[label]!)
  }
  return total === 0 ? { brier: 0, nll: 0 } : { brier: brier / total, nll: nll / total }
}

/** Over 15 bins of equal width (https://arxiv.org/abs/1706.04599); 0 without forecasts. */
export const computeCalibrationError = (forecasts: ReadonlyArray<Forecast>): number => {
  const gaps = new Float64Array(binCount)
  let total = 0
  for (const { confidence, isHit, weight } of forecasts) {
    const bin = Math.min(binCount - 1, Math.floor(confidence * binCount))
    gaps[bin]! += weight * (confidence - (isHit ? 1 : 0))
    total += weight
  }
  let sum = 0
  for (const gap of gaps) sum += Math.abs(gap)
  return total === 0 ? 0 : sum / total
}

/** Over 15 bins of equally many forecasts. */
export const computeEqualMassError = (forecasts: ReadonlyArray<Forecast>): number => {
  let sum = 0
  for (const { accuracy, confidence, count } of toEqualMassBins(forecasts)) {
    sum += count * Math.abs(confidence - accuracy)
  }
  return forecasts.length === 0 ? 0 : sum / forecasts.length
}

/**
 * The error in 15 bins of equal width that chance alone would cause if every forecast were exactly as right as it is
 * sure: few labels make even a perfect model look wrong. Uses the normal approximation of the sum in each bin.
 */
export const computeChanceError = (forecasts: ReadonlyArray<Forecast>): number => {
  const variances = new Float64Array(binCount)
  let total = 0
  for (const { confidence, weight } of forecasts) {
    const bin = Math.min(binCount - 1, Math.floor(confidence * binCount))
    variances[bin]! += weight * weight * confidence * (1 - confidence)
    total += weight
  }
  let sum = 0
  for (const variance of variances) sum += Math.sqrt((2 / Math.PI) * variance)
  return total === 0 ? 0 : sum / total
}
