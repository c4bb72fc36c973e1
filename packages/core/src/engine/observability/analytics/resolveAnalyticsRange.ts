/** Chooses which rollups answer a query on analytics: the coarsest that give its time exactly, else the finest. Pure. */
import * as Result from "effect/Result"
import { InvalidRequest } from "../../../values/errors/RequestErrors.ts"
import { bucketMillis, type Resolution, resolutions, toBucketStart } from "../rollups/Resolution.ts"
import { maxBuckets, type TimeRange } from "../rollups/resolveTimeRange.ts"
import { type Granularity, listResolutions } from "./AnalyticsQuery.ts"

export interface AnalyticsRange extends TimeRange {
  /** Says how the time differs from the requested one. */
  readonly warnings: ReadonlyArray<string>
}

/** Times are milliseconds since the epoch. */
export interface RangeQuestion {
  readonly start: number | undefined
  readonly end: number | undefined
  readonly granularity: Granularity | undefined
  readonly now: number
  /** How long rollups are kept. */
  readonly retention: Readonly<Record<Resolution, number>>
}

/** Without `start`, seven days before `end`, rounded down to the hour; without `end`, now. */
export const resolveAnalyticsRange = ({
  end = Infinity,
  granularity,
  now,
  retention,
  start
}: RangeQuestion): Result.Result<AnalyticsRange, InvalidRequest> => {
  // No record is later than now.
  const to = Math.min(end, now + 1)
  const from = start ?? toBucketStart("hour", now - defaultDays * bucketMillis.day)
  if (from >= end) return refuse("start", "must be before `end`")
  if (from >= to) return Result.succeed({ resolution: "minute", from: to, to, warnings: [] })
  const suitable = listResolutions(granularity)
  const kept = suitable.filter(
    (resolution) => toBucketStart(resolution, from) >= now - retention[resolution]
  )
  if (kept.length === 0) return refuse("start", describeRetention(suitable, now, retention))
  const bounded = kept.filter(
    (resolution) => (to - toBucketStart(resolution, from)) / bucketMillis[resolution] <= maxBuckets
  )
  const resolution =
    bounded.findLast((each) => isBoundary(each, from) && (to > now || isBoundary(each, to))) ??
    bounded[0]
  if (resolution === undefined) {
    return refuse(
      "start",
      `gives more than ${maxBuckets} times; choose a coarser granularity, or a shorter time`
    )
  }
  const [begin, last] = [toBucketStart(resolution, from), toBucketStart(resolution, to)]
  const finish = to > now || last === to ? to : last + bucketMillis[resolution]
  return Result.succeed({
    resolution,
    from: begin,
    to: finish,
    warnings: [
      ...(begin === from ? [] : [describeMove("start", begin, resolution)]),
      ...(finish === to ? [] : [describeMove("end", finish, resolution)])
    ]
  })
}

const isBoundary = (resolution: Resolution, at: number): boolean =>
  toBucketStart(resolution, at) === at

const describeMove = (bound: "start" | "end", at: number, resolution: Resolution): string =>
  `time_range.${bound} is taken as ${toIso(at)}, because figures of that time are read by the ${resolution}`

/** Says since when there are figures for the granularity, and for coarser ones. */
const describeRetention = (
  suitable: ReadonlyArray<Resolution>,
  now: number,
  retention: RangeQuestion["retention"]
): string => {
  const kept = resolutions.slice(suitable.length - 1).map((resolution) => {
    const oldest = now - retention[resolution]
    const first = toBucketStart(resolution, oldest)
    return `by ${resolution} since ${toIso(first === oldest ? first : first + bucketMillis[resolution])}`
  })
  return `is before the oldest figures: they are kept ${kept.join(", ")}`
}

const refuse = (field: string, problem: string) =>
  Result.fail(new InvalidRequest({ path: ["time_range", field], problem }))

const toIso = (at: number): string => new Date(at).toISOString()

const defaultDays = 7
