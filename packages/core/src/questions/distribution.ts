/** The numbers behind an answer: normalising, choosing and how sure a distribution is. */

/**
 * Weights scaled to sum to 1; all zero becomes uniform. What already sums to 1 within
 * 1e-9 is left as it is, so that a distribution an upstream states passes through unchanged.
 */
export const normalize = (weights: ReadonlyArray<number>): ReadonlyArray<number> => {
  const total = sum(weights)
  if (total === 0) return weights.map(() => 1 / weights.length)
  if (Math.abs(total - 1) <= 1e-9 && areAtMostOne(weights)) return weights
  if (Number.isFinite(total) && total >= Number.MIN_VALUE * 2 ** 52) {
    return weights.map((weight) => weight / total)
  }
  const largest = Math.max(...weights)
  return normalize(weights.map((weight) => weight / largest))
}

const sum = (weights: ReadonlyArray<number>): number => {
  let total = 0
  for (let at = 0; at < weights.length; at++) total += weights[at]!
  return total
}

const areAtMostOne = (weights: ReadonlyArray<number>): boolean => {
  for (let at = 0; at < weights.length; at++) if (!(weights[at]! <= 1)) return false
  return true
}

/** The position of the greatest probability, the first on ties. */
export const findMode = (probabilities: ReadonlyArray<number>): number => {
  let best = 0
  for (let i = 1; i < probabilities.length; i++) {
    if (probabilities[i]! > probabilities[best]!) best = i
  }
  return best
}

/** The probability-weighted mean of the zero-based positions. */
export const computeExpectedLevel = (probabilities: ReadonlyArray<number>): number => {
  let expected = 0
  for (let level = 0; level < probabilities.length; level++) {
    expected += probabilities[level]! * level
  }
  return Math.min(expected, probabilities.length - 1)
}

/** How far the best label stands above chance: (p_max - 1/n) / (1 - 1/n), 1 for a single label. */
export const computeChoiceConfidence = (probabilities: ReadonlyArray<number>): number => {
  const n = probabilities.length
  if (n === 1) return 1
  return clampUnit((probabilities[findMode(probabilities)]! - 1 / n) / (1 - 1 / n))
}

/**
 * How tightly the levels gather round the mode: 1 - sum(p_i |i - mode|) / MAD of the uniform
 * distribution, never below 0, 1 for a single level.
 */
export const computeScoreConfidence = (probabilities: ReadonlyArray<number>): number => {
  const n = probabilities.length
  if (n === 1) return 1
  const centre = findMode(probabilities)
  let spread = 0
  let uniform = 0
  for (let level = 0; level < n; level++) {
    spread += probabilities[level]! * Math.abs(level - centre)
    uniform += Math.abs(level - (n - 1) / 2)
  }
  return clampUnit(1 - spread / (uniform / n))
}

const clampUnit = (value: number): number => Math.min(1, Math.max(0, value))
