/** Whether asking again on the same customer's own credential would come to the same: it is refused, and not only limited. */
import type { Attempted } from "./Attempted.ts"
import { isCredentialRefused } from "./isCredentialRefused.ts"

export const isRefusedForGood = (attempted: Pick<Attempted, "candidate" | "failure">): boolean =>
  isCredentialRefused(attempted) && attempted.failure?.kind !== "rate_limited"
