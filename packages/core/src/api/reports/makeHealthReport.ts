/** Reports the readiness of the instance and the health of its endpoints. */
import * as Effect from "effect/Effect"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import { Health } from "../../engine/health/Health.ts"
import { DurableJobs, type JobReport } from "../../engine/jobs/DurableJobs.ts"
import { Broadcast } from "../../engine/observability/broadcast/Broadcast.ts"
import { Generations } from "../../engine/observability/generations/Generations.ts"
import { IoLog } from "../../engine/observability/broadcast/IoLog.ts"
import { Drain } from "../../instance/Drain.ts"
import { type StorageReport, StorageStatus } from "../../instance/StorageStatus.ts"
import type { HealthResponse } from "./ReportsApi.ts"
import { omitCredentialEndpoints } from "./credentialEndpoints.ts"

/** Null if the store is unavailable. */
export const makeJobsReport = Effect.map(DurableJobs, ({ listReports }) =>
  Effect.catchCause(listReports, (cause) =>
    Effect.as(Effect.logError("cannot read the job counts from the store", cause), null)
  ).pipe(Effect.map((jobs): ReadonlyArray<JobReport> | null => jobs))
)

export const makeHealthReport = Effect.gen(function* () {
  const broadcast = yield* Broadcast
  const catalog = yield* Catalog
  const drain = yield* Drain
  const { flush } = yield* Generations
  const health = yield* Health
  const io = yield* IoLog
  const jobs = yield* makeJobsReport
  const storage = yield* StorageStatus
  return Effect.zipWith(health.reportAll, jobs, (report, jobs): HealthResponse => {
    // The queues then have what has ended; they do not wait for the store.
    void flush()
    return {
      status: findStatus(drain.isReady(), storage.report()),
      models: catalog.current().models.length,
      catalog: catalog.status(),
      running: drain.running(),
      queues: { broadcast: broadcast.report(), io_log: io.report() },
      storage: toStorageResponse(storage.report()),
      jobs,
      at: report.at,
      endpoints: omitCredentialEndpoints(report)
    }
  })
})

const findStatus = (isReady: boolean, { outage }: StorageReport): HealthResponse["status"] => {
  if (!isReady) return "draining"
  return outage === undefined ? "ready" : "storage_unavailable"
}

const toStorageResponse = ({ outage, queues }: StorageReport): HealthResponse["storage"] =>
  outage === undefined
    ? { status: "available", queues }
    : { status: "unavailable", ...outage, queues }
