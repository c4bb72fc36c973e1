/** What is known of endpoints, without what is known of customers' own credentials: that is for their owners alone. */
import type { HealthSnapshot } from "../health/HealthSnapshot.ts"

export const ofEndpoints = (endpoints: HealthSnapshot["endpoints"]): HealthSnapshot["endpoints"] =>
  Object.fromEntries(Object.entries(endpoints).filter(([id]) => !ofCredential.test(id)))

const ofCredential = /#[0-9a-f-]{36}$/
