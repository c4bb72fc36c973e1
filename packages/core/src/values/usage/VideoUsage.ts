/** What a video job used, or may use at most, in the units videos are sold by. */
import * as Schema from "effect/Schema"
import { optionalNumber, optionalText } from "../schemaFields.ts"

/** What a video job used, or may use at most. */
export const VideoUsage = Schema.Struct({
  /** The number of videos. */
  videos: Schema.Finite,
  /** Their total length in seconds, above 0; absent: unknown. */
  seconds: optionalNumber,
  /** Absent: unknown. */
  tokens: optionalNumber,
  /** Input images: frames and references. */
  images: optionalNumber,
  /** Such as `720p` or `1280x720`; absent: the requested one. */
  resolution: optionalText
})
export type VideoUsage = typeof VideoUsage.Type
