/** Stores video jobs until the retention after their end. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../../values/ids/Ids.ts"
import type { OffsetRequest, OffsetPage } from "../../values/pages/OffsetPage.ts"
import type { VideoJobId } from "./VideoJobId.ts"
import type { ContentTooLarge, TooManyActiveJobs, VideoStatus } from "./VideoStatus.ts"
import type { VideoJob } from "./VideoJob.ts"

/** Selects jobs of an account. */
export interface VideoFilter {
  readonly workspace?: string
  readonly status?: VideoStatus
}

/** A claim of due jobs. */
export interface VideoClaim {
  /** Milliseconds since the epoch; jobs due at or before it are claimed. */
  readonly now: number
  /** When claimed jobs are due again, in milliseconds since the epoch. */
  readonly until: number
  readonly limit: number
}

/** Stores video jobs, one row each. */
export class VideoStore extends Context.Service<
  VideoStore,
  {
    /**
     * Race: of concurrent jobs with one `idempotency.key`, one is stored, and all callers get that one. An account
     * never has more than `limit` active jobs, even when adds are concurrent. Ids are never reused.
     */
    readonly add: (job: VideoJob, limit: number) => Effect.Effect<VideoJob, TooManyActiveJobs>
    readonly find: (id: VideoJobId) => Effect.Effect<VideoJob | undefined>
    /** The job with this `idempotency.key`. */
    readonly findByIdempotencyKey: (key: string) => Effect.Effect<VideoJob | undefined>
    /** Race: returns false and changes nothing unless the stored version is `version`. */
    readonly replace: (version: number, after: VideoJob) => Effect.Effect<boolean>
    /**
     * Replaces a job by one with more `contentBytes`. Race: returns false and changes nothing unless the stored
     * version is `version`; the sum of `contentBytes` of an account never exceeds `maxBytes`.
     */
    readonly reserveContent: (
      version: number,
      after: VideoJob,
      maxBytes: number
    ) => Effect.Effect<boolean, ContentTooLarge>
    /**
     * Claims due jobs, the longest due first: sets when they are due again, and increments their versions. Race:
     * a job is claimed by one of several concurrent claims.
     */
    readonly claim: (claim: VideoClaim) => Effect.Effect<ReadonlyArray<VideoJob>>
    /**
     * Sets when a claimed job is due again, without incrementing its version. Race: returns false and changes
     * nothing unless the stored version is `version`.
     */
    readonly reschedule: (id: VideoJobId, version: number, dueAt: number) => Effect.Effect<boolean>
    /** The latest first, without inline media. */
    readonly list: (
      account: AccountId,
      filter: VideoFilter,
      page: OffsetRequest
    ) => Effect.Effect<OffsetPage<VideoJob>>
    /** Deletes jobs that ended before this time, in milliseconds since the epoch. */
    readonly purgeEnded: (before: number) => Effect.Effect<void>
  }
>()("@signalbox/core/domains/videos/VideoStore") {}
