/** Reduces the health in a plan to the entries of the account's own credentials. */
import type { HealthSnapshot } from "../../engine/health/HealthSnapshot.ts"
import { isCredentialEndpointId } from "./isCredentialEndpointId.ts"

/** Other endpoints have figures of all accounts together, which only the host's account may see. */
export const pickCredentialEndpoints = ({
  endpoints,
  ...rest
}: HealthSnapshot): HealthSnapshot => ({
  ...rest,
  endpoints: Object.fromEntries(
    Object.entries(endpoints).filter(([id]) => isCredentialEndpointId(id))
  )
})
