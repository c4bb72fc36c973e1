/** Expected calibration error: how far confidence and accuracy are apart on average. */
import { binCount, type Forecast, toEqualMassBins } from "./reliability.ts"

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
