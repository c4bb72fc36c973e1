/** What a video job used (or may use at most), in the units videos are sold by. */
export interface VideoUsage {
  /** How many videos it made. */
  readonly videos: number
  /** Seconds of all of them together, above 0; absent means nobody says. */
  readonly seconds?: number
  /** Absent means nobody counts them. */
  readonly tokens?: number
  /** How many images went in, as frames and as references. */
  readonly images?: number
}
