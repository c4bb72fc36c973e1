/** Temperature scaling: one number that makes a distribution flatter or sharper and keeps the order of its options. */
import { findMode } from "../../questions/distribution.ts"
import type { LabeledAnswer } from "./Labeler.ts"

/** `softmax(log p / temperature)`; probabilities above 0. */
export const temper = (
  probabilities: ReadonlyArray<number>,
  temperature: number
): ReadonlyArray<number> => {
  if (temperature === 1) return probabilities
  const top = Math.log(probabilities[findMode(probabilities)]!)
  const powers = probabilities.map((p) => Math.exp((Math.log(p) - top) / temperature))
  let total = 0
  for (const power of powers) total += power
  return powers.map((power) => power / total)
}

/**
 * The temperature with the least weighted log-loss plus a penalty for its distance from `prior`, which makes ten labels
 * safe. `answers` are clamped. Yields after each look at all of them.
 */
export function* fitTemperatureInSteps(
  answers: ReadonlyArray<LabeledAnswer>,
  prior = 1
): Generator<void, number> {
  // Relative to the best option, as `temper` computes them.
  const logs = answers.map(({ probabilities }) => {
    const top = Math.log(probabilities[findMode(probabilities)]!)
    return probabilities.map((p) => Math.log(p) - top)
  })
  const loss = (logTemperature: number): number => {
    const inverse = Math.exp(-logTemperature)
    let total = (logTemperature - Math.log(prior)) ** 2 / (2 * priorDeviation ** 2)
    for (const [at, { label, weight }] of answers.entries()) {
      const options = logs[at]!
      let sum = 0
      for (let option = 0; option < options.length; option++) {
        sum += Math.exp(options[option]! * inverse)
      }
      total += weight * (Math.log(sum) - options[label]! * inverse)
    }
    return total
  }
  return Math.exp(
    yield* minimizeInSteps(loss, Math.log(leastTemperature), Math.log(greatestTemperature))
  )
}

const leastTemperature = 0.05
const greatestTemperature = 20
/** The deviation of the logarithm of the temperature. */
const priorDeviation = 0.5

const goldenRatio = (Math.sqrt(5) - 1) / 2
const tolerance = 1e-4

/** The least value of a function that falls, then rises, by golden-section search. */
function* minimizeInSteps(
  compute: (at: number) => number,
  from: number,
  to: number
): Generator<void, number> {
  let [low, high] = [from, to]
  let [left, right] = [high - goldenRatio * (high - low), low + goldenRatio * (high - low)]
  let [leftValue, rightValue] = [compute(left), compute(right)]
  while (high - low > tolerance) {
    yield
    if (leftValue < rightValue) {
      ;[high, right, rightValue] = [right, left, leftValue]
      left = high - goldenRatio * (high - low)
      leftValue = compute(left)
    } else {
      ;[low, left, leftValue] = [left, right, rightValue]
      right = low + goldenRatio * (high - low)
      rightValue = compute(right)
    }
  }
  return (low + high) / 2
}
