/** What an account other than the host's may know of the health its plan was made with: that of its credentials. */
import type { HealthSnapshot } from "../../health/HealthSnapshot.ts"
import { isCredentialEndpointId } from "./isCredentialEndpointId.ts"

/** The figures of endpoints are those of all accounts together. */
export const pickCredentialEndpoints = ({
  endpoints,
  ...rest
}: HealthSnapshot): HealthSnapshot => ({
  ...rest,
  endpoints: Object.fromEntries(
    Object.entries(endpoints).filter(([id]) => isCredentialEndpointId(id))
  )
})
