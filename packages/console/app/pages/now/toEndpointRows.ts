/** The rows of the table of endpoints. */
import { fillBuckets, type SeriesData } from "../../charts/fillBuckets.ts"
import type { LiveEndpoint, LiveState } from "./useEndpoints.ts"

export interface EndpointRow {
  readonly id: string
  /** Undefined for accounts that do not see the health of the instance. */
  readonly live: LiveEndpoint | undefined
  readonly attemptsPerMinute: number
  /** From 0 to 1; null without any attempt. */
  readonly errorShare: number | null
  readonly figures: LiveEndpoint["figures"]
  /** Attempts in each of the last minutes, oldest first. */
  readonly attempts: ReadonlyArray<number>
}

const minute = 60_000
/** How far back the attempts of an endpoint are shown. */
export const shownMinutes = 30

/** In the order of the page. */
export const fromLive = ({ at, endpoints }: LiveState): ReadonlyArray<EndpointRow> => {
  const last = Math.floor(at / minute) * minute
  return [...endpoints.values()].map((live) => toRow(live, last))
}

const toRow = (live: LiveEndpoint, last: number): EndpointRow => {
  const byTime = new Map(live.points.map((point) => [Date.parse(point.at), point.requests]))
  return {
    id: live.endpoint_id,
    live,
    attemptsPerMinute: live.requests_per_minute,
    errorShare: live.error_share,
    figures: live.figures,
    attempts: Array.from(
      { length: shownMinutes },
      (_, position) => byTime.get(last - (shownMinutes - 1 - position) * minute) ?? 0
    )
  }
}

/** The attempts of an account alone, over the whole hour. */
export const fromSeries = (data: SeriesData): ReadonlyArray<EndpointRow> => {
  const buckets = fillBuckets(data)
  return data.series.flatMap((series): ReadonlyArray<EndpointRow> => {
    const { totals, value } = series
    if (value === null) return []
    return [
      {
        id: value,
        live: undefined,
        attemptsPerMinute: totals.requests / Math.max(1, buckets.times.length),
        errorShare: totals.requests === 0 ? null : totals.errors / totals.requests,
        figures: totals,
        attempts: buckets.read(series, ({ requests }) => requests, 0).map((count) => count ?? 0)
      }
    ]
  })
}
