/** Applies a calibration map to the probabilities of an answer. */
import { findMode, normalize } from "../../questions/distribution.ts"
import type { CalibrationMap, QuestionKind } from "./CalibrationMap.ts"
import { interpolate } from "./isotonic.ts"
import { applyPlatt } from "./platt.ts"
import { temper } from "./temperature.ts"

/**
 * The calibrated distribution, which sums to 1. Of a choice and of a score, the best option stays the best: only a yes/no
 * answer may cross one half. Weights need not be normalised.
 */
export const applyMap = (
  kind: QuestionKind,
  map: CalibrationMap,
  weights: ReadonlyArray<number>
): ReadonlyArray<number> => {
  // A single option is certain.
  if (map.type === "none" || weights.length === 1) return normalize(weights)
  const clamped = clampProbabilities(kind, weights)
  const mapped = transform(kind, map, clamped)
  return kind === "noul" ? mapped : keepMode(mapped, findMode(normalize(weights)))
}

const transform = (
  kind: QuestionKind,
  map: Exclude<CalibrationMap, { readonly type: "none" }>,
  clamped: ReadonlyArray<number>
): ReadonlyArray<number> => {
  switch (map.type) {
    case "temperature":
      return temper(clamped, map.temperature)
    case "platt": {
      const yes = applyPlatt(map, clamped[0]!)
      return [yes, 1 - yes]
    }
    case "isotonic": {
      const base = transform(kind, map.base, clamped)
      if (kind !== "noul") return retemper(base, interpolate(map.points, base[findMode(base)]!))
      const yes = interpolate(map.points, base[0]!)
      return [yes, 1 - yes]
    }
    case "discrete": {
      const count = clamped.length
      const share = kind === "noul" ? map.share : Math.max(map.share, 1 / count)
      const mode = findMode(clamped)
      return clamped.map((_, at) => (at === mode ? share : (1 - share) / (count - 1)))
    }
  }
}

/**
 * Keeps the best option the best: where rounding or clamping made another option tie with it or exceed it, that one is
 * lowered by the smallest step.
 */
const keepMode = (mapped: ReadonlyArray<number>, mode: number): ReadonlyArray<number> => {
  if (findMode(mapped) === mode) return mapped
  const best = mapped[mode]!
  // Of two equal options the first is the best.
  return mapped.map((p, at) => (at < mode && p >= best ? best * (1 - 2 ** -50) : Math.min(p, best)))
}

const leastOfYes = 0.005
const leastOfOption = 1e-6

/**
 * Keeps probabilities away from 0 and 1, where one wrong answer would outweigh all others: `[yes, no]` between 0.005
 * and 0.995, options of other questions at least 1e-6, scaled to sum to 1.
 */
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

/**
 * Tempers the answer by a temperature of its own, so that its best option gets the probability `target`. Scaling the other
 * options instead would let one of them overtake the best. A target out of reach is approached: options that tie with
 * the best stay tied, and the best never falls below chance.
 */
export const retemper = (
  probabilities: ReadonlyArray<number>,
  target: number
): ReadonlyArray<number> => {
  const top = Math.log(probabilities[findMode(probabilities)]!)
  const logs = probabilities.map((p) => Math.log(p) - top)
  let [cold, hot] = [Math.log(leastTemperature), Math.log(greatestTemperature)]
  for (let round = 0; round < rounds; round++) {
    const middle = (cold + hot) / 2
    const inverse = Math.exp(-middle)
    let sum = 0
    for (let at = 0; at < logs.length; at++) sum += Math.exp(logs[at]! * inverse)
    if (1 / sum > target) cold = middle
    else hot = middle
  }
  return temper(probabilities, Math.exp((cold + hot) / 2))
}

const leastTemperature = 1e-3
const greatestTemperature = 1e6
const rounds = 45
