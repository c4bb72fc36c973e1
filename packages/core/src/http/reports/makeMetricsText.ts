/** Everything that is counted, in Prometheus' text format. */
import * as Effect from "effect/Effect"
import { Health } from "../../health/Health.ts"
import type { HealthSnapshot } from "../../health/HealthSnapshot.ts"
import type { JobReport } from "../../jobs/DurableJobs.ts"
import { Broadcast } from "../../observability/broadcast/Broadcast.ts"
import { IoLog } from "../../observability/broadcast/IoLog.ts"
import { Metrics, type Reading } from "../../observability/metrics/Metrics.ts"
import type { OutboxReport } from "../../observability/broadcast/Outbox.ts"
import { makeJobsReport } from "./makeJobsReport.ts"
import { omitCredentialEndpoints } from "./omitCredentialEndpoints.ts"

export const makeMetricsText = Effect.gen(function* () {
  const broadcast = yield* Broadcast
  const health = yield* Health
  const io = yield* IoLog
  const metrics = yield* Metrics
  const jobs = yield* makeJobsReport
  return Effect.zipWith(health.reportAll, jobs, (report, steps) =>
    metrics.toPrometheusText([
      toBreakerReading(report),
      ...toQueueReadings(broadcast.report(), io.report()),
      ...(steps === null ? [] : toJobReadings(steps))
    ])
  )
})

const toJobReadings = (jobs: ReadonlyArray<JobReport>): ReadonlyArray<Reading> => [
  {
    name: "job_steps",
    description: "Unfinished steps of jobs, of all processes on this store",
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
    description: "For how long the oldest step that is due has been due",
    type: "gauge",
    values: jobs.map(({ kind, oldestMillis }) => ({
      labels: { kind },
      value: oldestMillis / 1_000
    }))
  },
  {
    name: "job_attempts_total",
    description: "Attempts at steps of jobs, by what they came to",
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
    description: "Steps of jobs that were given up",
    type: "counter",
    values: jobs.map(({ died, kind }) => ({ labels: { kind }, value: died }))
  }
]

const toBreakerReading = (report: HealthSnapshot): Reading => ({
  name: "breaker_state",
  description: "1 for the state each endpoint's breaker is in",
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
  const values = (what: keyof OutboxReport) =>
    named.map(([queue, report]) => ({ labels: { queue }, value: report[what] }))
  return [
    {
      name: "queue_waiting",
      description: "Generations that wait for a destination",
      type: "gauge",
      values: values("waiting")
    },
    {
      name: "queue_dropped_total",
      description: "Generations a destination was not told of, because too many waited",
      type: "counter",
      values: values("dropped")
    },
    {
      name: "queue_failed_total",
      description: "Generations a destination failed to take",
      type: "counter",
      values: values("failed")
    }
  ]
}
