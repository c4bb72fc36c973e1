/** Renders all metrics in the Prometheus text format. */
import * as Effect from "effect/Effect"
import { fingerprintConfiguration } from "../../domains/fleet/makeProcessReport.ts"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import { Health } from "../../engine/health/Health.ts"
import type { HealthSnapshot } from "../../engine/health/HealthSnapshot.ts"
import type { JobReport } from "../../engine/jobs/DurableJobs.ts"
import { Generations } from "../../engine/observability/generations/Generations.ts"
import { ioLogName } from "../../engine/observability/broadcast/IoLog.ts"
import { Pipeline, type SinkReport } from "../../engine/observability/broadcast/Pipeline.ts"
import { Metrics, type Reading } from "../../engine/observability/metrics/Metrics.ts"
import type { OutboxReport } from "../../engine/observability/broadcast/Outbox.ts"
import { libraryVersion } from "../../instance/libraryVersion.ts"
import { ThisProcess } from "../../instance/ThisProcess.ts"
import { makeJobsReport, omitCredentialEndpoints } from "./makeHealthReport.ts"

export const makeMetricsText = Effect.gen(function* () {
  const health = yield* Health
  const metrics = yield* Metrics
  const { flush } = yield* Generations
  const jobs = yield* makeJobsReport
  const pipeline = yield* Pipeline
  const catalog = yield* Catalog
  const { id } = yield* ThisProcess
  return Effect.flatMap(Effect.zip(health.reportAll, jobs), ([report, steps]) => {
    // Counting does not wait for the store.
    void flush()
    return metrics.toPrometheusText([
      toBreakerReading(report),
      {
        name: "process_info",
        description:
          "1 for the process that answers, with the version of the library and of the configuration",
        type: "gauge",
        values: [
          {
            labels: {
              process: id,
              version: libraryVersion,
              configuration: fingerprintConfiguration(catalog.current())
            },
            value: 1
          }
        ]
      },
      {
        name: "connection_waits",
        description: "Requests that wait for a connection to their provider",
        type: "gauge",
        values: health.connectionWaits
          .list()
          .map(([provider, value]) => ({ labels: { provider }, value }))
      },
      ...toQueueReadings(pipeline.report()),
      ...(steps === null ? [] : toJobReadings(steps))
    ])
  })
})

const toJobReadings = (jobs: ReadonlyArray<JobReport>): ReadonlyArray<Reading> => [
  {
    name: "job_steps",
    description: "Unfinished job steps of all processes on this store, by state",
    type: "gauge",
    values: jobs.flatMap(({ due, kind, later, running }) =>
      Object.entries({ due, later, running }).map(([state, value]) => ({
        labels: { kind, state },
        value
      }))
    )
  },
  {
    name: "job_oldest_seconds",
    description: "Seconds for which the oldest due job step has been due",
    type: "gauge",
    values: jobs.map(({ kind, oldestMillis }) => ({
      labels: { kind },
      value: oldestMillis / 1_000
    }))
  },
  {
    name: "job_attempts_total",
    description: "Attempts at job steps, by outcome",
    type: "counter",
    values: jobs.flatMap(({ failed, kind, succeeded }) =>
      Object.entries({ failed, succeeded }).map(([outcome, value]) => ({
        labels: { kind, outcome },
        value
      }))
    )
  },
  {
    name: "job_steps_dead_total",
    description: "Job steps that were dead-lettered",
    type: "counter",
    values: jobs.map(({ died, kind }) => ({ labels: { kind }, value: died }))
  }
]

const toBreakerReading = (report: HealthSnapshot): Reading => ({
  name: "breaker_state",
  description: "1 for the current state of each endpoint's circuit breaker",
  type: "gauge",
  values: Object.entries(omitCredentialEndpoints(report)).map(([endpoint, { breaker }]) => ({
    labels: { endpoint, state: breaker.state },
    value: 1
  }))
})

const toQueueReadings = (reports: ReadonlyArray<SinkReport>): ReadonlyArray<Reading> => {
  // A host without an I/O log had its queue before there were other sinks.
  const all = reports.some(({ name }) => name === ioLogName)
    ? reports
    : [...reports, { name: ioLogName, waiting: 0, dropped: 0, failed: 0 }]
  const values = (field: keyof OutboxReport) =>
    all.map((report) => ({ labels: { queue: report.name }, value: report[field] }))
  return [
    {
      name: "queue_waiting",
      description: "Generations waiting for a destination",
      type: "gauge",
      values: values("waiting")
    },
    {
      name: "queue_dropped_total",
      description: "Generations dropped because the queue of a destination was full",
      type: "counter",
      values: values("dropped")
    },
    {
      name: "queue_failed_total",
      description: "Generations for which a destination failed or timed out",
      type: "counter",
      values: values("failed")
    }
  ]
}
