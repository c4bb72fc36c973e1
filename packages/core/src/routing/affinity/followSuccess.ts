/** Lets the memory of a conversation follow where its last request was served. */
import { type Candidate, isByok } from "../Candidate.ts"
import type { PlannedRoute } from "../RouteQuery.ts"
import type { AffinityPins } from "./AffinityPins.ts"
import { cachesCheaply } from "./findAffinity.ts"

/**
 * The newest prompt is cached where it was served, also when a fallback did. Customers' own credentials go first in any
 * case, a cache that saves nothing is nothing to come back for, and requests of a hot key are no conversation.
 */
export const followSuccess = (
  { affinity, plan }: Pick<PlannedRoute, "affinity" | "plan">,
  served: Candidate,
  pins: Pick<AffinityPins["Service"], "pin">
): void => {
  if (affinity?.key === undefined || affinity.shift !== undefined) return
  if (isByok(served) || !cachesCheaply(served)) return
  pins.pin(affinity.key, served.id === plan.affinity?.home ? undefined : served.id)
}
