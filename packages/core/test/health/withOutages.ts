/** A snapshot in which some endpoints have an outage and nothing else is known. */
import type { EndpointReport, HealthSnapshot } from "../../src/health/HealthSnapshot.ts"

const inOutage: EndpointReport = {
  samples: 0,
  throughputSamples: 0,
  answers: { valid: 0, invalid: 0 },
  errors: {},
  rateLimited: 0,
  uptime: {},
  outage: { failures: 1, of: 1 },
  breaker: { state: "closed" }
}

export const withOutages = (endpoints: ReadonlyArray<string>): HealthSnapshot => ({
  at: 0,
  endpoints: Object.fromEntries(endpoints.map((endpoint) => [endpoint, inOutage]))
})
