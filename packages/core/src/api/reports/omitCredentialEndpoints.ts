/** Reduces a health snapshot to the host's own endpoints. */
import type { HealthSnapshot } from "../../engine/health/HealthSnapshot.ts"
import { isCredentialEndpointId } from "./isCredentialEndpointId.ts"

/** Only their owners may see the health of customers' own credentials. */
export const omitCredentialEndpoints = ({
  endpoints
}: HealthSnapshot): HealthSnapshot["endpoints"] =>
  Object.fromEntries(Object.entries(endpoints).filter(([id]) => !isCredentialEndpointId(id)))
