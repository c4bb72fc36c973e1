/** The time that a page shows, kept in the query: `range=24h`, or `from` and `to`. */

export interface TimeRange {
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  /** The name of a range that ends now; undefined for one with a fixed end. */
  readonly name: RangeName | undefined
}

const hour = 3_600_000

const ranges = {
  "1h": hour,
  "6h": 6 * hour,
  "24h": 24 * hour,
  "7d": 168 * hour,
  "30d": 720 * hour
} as const
export type RangeName = keyof typeof ranges

/** The shortest first. */
export const rangeNames = Object.keys(ranges) as ReadonlyArray<RangeName>

const isRangeName = (name: string | undefined): name is RangeName =>
  name !== undefined && Object.hasOwn(ranges, name)

/** Ranges that end now end at the next full step, so that the same page asks the same for a while. */
export const parseTimeRange = (
  query: Readonly<Record<string, string>>,
  now: number,
  /** The range of a page whose address names none. */
  fallback: RangeName
): TimeRange => {
  const from = Date.parse(query["from"] ?? "")
  const to = Date.parse(query["to"] ?? "")
  if (from < to) return { from, to, name: undefined }
  const given = query["range"]
  const name = isRangeName(given) ? given : fallback
  const step = 60_000
  const end = Math.ceil(now / step) * step
  return { from: end - ranges[name], to: end, name }
}

/** The shortest range that holds all since `first`; the longest if none does. */
export const pickRangeSince = (first: number, now: number): RangeName =>
  rangeNames.find((name) => ranges[name] >= now - first) ?? "30d"

/** The query of a range with a fixed end. */
export const toRangeQuery = (
  from: number,
  to: number
): Record<"from" | "to" | "range", string | undefined> => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
  range: undefined
})

/** The same time on another page. */
export const toRangeLink = (range: TimeRange): Readonly<Record<string, string | undefined>> =>
  range.name === undefined ? toRangeQuery(range.from, range.to) : { range: range.name }
