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
    let left = 0
    for (const { cost } of contenders) left += computeWeight(cost, cheapest.cost)
    left *= random()
    for (const contender of contenders) {
      left -= computeWeight(contender.cost, cheapest.cost)
      if (left < 0) return contender
    }
    return cheapest
  }
}

/** Relative to the cheapest, so that tiny prices do not underflow. */
const computeWeight = (cost: number, lowestCost: number): number => {
  if (cost === lowestCost) return 1
  return lowestCost === 0 || cost === Number.POSITIVE_INFINITY ? 0 : (lowestCost / cost) ** 2
}
