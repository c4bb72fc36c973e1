/** The parts of routing that a host may replace: the strategy, and the meaning of each kind of failure. */
import * as Context from "effect/Context"
import { type FailureRules, failureRules } from "./attempt/failureRules.ts"
import { type Strategy, priceWeighted } from "./plan/strategies/strategies.ts"
import type { RequestQueueOptions } from "./attempt/concurrency/RequestQueue.ts"
import type { HedgingOptions } from "./attempt/hedging/Hedger.ts"

export interface RoutingRulesShape {
  readonly strategy: Strategy
  readonly failureRules: FailureRules
  /** Absent: no request has two attempts at once. */
  readonly hedging?: HedgingOptions
  /** Absent: no request waits for an endpoint that has no room. */
  readonly requestQueue?: Required<RequestQueueOptions>
}

/** The host's strategy and failure rules, or the defaults. */
export const RoutingRules: Context.Reference<RoutingRulesShape> = Context.Reference(
  "@signalbox/core/routing/RoutingRules",
  { defaultValue: () => ({ strategy: priceWeighted, failureRules }) }
)
