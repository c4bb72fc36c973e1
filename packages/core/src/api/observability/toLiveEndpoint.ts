/** Converts what is known of an endpoint to its response. */
import { toBreakerResponse } from "../../domains/fleet/makeProcessReport.ts"
import type { IndexedEndpoint } from "../../domains/live/EndpointIndex.ts"
import type { ControlState } from "../../engine/health/control/LiveControls.ts"
import type { EndpointReport } from "../../engine/health/HealthSnapshot.ts"
import * as Measures from "../../engine/observability/rollups/Measures.ts"
import { bucketMillis } from "../../engine/observability/rollups/Resolution.ts"
import type { RollupBucket } from "../../engine/observability/rollups/RollupStore.ts"
import type { Series } from "../../engine/observability/rollups/toSeries.ts"
import * as Histogram from "../../values/Histogram.ts"
import type { LiveEndpointResponse } from "./LiveApi.ts"
import { toFiguresResponse } from "./toFiguresResponse.ts"

export const recentMinutes = 5

/** The attempts of the last minutes, by endpoint. */
export const mergeRecent = (
  buckets: ReadonlyArray<RollupBucket>,
  now: number
): ReadonlyMap<string, Measures.Measures> => {
  const parts = new Map<string, Array<Measures.Measures>>()
  for (const { startedAt, values } of buckets) {
    if (startedAt <= now - recentMinutes * bucketMillis.minute) continue
    for (const [id, measures] of values) {
      if (id === null) continue
      const known = parts.get(id)
      if (known === undefined) parts.set(id, [measures])
      else known.push(measures)
    }
  }
  return new Map(Array.from(parts, ([id, all]) => [id, Measures.mergeAll(all)]))
}

interface EndpointState {
  /** Undefined for an endpoint that this process never tried. */
  readonly report: EndpointReport | undefined
  readonly others: (typeof LiveEndpointResponse.Type)["other_processes"]
  /** Undefined: no operator asks anything of it. */
  readonly control: ControlState | undefined
  /** The attempts of the last minutes. */
  readonly recent: Measures.Measures
  readonly points: Series["points"]
}

export const toLiveEndpoint = (
  endpoint: IndexedEndpoint,
  { control = inService, others, points, recent, report }: EndpointState
): typeof LiveEndpointResponse.Type => {
  const { throughput, uptime } = report ?? {}
  return {
    endpoint_id: endpoint.id,
    model: endpoint.model,
    provider: endpoint.provider,
    other_processes: others,
    control,
    breaker: toBreakerResponse(report?.breaker ?? { state: "closed" }),
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

const inService: ControlState = { state: "active", weight: 1 }
