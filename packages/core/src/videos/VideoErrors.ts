/** How asking for videos fails, in facts. */
import * as Data from "effect/Data"
import type { VideoStatus } from "./VideoStatus.ts"

/** Everybody who could make it has reached a limit of their own, and says when to come back. */
export class AllRateLimited extends Data.TaggedError("AllRateLimited")<{
  readonly models: ReadonlyArray<string>
  readonly retryAfterMillis: number
}> {}

/** The account has as many jobs that are not over as it may have. */
export class TooManyActiveJobs extends Data.TaggedError("TooManyActiveJobs")<{
  /** As many as it may have. */
  readonly limit: number
}> {}

/** The host does not keep a file of a job: it, or all files of the account together, would be too large. */
export class ContentTooLarge extends Data.TaggedError("ContentTooLarge")<{
  readonly scope: "file" | "account"
  /** The most bytes that are kept. */
  readonly maxBytes: number
}> {}

/** There is no video yet, or never will be. */
export class NotCompleted extends Data.TaggedError("NotCompleted")<{
  readonly status: Exclude<VideoStatus, "completed">
}> {}

/** There was a video, and it is no longer handed out. */
export class ContentGone extends Data.TaggedError("ContentGone")<{}> {}

/** The video has not the bytes that were asked for. */
export class RangeNotSatisfiable extends Data.TaggedError("RangeNotSatisfiable")<{
  /** How many it has; undefined when nobody says. */
  readonly total: number | undefined
}> {}

/** The provider did not hand out what it keeps. */
export class ContentUnavailable extends Data.TaggedError("ContentUnavailable")<{
  readonly provider: string
}> {}
