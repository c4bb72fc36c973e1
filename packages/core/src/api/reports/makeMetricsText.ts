/** Renders all metrics in the Prometheus text format. */
import * as Effect from "effect/Effect"
import { Health } from "../../engine/health/Health.ts"
import type { HealthSnapshot } from "../../engine/health/HealthSnapshot.ts"
import type { JobReport } from "../../engine/jobs/DurableJobs.ts"
import { Broadcast } from "../../engine/observability/broadcast/Broadcast.ts"
import { Generations } from "../../engine/observability/generations/Generations.ts"
import { IoLog } from "../../engine/observability/broadcast/IoLog.ts"
import { Metrics, type Reading } from "../../engine/observability/metrics/Metrics.ts"
import type { OutboxReport } from "../../engine/observability/broadcast/Outbox.ts"
import { makeJobsReport } from "./makeHealthReport.ts"
import { omitCredentialEndpoints } from "./credentialEndpoints.ts"

export const makeMetricsText = Effect.gen(function* () {
  const broadcast = yield* Broadcast
  const health = yield* Health
  const io = yield* IoLog
  const metrics = yield* Metrics
  const { flush } = yield* Generations
  const jobs = yield* makeJobsReport
  return Effect.flatMap(Effect.zip(health.reportAll, jobs), ([report, steps]) => {
    // Counting does not wait for the store.
    void flush()
    return metrics.toPrometheusText([
      toBreakerReading(report),
      ...toQueueReadings(broadcast.report(), io.report()),
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

const toQueueReadings = (
  broadcast: ReadonlyArray<OutboxReport>,
  io: OutboxReport
): ReadonlyArray<Reading> => {
  const named = [
    ...broadcast.map((report, index) => [`broadcast_${index + 1}`, report] as const),
    ["io_log", io] as const
  ]
  const values = (field: keyof OutboxReport) =>
    named.map(([queue, report]) => ({ labels: { queue }, value: report[field] }))
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
