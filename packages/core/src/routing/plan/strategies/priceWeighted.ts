/** The default strategy: a candidate is drawn with probability proportional to 1 / price^2. */
import { drawByPrice } from "./drawByPrice.ts"
import type { Strategy } from "./Strategy.ts"

/**
 * Free candidates, if there are any, share the draw evenly. A candidate of unknown price is drawn
 * only when all are unknown.
 */
export const priceWeighted: Strategy = {
  name: "price-weighted",
  first: ({ contenders, random }) => drawByPrice(contenders, random()) ?? contenders[0]!
}
