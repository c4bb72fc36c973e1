/** A report that does not repeat the customer's credential: what an upstream says of a job is kept and told. */
import type * as Redacted from "effect/Redacted"
import type { VideoReport } from "../../upstreams/VideoReport.ts"
import { redactSecret } from "../../secrets/redact.ts"

export const redactReport = (
  report: VideoReport,
  credential: Redacted.Redacted | undefined
): VideoReport =>
  credential === undefined || !("message" in report) || report.message === undefined
    ? report
    : { ...report, message: redactSecret(report.message, credential) }
