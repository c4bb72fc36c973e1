/** Reports the readiness of the instance and the health of its endpoints. */
import * as Effect from "effect/Effect"
import { contentSinkName } from "../../domains/content/Contents.ts"
import { findProcessStatus } from "../../domains/fleet/makeProcessReport.ts"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import { Health } from "../../engine/health/Health.ts"
import { type HealthSnapshot, isCredentialEndpointId } from "../../engine/health/HealthSnapshot.ts"
import { DurableJobs, type JobReport } from "../../engine/jobs/DurableJobs.ts"
import { ioLogName } from "../../engine/observability/broadcast/IoLog.ts"
import { Pipeline, type SinkReport } from "../../engine/observability/broadcast/Pipeline.ts"
import { Generations } from "../../engine/observability/generations/Generations.ts"
import { Drain } from "../../instance/Drain.ts"
import { type StorageReport, StorageStatus } from "../../instance/StorageStatus.ts"
import { ThisProcess } from "../../instance/ThisProcess.ts"
import type { HealthResponse, ReportedEndpoints } from "./ReportsApi.ts"

/** Null if the store is unavailable. */
export const makeJobsReport = Effect.map(DurableJobs, ({ listReports }) =>
  Effect.catchCause(listReports, (cause) =>
    Effect.as(Effect.logError("cannot read the job counts from the store", cause), null)
  ).pipe(Effect.map((jobs): ReadonlyArray<JobReport> | null => jobs))
)

export const makeHealthReport = Effect.gen(function* () {
  const catalog = yield* Catalog
  const drain = yield* Drain
  const { flush } = yield* Generations
  const health = yield* Health
  const pipeline = yield* Pipeline
  const jobs = yield* makeJobsReport
  const storage = yield* StorageStatus
  const { id } = yield* ThisProcess
  const report: Readonly<Record<ReportedEndpoints, Effect.Effect<HealthSnapshot>>> = {
    all: health.reportAll,
    unhealthy: Effect.suspend(() => health.reportEndpoints(health.listUnhealthy().keys())),
    none: health.reportEndpoints([])
  }
  return (endpoints: ReportedEndpoints = "all") =>
    Effect.zipWith(report[endpoints], jobs, (report, jobs): HealthResponse => {
      // The queues then have what has ended; they do not wait for the store.
      void flush()
      return {
        status: findProcessStatus(drain.isReady(), storage.report()),
        process: id,
        models: catalog.current().models.length,
        catalog: catalog.status(),
        running: drain.running(),
        queues: toQueues(pipeline.report()),
        storage: toStorageResponse(storage.report()),
        jobs,
        at: report.at,
        endpoints: omitCredentialEndpoints(report)
      }
    })
})

const toQueues = (reports: ReadonlyArray<SinkReport>): HealthResponse["queues"] => {
  const find = (name: string) => reports.find((report) => report.name === name) ?? emptyQueue
  return {
    broadcast: reports.filter(({ name }) => name.startsWith("broadcast_")).map(toQueue),
    io_log: toQueue(find(ioLogName)),
    kept_content: toQueue(find(contentSinkName))
  }
}

const toQueue = ({ dropped, failed, waiting }: Omit<SinkReport, "name">) => ({
  waiting,
  dropped,
  failed
})

/** Of a sink that the instance does not have. */
const emptyQueue = { waiting: 0, dropped: 0, failed: 0 }

const toStorageResponse = ({ outage, queues }: StorageReport): HealthResponse["storage"] =>
  outage === undefined
    ? { status: "available", queues }
    : { status: "unavailable", ...outage, queues }

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
