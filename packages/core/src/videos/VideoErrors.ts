/** How asking for videos fails, in facts. */
import * as Data from "effect/Data"
import type { VideoStatus } from "./VideoStatus.ts"

/** Everybody who could make it has reached a limit of their own, and says when to come back. */
export class AllRateLimited extends Data.TaggedError("AllRateLimited")<{
  readonly models: ReadonlyArray<string>
  readonly retryAfterMillis: number
}> {}

/** The account has as many jobs that are not over as it may have. */
export class TooManyUnfinished extends Data.TaggedError("TooManyUnfinished")<{
  /** As many as it may have. */
  readonly most: number
}> {}

/** The host does not keep a file of a job: it, or all files of the account together, would be too large. */
export class ContentTooLarge extends Data.TaggedError("ContentTooLarge")<{
  readonly of: "file" | "account"
  /** The most bytes that are kept. */
  readonly mostBytes: number
}> {}

/** There is no video yet, or never will be. */
export class NotCompleted extends Data.TaggedError("NotCompleted")<{
  readonly status: Exclude<VideoStatus, "completed">
}> {}

/** There was a video, and it is no longer handed out. */
export class ContentGone extends Data.TaggedError("ContentGone")<{}> {}

/** The video has not the bytes that were asked for. */
export class NoSuchStretch extends Data.TaggedError("NoSuchStretch")<{
  /** How many it has; undefined when nobody says. */
  readonly total: number | undefined
}> {}

/** The provider did not hand out what it keeps. */
export class ContentUnavailable extends Data.TaggedError("ContentUnavailable")<{
  readonly provider: string
}> {}
