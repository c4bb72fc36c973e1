/** The lengths of the buckets of rollups, in UTC. */
import type { SettingsShape } from "../../../instance/Settings.ts"

/** From the finest to the coarsest. */
export const resolutions = ["minute", "hour", "day"] as const
/** How long a bucket of figures is. */
export type Resolution = (typeof resolutions)[number]

const minuteMillis = 60_000

/** The length of a bucket in milliseconds. */
export const bucketMillis: Readonly<Record<Resolution, number>> = {
  minute: minuteMillis,
  hour: 60 * minuteMillis,
  day: 1_440 * minuteMillis
}

/** When the bucket of a time begins, in milliseconds since the epoch. */
export const toBucketStart = (resolution: Resolution, at: number): number =>
  Math.floor(at / bucketMillis[resolution]) * bucketMillis[resolution]

/** How long the buckets of each resolution are kept, in milliseconds. */
export const getRollupRetention = ({
  rollupDayRetentionMillis: day,
  rollupHourRetentionMillis: hour,
  rollupMinuteRetentionMillis: minute
}: SettingsShape): Readonly<Record<Resolution, number>> => ({ minute, hour, day })
