/** A strategy: of two candidates drawn by price, the one that is expected to answer sooner goes first. */
import { drawByPrice } from "./drawByPrice.ts"
import type { Contender, Strategy, StrategyInput } from "./Strategy.ts"

/**
 * Draws two different candidates with probability proportional to 1 / price^2. The candidate with the smaller score
 * goes first; the score is the recent latency times the attempts under way plus one. The draw keeps the cost near that
 * of `priceWeighted`, and comparing only two keeps requests from all going to the one that looks best (the power of two
 * choices; Envoy and brpc have the same score). Without a measurement only the attempts under way are compared.
 */
export const balanced = (): Strategy => ({
  name: "balanced",
  readsLoad: true,
  first: (choices) => {
    const { contenders, random } = choices
    const [one, other] = [random(), random()]
    const first = drawByPrice(contenders, one) ?? contenders[0]!
    const second = drawByPrice(contenders, other, first)
    return second === undefined || !isSooner(choices, second, first) ? first : second
  }
})

const isSooner = <A extends Contender>(
  { inFlight, recent }: StrategyInput<A>,
  self: A,
  that: A
): boolean => {
  const [own, others] = [recent(self), recent(that)]
  const isKnown = own !== undefined && others !== undefined
  return (isKnown ? own : 1) * (inFlight(self) + 1) < (isKnown ? others : 1) * (inFlight(that) + 1)
}
