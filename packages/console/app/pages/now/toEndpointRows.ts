/** Joins the health of endpoints with their figures of the last hour. */
import { fillBuckets, type SeriesData } from "../../charts/fillBuckets.ts"
import type { EndpointReport } from "./useHealth.ts"

export interface EndpointRow {
  readonly id: string
  /** Undefined without health, which only the host's own account sees. */
  readonly report: EndpointReport | undefined
  /** Undefined without an attempt of the last hour. */
  readonly figures: SeriesData["series"][number]["totals"] | undefined
  /** Attempts in each of the last minutes, oldest first. */
  readonly attempts: ReadonlyArray<number | null>
}

/** The most urgent first. */
export const toEndpointRows = (
  reports: Readonly<Record<string, EndpointReport>>,
  data: SeriesData | undefined
): ReadonlyArray<EndpointRow> => {
  const buckets = data === undefined ? undefined : fillBuckets(data)
  const series = new Map(
    data?.series.flatMap((each) => (each.value === null ? [] : [[each.value, each] as const]))
  )
  return [...new Set([...Object.keys(reports), ...series.keys()])]
    .map((id) => {
      const own = series.get(id)
      return {
        id,
        report: Object.hasOwn(reports, id) ? reports[id] : undefined,
        figures: own?.totals,
        attempts: buckets?.read(own, ({ requests }) => requests, 0) ?? []
      }
    })
    .toSorted((a, b) => rank(b) - rank(a) || a.id.localeCompare(b.id))
}

const states: ReadonlyArray<EndpointReport["breaker"]["state"] | undefined> = [
  undefined,
  "closed",
  "ramping",
  "backing_off",
  "open"
]

const rank = ({ report }: EndpointRow): number => states.indexOf(report?.breaker.state)

/** The share of failed attempts in the last five minutes; without health, in the last hour. */
export const getErrorShare = ({ figures, report }: EndpointRow): number | undefined => {
  if (report === undefined) {
    return figures === undefined ? undefined : figures.errors / figures.requests
  }
  const errors = Object.values(report.errors).reduce((sum, count) => sum + count, 0)
  const attempts = report.samples + errors
  return attempts === 0 ? undefined : errors / attempts
}
