/** Whether a request may have a second attempt while the first one lasts. */
import type { HedgingTraits } from "../../Operation.ts"
import { nonEmpty } from "../../Preferences.ts"
import type { PlannedRoute, RouteQuery } from "../../RouteQuery.ts"

/**
 * Never one that leaves no choice of the endpoint, and never an operation that may not be repeated; a whole answer, which
 * would be generated twice, only when the request asks for it.
 */
export const isHedgeable = (
  { pin, preferences }: Pick<RouteQuery<object>, "pin" | "preferences">,
  { plan }: Pick<PlannedRoute, "plan">,
  hedging: HedgingTraits | undefined
): boolean => {
  const { allow_fallbacks, hedge, order } = preferences
  return (
    hedging !== undefined &&
    (hedging.isDefault ? hedge !== false : hedge === true) &&
    plan.ordered.length > 1 &&
    allow_fallbacks !== false &&
    nonEmpty(order) === undefined &&
    pin === undefined
  )
}
