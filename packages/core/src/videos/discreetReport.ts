/** A report that does not repeat the customer's credential: what an upstream says of a job is kept and told. */
import type * as Redacted from "effect/Redacted"
import type { VideoReport } from "../upstreams/VideoReport.ts"
import { withoutSecret } from "../secrets/withoutSecrets.ts"

export const discreetReport = (
  report: VideoReport,
  credential: Redacted.Redacted | undefined
): VideoReport =>
  credential === undefined || !("message" in report) || report.message === undefined
    ? report
    : { ...report, message: withoutSecret(report.message, credential) }
