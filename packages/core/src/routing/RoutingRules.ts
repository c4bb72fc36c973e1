/** How this box routes where a host may say so: the strategy, and what each kind of failure means. */
import * as Context from "effect/Context"
import { type FailureRules, failureRules } from "./attempt/failureRules.ts"
import { priceWeighted } from "./plan/strategies/priceWeighted.ts"
import type { Strategy } from "./plan/strategies/Strategy.ts"

export interface RoutingRulesShape {
  readonly strategy: Strategy
  readonly failureRules: FailureRules
}

/** The strategy and the meaning of failures, as the host chose them. */
export const RoutingRules: Context.Reference<RoutingRulesShape> = Context.Reference(
  "@signalbox/core/routing/RoutingRules",
  { defaultValue: () => ({ strategy: priceWeighted, failureRules }) }
)
