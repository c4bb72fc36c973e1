/** Whether requests are welcome, and what is known of the endpoints. */
import * as Effect from "effect/Effect"
import { Catalog } from "../catalog/Catalog.ts"
import { Health } from "../health/Health.ts"
import { Broadcast } from "../observability/Broadcast.ts"
import { IoLog } from "../observability/IoLog.ts"
import type { Health as Readiness } from "./api/OperationsApi.ts"
import { Drain } from "./Drain.ts"
import { jobsReport } from "./jobsReport.ts"
import { ofEndpoints } from "./ofEndpoints.ts"

export const readiness = Effect.gen(function* () {
  const broadcast = yield* Broadcast
  const catalog = yield* Catalog
  const drain = yield* Drain
  const health = yield* Health
  const io = yield* IoLog
  const jobs = yield* jobsReport
  return Effect.zipWith(health.report, jobs, (report, jobs): Readiness => ({
    status: drain.isReady() ? "ready" : "draining",
    models: catalog.current().models.length,
    catalog: catalog.status(),
    running: drain.running(),
    told: { broadcast: broadcast.report(), io_log: io.report() },
    jobs,
    at: report.at,
    endpoints: ofEndpoints(report)
  }))
})
