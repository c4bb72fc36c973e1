/** A named set of limits and rights, which the host defines in code. */
import * as Context from "effect/Context"
import type { Interval } from "../../workspaces/Budget.ts"
import type { KeyRateLimit, TokenRateLimit } from "../keys/ApiKey.ts"

/**
 * What a bundle allows a customer, all of its keys and users together. Customers name their bundle, and requests look it
 * up: a bundle that has changed in code holds for all of its customers once the process has started.
 */
export interface Bundle {
  readonly name: string
  /** The longest interval first. */
  readonly budgets: ReadonlyArray<BundleBudget>
  /** Whether spending on the customer's own provider credentials counts under the budgets, too. */
  readonly countsByok: boolean
  readonly rateLimit?: KeyRateLimit
  readonly tokenRateLimit?: TokenRateLimit
  readonly maxParallelRequests?: number
}

/** What a customer may spend in an interval. */
export interface BundleBudget {
  readonly interval: Interval
  /** Above 0. */
  readonly limitUsd: number
}

/** The bundles of `Options.bundles`, by name; default: none. */
export const CurrentBundles: Context.Reference<ReadonlyMap<string, Bundle>> = Context.Reference<
  ReadonlyMap<string, Bundle>
>("@signalbox/core/tenants/auth/bundles/CurrentBundles", { defaultValue: () => new Map() })
