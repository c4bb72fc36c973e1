/** What the host may know of health: that of its endpoints. */
import type { HealthSnapshot } from "../../health/HealthSnapshot.ts"
import { isCredentialEndpointId } from "./isCredentialEndpointId.ts"

/** What is known of customers' own credentials is for their owners alone. */
export const omitCredentialEndpoints = ({
  endpoints
}: HealthSnapshot): HealthSnapshot["endpoints"] =>
  Object.fromEntries(Object.entries(endpoints).filter(([id]) => !isCredentialEndpointId(id)))
