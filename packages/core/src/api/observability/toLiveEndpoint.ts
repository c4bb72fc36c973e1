/** Converts what is known of an endpoint to its response. Pure. */
import type { BreakerReport, EndpointReport } from "../../engine/health/HealthSnapshot.ts"
import * as Histogram from "../../values/Histogram.ts"
import * as Measures from "../../engine/observability/rollups/Measures.ts"
import { bucketMillis } from "../../engine/observability/rollups/Resolution.ts"
import type { Series } from "../../engine/observability/rollups/toSeries.ts"
import type { LiveEndpointResponse } from "./LiveApi.ts"
import { toFiguresResponse } from "./toFiguresResponse.ts"

const recentMinutes = 5

/** `report` is undefined for an endpoint that this process never tried, `points` are the last hour by minute. */
export const toLiveEndpoint = (
  endpoint: { readonly id: string; readonly model: string; readonly provider: string },
  report: EndpointReport | undefined,
  points: Series["points"],
  now: number
): typeof LiveEndpointResponse.Type => {
  const recent = Measures.mergeAll(
    points
      .filter(({ startedAt }) => startedAt > now - recentMinutes * bucketMillis.minute)
      .map(({ measures }) => measures)
  )
  const { throughput, uptime } = report ?? {}
  return {
    endpoint_id: endpoint.id,
    model: endpoint.model,
    provider: endpoint.provider,
    breaker: toBreaker(report?.breaker ?? { state: "closed" }),
    uptime: { m5: uptime?.m5 ?? null, m30: uptime?.m30 ?? null, d1: uptime?.d1 ?? null },
    throughput:
      throughput === undefined
        ? null
        : { p50: throughput.p50, p90: throughput.p90, p99: throughput.p99 },
    failures: report?.errors ?? {},
    rate_limited: report?.rateLimited ?? 0,
    requests_per_minute: recent.requests / recentMinutes,
    error_share: recent.requests === 0 ? null : recent.errors / recent.requests,
    figures: toFiguresResponse(recent),
    points: points.map(({ measures, startedAt }) => ({
      at: new Date(startedAt).toISOString(),
      requests: measures.requests,
      errors: measures.errors,
      latency: measures.latency.count === 0 ? null : Histogram.getQuantile(measures.latency, 0.5)
    }))
  }
}

const toBreaker = (breaker: BreakerReport): (typeof LiveEndpointResponse.Type)["breaker"] => {
  const { state } = breaker
  return {
    state,
    since: state === "closed" ? null : new Date(breaker.since).toISOString(),
    cause: state === "open" || state === "backing_off" ? breaker.cause : null,
    next_probe_at:
      state === "open"
        ? new Date(breaker.nextProbeAt).toISOString()
        : state === "backing_off"
          ? new Date(breaker.until).toISOString()
          : null,
    share: state === "ramping" ? breaker.share : null
  }
}
