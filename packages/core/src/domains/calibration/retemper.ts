/** Moves the probability of the best option to a given value and keeps the order of all options. */
import { findMode } from "../../questions/distribution.ts"
import { temper } from "./temperature.ts"

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
