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
  /** Attempts in each minute of the last hour, oldest first. */
  readonly attempts: ReadonlyArray<number>
}

const minute = 60_000
const minutes = 60

/** A part of the endpoints. */
export interface EndpointRows {
  readonly rows: ReadonlyArray<EndpointRow>
  /** How many match, with those that are not among the rows. */
  readonly total: number
}

/** The most urgent first, at most `limit` of those whose id contains `search`. An instance may have very many. */
export const fromLive = (
  { at, endpoints }: LiveState,
  { limit, search }: { readonly limit: number; readonly search: string }
): EndpointRows => {
  const wanted = search.trim().toLowerCase()
  const matching = [...endpoints.values()].filter(({ endpoint_id: id }) =>
    id.toLowerCase().includes(wanted)
  )
  const ranked = matching.map((live) => ({ live, rank: rank(live) })).toSorted(compareUrgency)
  const last = Math.floor(at / minute) * minute
  return {
    rows: ranked.slice(0, limit).map(({ live }) => toRow(live, last)),
    total: matching.length
  }
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
      { length: minutes },
      (_, position) => byTime.get(last - (minutes - 1 - position) * minute) ?? 0
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

const states: ReadonlyArray<LiveEndpoint["breaker"]["state"]> = [
  "closed",
  "ramping",
  "backing_off",
  "open"
]

/** An endpoint with traffic comes before one without. */
const rank = ({ breaker, points }: LiveEndpoint): number =>
  states.indexOf(breaker.state) * 2 + (points.length > 0 ? 1 : 0)

interface Ranked {
  readonly live: LiveEndpoint
  readonly rank: number
}

const compareUrgency = (a: Ranked, b: Ranked): number =>
  b.rank - a.rank || (a.live.endpoint_id < b.live.endpoint_id ? -1 : 1)
