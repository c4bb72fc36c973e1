/** The default strategy: a candidate is drawn with probability proportional to 1 / price^2. */
import type { Strategy } from "./Strategy.ts"

/**
 * Free candidates, if there are any, share the draw evenly. A candidate of unknown price is drawn
 * only when all are unknown.
 */
export const priceWeighted: Strategy = {
  name: "price-weighted",
  first: ({ contenders, random }) => {
    const cheapest = contenders[0]!
    const weights = new Float64Array(contenders.length)
    let left = 0
    for (let i = 0; i < weights.length; i++) {
      weights[i] = computeWeight(contenders[i]!.cost, cheapest.cost)
      left += weights[i]!
    }
    left *= random()
    for (let i = 0; i < weights.length; i++) {
      left -= weights[i]!
      if (left < 0) return contenders[i]!
    }
    return cheapest
  }
}

/** Relative to the cheapest, so that tiny prices do not underflow. */
const computeWeight = (cost: number, lowestCost: number): number => {
  if (cost === lowestCost) return 1
  return lowestCost === 0 || cost === Number.POSITIVE_INFINITY ? 0 : (lowestCost / cost) ** 2
}
