/** The strategies that can be simulated, by their names. */
import { balanced, hotCold, leastLatency, priceWeighted, type Strategy } from "@signalbox/core"

export const strategyNames = ["price-weighted", "balanced", "hot-cold", "least-latency"] as const
export type StrategyName = (typeof strategyNames)[number]

export const strategies: Readonly<Record<StrategyName, () => Strategy>> = {
  "price-weighted": () => priceWeighted,
  balanced,
  "hot-cold": hotCold,
  "least-latency": leastLatency
}
