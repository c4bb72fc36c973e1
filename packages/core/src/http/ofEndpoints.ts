/** What the host may know of health: that of its endpoints. */
import type { HealthSnapshot } from "../health/HealthSnapshot.ts"
import { isOfCredential } from "./isOfCredential.ts"

/** What is known of customers' own credentials is for their owners alone. */
export const ofEndpoints = ({ endpoints }: HealthSnapshot): HealthSnapshot["endpoints"] =>
  Object.fromEntries(Object.entries(endpoints).filter(([id]) => !isOfCredential(id)))
