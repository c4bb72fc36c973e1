/** Metrics that change while the configuration stays the same: measured ones, else the catalog's. */
import type { Endpoint } from "../../engine/catalog/endpoint/Endpoint.ts"
import type { HealthSnapshot } from "../../engine/health/HealthSnapshot.ts"
import type { ModelIndex } from "./ModelIndex.ts"

/** Values by index; NaN when unknown. */
export interface LiveMetrics {
  /** Output tokens per second of the fastest endpoint. */
  readonly throughput: (reports: Reports) => Float64Array
  /** Milliseconds of the fastest endpoint. */
  readonly latency: (reports: Reports) => Float64Array
}
type Reports = HealthSnapshot["endpoints"]

/** Computes the values of the catalog once; then only models with measured endpoints are recomputed. */
export const makeLiveMetrics = ({ models }: ModelIndex): LiveMetrics => {
  const indexById = new Map<string, number>()
  for (const [place, { endpoints }] of models.entries()) {
    for (const { id, tier } of endpoints) {
      // Other tiers serve only requests that ask for them.
      if (tier === "default") indexById.set(id, place)
    }
  }
  const makeMetric = (bestOf: (endpoints: ReadonlyArray<Endpoint>, reports: Reports) => number) => {
    const typical = Float64Array.from(models, ({ endpoints }) => bestOf(endpoints, {}))
    return (reports: Reports): Float64Array => {
      const figures = typical.slice()
      const measured = new Set(Object.keys(reports).map((id) => indexById.get(id)))
      for (const place of measured) {
        if (place !== undefined) figures[place] = bestOf(models[place]!.endpoints, reports)
      }
      return figures
    }
  }
  return { throughput: makeMetric(findHighestThroughput), latency: makeMetric(findLowestLatency) }
}

const findBest =
  (
    of: (one: number, other: number) => number,
    figureOf: (endpoint: Endpoint, reports: Reports) => number | undefined
  ) =>
  (endpoints: ReadonlyArray<Endpoint>, reports: Reports): number => {
    let known = Number.NaN
    for (const endpoint of endpoints) {
      const figure = endpoint.tier === "default" ? figureOf(endpoint, reports) : undefined
      if (figure !== undefined) known = Number.isNaN(known) ? figure : of(known, figure)
    }
    return known
  }

const findHighestThroughput = findBest(
  Math.max,
  ({ id, typical }, reports) => reports[id]?.longer?.m30.throughput?.p50 ?? typical.throughput
)
const findLowestLatency = findBest(
  Math.min,
  ({ id, typical }, reports) => reports[id]?.longer?.m30.latency?.p50 ?? typical.latencyMillis
)
