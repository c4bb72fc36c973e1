/** Completes the range and the interval of a query on rollups. Pure. */
import * as Result from "effect/Result"
import { InvalidRequest } from "../../../values/errors/RequestErrors.ts"
import { bucketMillis, type Resolution, toBucketStart } from "./Resolution.ts"

/** Times are milliseconds since the epoch. */
export interface TimeRange {
  readonly resolution: Resolution
  /** The start of a bucket. */
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** Without `from`, the day before `to`; without `to`, now; without `resolution`, the finest that gives a readable chart. */
export const resolveTimeRange = (
  {
    from,
    resolution,
    to
  }: {
    readonly from: number | undefined
    readonly to: number | undefined
    readonly resolution: Resolution | undefined
  },
  now: number
): Result.Result<TimeRange, InvalidRequest> => {
  const end = to ?? now
  const start = from ?? end - bucketMillis.day
  if (start >= end) {
    return Result.fail(new InvalidRequest({ path: ["from"], problem: "must be before `to`" }))
  }
  const chosen = resolution ?? pickResolution(end - start)
  const begin = toBucketStart(chosen, start)
  return (end - begin) / bucketMillis[chosen] > maxBuckets
    ? Result.fail(
        new InvalidRequest({
          path: ["interval"],
          problem: `gives more than ${maxBuckets} points; choose a coarser one, or a shorter time`
        })
      )
    : Result.succeed({ resolution: chosen, from: begin, to: end })
}

const pickResolution = (millis: number): Resolution =>
  millis <= 2 * bucketMillis.hour ? "minute" : millis <= 7 * bucketMillis.day ? "hour" : "day"

/** All that is kept by minute, and more of the others. */
export const maxBuckets = 2_881
