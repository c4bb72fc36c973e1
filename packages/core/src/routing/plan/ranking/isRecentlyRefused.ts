/** Whether a customer's own credential was refused when it was last tried. */
import type { EndpointReport } from "../../../engine/health/HealthSnapshot.ts"
import type { Demotion, Reason } from "../../Reason.ts"

/** Within the last five minutes; a rate limit has its own backoff. */
export const isRecentlyRefused = (report: EndpointReport | undefined): boolean => {
  if (report === undefined) return false
  const refused = countRefusals(report)
  return refused > 0 && refused >= report.samples
}

export const toRefusedReason = (report: EndpointReport): Reason<Demotion> => ({
  rule: "refused",
  source: "health",
  wanted: "a credential that is accepted",
  found: `refused ${countRefusals(report)} times, accepted ${report.samples} times`
})

const countRefusals = ({ errors }: EndpointReport): number =>
  (errors["credential_refused"] ?? 0) + (errors["forbidden"] ?? 0)
