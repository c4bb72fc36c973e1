/** Whether a customer's own credential was refused where it was tried last. */
import type { EndpointReport } from "../../../health/HealthSnapshot.ts"
import type { Demotion, Reason } from "../../Reason.ts"

/** Of the last five minutes; a rate limit is waited for instead. */
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
