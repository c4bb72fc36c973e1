/** A named set of limits and rights, which the host defines in code. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Interval } from "../../workspaces/Budget.ts"
import type { Workspace } from "../../workspaces/Workspace.ts"
import { BundleUnknown, CustomerSuspended } from "../AuthErrors.ts"
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

/** Undefined for a workspace that is not that of a customer. */
export const findBundle = (
  bundles: ReadonlyMap<string, Bundle>,
  { customer, slug }: Pick<Workspace, "customer" | "slug">
): Effect.Effect<Bundle | undefined, BundleUnknown | CustomerSuspended> => {
  if (customer === undefined) return Effect.undefined
  const { suspended_at, suspended_reason } = customer
  if (suspended_at !== null) {
    return Effect.fail(new CustomerSuspended({ customer: slug, reason: suspended_reason }))
  }
  const bundle = bundles.get(customer.bundle)
  // Without its limits, the customer would have none.
  return bundle === undefined
    ? Effect.fail(new BundleUnknown({ bundle: customer.bundle }))
    : Effect.succeed(bundle)
}
