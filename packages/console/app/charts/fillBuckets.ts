/** Aligns the series of the API, which leave out buckets without requests. */
import type { OperationResponse } from "@signalbox/core/contract"

export type SeriesData = OperationResponse<"series.get">["data"]
export type Series = SeriesData["series"][number]
export type Point = Series["points"][number]

const minute = 60_000
const intervalMillis: Readonly<Record<SeriesData["interval"], number>> = {
  minute,
  hour: 60 * minute,
  day: 1_440 * minute
}

export interface Buckets {
  /** When each bucket begins, in milliseconds since the epoch. */
  readonly times: ReadonlyArray<number>
  readonly from: number
  /** The end of the last bucket, so that all of it has room. */
  readonly to: number
  /** The position of the first bucket that had not ended when the data was read; undefined: all had. */
  readonly unfinished: number | undefined
  /** Milliseconds of a bucket. */
  readonly interval: number
  /** The figure of each bucket; `missing` for those without requests. */
  readonly read: (
    series: Series | undefined,
    pick: (point: Point) => number | null | undefined,
    missing: number | null
  ) => ReadonlyArray<number | null>
}

/** `now` is when the data was read, in milliseconds since the epoch. */
export const fillBuckets = (data: SeriesData, now = Date.now()): Buckets => {
  const from = Date.parse(data.from)
  const to = Date.parse(data.to)
  const interval = intervalMillis[data.interval]
  const times = Array.from(
    { length: Math.max(0, Math.ceil((to - from) / interval)) },
    (_, at) => from + at * interval
  )
  return {
    times,
    from,
    to: from + times.length * interval,
    unfinished: findUnfinished(times, interval, now),
    interval,
    read: (series, pick, missing) => {
      const byTime = new Map(series?.points.map((point) => [Date.parse(point.at), point]))
      return times.map((time) => {
        const point = byTime.get(time)
        return point === undefined ? missing : (pick(point) ?? missing)
      })
    }
  }
}

/** The first of the buckets, which begin at `times`, that ends after `now`. */
export const findUnfinished = (
  times: ReadonlyArray<number>,
  interval: number,
  now: number
): number | undefined => {
  const at = times.findIndex((time) => time + interval > now)
  return at === -1 ? undefined : at
}
