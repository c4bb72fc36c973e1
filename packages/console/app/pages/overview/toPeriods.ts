/** The time of the overview and the one before it, in whole buckets, so that both are compared like for like. */
import type { SeriesData } from "../../charts/fillBuckets.ts"
import type { TimeRange } from "../../routing/timeRange.ts"

type Interval = SeriesData["interval"]

const hour = 3_600_000
const bucketMillis: Readonly<Record<Interval, number>> = {
  minute: 60_000,
  hour,
  day: 24 * hour
}

/** Times are in milliseconds since the epoch. */
export interface Periods {
  readonly interval: Interval
  readonly from: number
  readonly to: number
  /** The end of the last bucket that is over. */
  readonly wholeUntil: number
  /** When the time before began. It ends at `from`, and has as many buckets as are over. */
  readonly beforeFrom: number
}

/** `now` is in milliseconds since the epoch: the bucket of it is not over. */
export const toPeriods = ({ from, to }: TimeRange, now: number): Periods => {
  const interval = pickInterval(to - from)
  const length = bucketMillis[interval]
  const first = Math.floor(from / length) * length
  const wholeUntil = Math.floor(Math.min(to, now) / length) * length
  return { interval, from: first, to, wholeUntil, beforeFrom: first - (wholeUntil - first) }
}

/** A line of 24 to 168 points. */
const pickInterval = (length: number): Interval =>
  length <= 2 * hour ? "minute" : length <= 168 * hour ? "hour" : "day"
