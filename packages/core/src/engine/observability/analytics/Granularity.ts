/** The lengths of time that analytics have a row for, in UTC. */
import { type Resolution, resolutions, toBucketStart } from "../rollups/Resolution.ts"

/** From the finest to the coarsest. */
export const granularities = ["minute", "hour", "day", "week", "month"] as const
export type Granularity = (typeof granularities)[number]

/** When the minute, hour, day, week or month of a time begins, in milliseconds since the epoch. Weeks begin on Monday. */
export const toGranularityStart = (granularity: Granularity, at: number): number => {
  switch (granularity) {
    case "week": {
      const day = toBucketStart("day", at)
      const date = new Date(day)
      return date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
    }
    case "month": {
      const date = new Date(at)
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
    }
    case "minute":
    case "hour":
    case "day":
      return toBucketStart(granularity, at)
  }
}

/** The resolutions of rollups that add up to it, from the finest to the coarsest. */
export const listResolutions = (granularity: Granularity | undefined): ReadonlyArray<Resolution> =>
  granularity === undefined
    ? resolutions
    : resolutions.slice(0, granularities.indexOf(granularity) + 1)
