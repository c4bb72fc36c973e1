/** Whether asking again on the same customer's own credential would come to the same: it is refused, and not only limited. */
import type { RouteAttempt } from "./RouteAttempt.ts"
import { isCredentialRefused } from "./isCredentialRefused.ts"

export const isPermanentlyRefused = (
  attempted: Pick<RouteAttempt, "candidate" | "failure">
): boolean => isCredentialRefused(attempted) && attempted.failure?.kind !== "rate_limited"
