/** Finds the bundle of a customer that may make requests. */
import * as Effect from "effect/Effect"
import type { Workspace } from "../../workspaces/Workspace.ts"
import { BundleUnknown, CustomerSuspended } from "../AuthErrors.ts"
import type { Bundle } from "./Bundle.ts"

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
