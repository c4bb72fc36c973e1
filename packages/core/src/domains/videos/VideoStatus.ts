/** The statuses of a video job and the transitions between them. */
import * as Data from "effect/Data"
import * as Schema from "effect/Schema"

/** Where a video job is in its lifecycle. */
export const VideoStatus = Schema.Literals([
  "pending",
  "in_progress",
  "completed",
  "failed",
  "cancelled",
  "expired"
])
export type VideoStatus = typeof VideoStatus.Type

/** Terminal statuses. */
export type TerminalStatus = Exclude<VideoStatus, "pending" | "in_progress">

/** A job may end without having been in progress, and never restarts. */
const transitions: Readonly<Record<VideoStatus, ReadonlyArray<VideoStatus>>> = {
  pending: ["in_progress", "completed", "failed", "cancelled", "expired"],
  in_progress: ["completed", "failed", "cancelled", "expired"],
  completed: [],
  failed: [],
  cancelled: [],
  expired: []
}

export const canTransition = (from: VideoStatus, to: VideoStatus): boolean =>
  transitions[from].includes(to)

export const isTerminal = (status: VideoStatus): status is TerminalStatus =>
  transitions[status].length === 0

/** Every candidate is rate limited by its provider. */
export class AllRateLimited extends Data.TaggedError("AllRateLimited")<{
  readonly models: ReadonlyArray<string>
  readonly retryAfterMillis: number
}> {}

/** The account has reached its limit of active jobs. */
export class TooManyActiveJobs extends Data.TaggedError("TooManyActiveJobs")<{
  readonly limit: number
}> {}

/** A file, or all stored files of the account together, would exceed the limit. */
export class ContentTooLarge extends Data.TaggedError("ContentTooLarge")<{
  readonly scope: "file" | "account"
  readonly maxBytes: number
}> {}

/** The job has no video, because it is still running or has failed. */
export class NotCompleted extends Data.TaggedError("NotCompleted")<{
  readonly status: Exclude<VideoStatus, "completed">
}> {}

/** The video has expired. */
export class ContentGone extends Data.TaggedError("ContentGone")<{}> {}

/** The requested byte range is outside the video. */
export class RangeNotSatisfiable extends Data.TaggedError("RangeNotSatisfiable")<{
  /** Size of the video in bytes; undefined when the provider does not say. */
  readonly total: number | undefined
}> {}

/** The provider did not serve the video. */
export class ContentUnavailable extends Data.TaggedError("ContentUnavailable")<{
  readonly provider: string
}> {}
