/** Whether everybody who may serve is kept from it by rate limits, and for how long. */
import type { HealthSnapshot } from "../../health/HealthSnapshot.ts"
import type { Plan } from "../../routing/plan/plan.ts"

/** In milliseconds; undefined when somebody may be asked, or others are left out for other reasons of health. */
export const findRateLimitDelay = (
  { lastResort, rejected }: Plan,
  { at, endpoints }: HealthSnapshot
): number | undefined => {
  if (lastResort === undefined) return undefined
  const isOpen = rejected.some(({ reasons }) => reasons.every(({ rule }) => rule === "breaker"))
  const breaker = (endpoints[lastResort.id] ?? endpoints[lastResort.endpoint.id])?.breaker
  return isOpen || breaker?.state !== "backing_off" ? undefined : Math.max(0, breaker.until - at)
}
