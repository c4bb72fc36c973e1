/** Reports the readiness of the instance and the health of its endpoints. */
import * as Effect from "effect/Effect"
import { Catalog } from "../../catalog/Catalog.ts"
import { Health } from "../../health/Health.ts"
import { Broadcast } from "../../observability/broadcast/Broadcast.ts"
import { IoLog } from "../../observability/broadcast/IoLog.ts"
import type { ReadinessResponse as Readiness } from "./ReportsApi.ts"
import { Drain } from "../../Drain.ts"
import { makeJobsReport } from "./makeJobsReport.ts"
import { omitCredentialEndpoints } from "./omitCredentialEndpoints.ts"

export const makeReadinessReport = Effect.gen(function* () {
  const broadcast = yield* Broadcast
  const catalog = yield* Catalog
  const drain = yield* Drain
  const health = yield* Health
  const io = yield* IoLog
  const jobs = yield* makeJobsReport
  return Effect.zipWith(health.reportAll, jobs, (report, jobs): Readiness => ({
    status: drain.isReady() ? "ready" : "draining",
    models: catalog.current().models.length,
    catalog: catalog.status(),
    running: drain.running(),
    queues: { broadcast: broadcast.report(), io_log: io.report() },
    jobs,
    at: report.at,
    endpoints: omitCredentialEndpoints(report)
  }))
})
