/** Everything that is counted, in Prometheus' text format. */
import * as Effect from "effect/Effect"
import { Health } from "../health/Health.ts"
import type { HealthSnapshot } from "../health/HealthSnapshot.ts"
import { Broadcast } from "../observability/Broadcast.ts"
import { IoLog } from "../observability/IoLog.ts"
import { Metrics, type Reading } from "../observability/Metrics.ts"
import type { OutboxReport } from "../observability/Outbox.ts"
import { ofEndpoints } from "./ofEndpoints.ts"

export const metricsText = Effect.gen(function* () {
  const broadcast = yield* Broadcast
  const health = yield* Health
  const io = yield* IoLog
  const metrics = yield* Metrics
  return Effect.map(health.report, (report) =>
    metrics.text([breakers(report), ...queues(broadcast.report(), io.report())])
  )
})

const breakers = ({ endpoints }: HealthSnapshot): Reading => ({
  name: "breaker_state",
  description: "1 for the state each endpoint's breaker is in",
  type: "gauge",
  values: Object.entries(ofEndpoints(endpoints)).map(([endpoint, { breaker }]) => ({
    labels: { endpoint, state: breaker.state },
    value: 1
  }))
})

const queues = (
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
