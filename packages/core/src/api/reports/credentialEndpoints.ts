/** The endpoints of customers' credentials in reports. */
import type { HealthSnapshot } from "../../engine/health/HealthSnapshot.ts"

/** Whether a health entry belongs to a customer's own credential rather than to the host's endpoint. */
const isCredentialEndpointId = (id: string): boolean => /#[0-9a-f-]{36}$/.test(id)

/** Only their owners may see the health of customers' own credentials. */
export const omitCredentialEndpoints = ({
  endpoints
}: HealthSnapshot): HealthSnapshot["endpoints"] =>
  Object.fromEntries(Object.entries(endpoints).filter(([id]) => !isCredentialEndpointId(id)))

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
