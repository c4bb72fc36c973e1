/** The default strategy: a candidate is drawn with probability proportional to 1 / price^2. */
import type { Strategy } from "./Strategy.ts"

/**
 * Free candidates, if there are any, share the draw evenly. A candidate of unknown price is drawn
 * only when all are unknown. Source: semantics A1, generation 1.
 */
export const priceWeighted: Strategy = {
  name: "price-weighted",
  first: ({ contenders, random }) => {
    const cheapest = contenders[0]!
    const least = cheapest.cost
    // Relative to the cheapest, so that tiny prices do not underflow.
    const weights = contenders.map(({ cost }) => {
      if (cost === least) return 1
      return least === 0 || cost === Number.POSITIVE_INFINITY ? 0 : (least / cost) ** 2
    })
    let left = random() * weights.reduce((sum, weight) => sum + weight, 0)
    for (const [i, contender] of contenders.entries()) {
      left -= weights[i]!
      if (left < 0) return contender
    }
    return cheapest
  }
}
