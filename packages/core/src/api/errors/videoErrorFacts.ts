/** Errors of video jobs and their files. */
import type { ErrorTable } from "./ErrorFacts.ts"
import type {
  AllRateLimited,
  ContentGone,
  ContentUnavailable,
  NotCompleted,
  RangeNotSatisfiable,
  TooManyActiveJobs
} from "../../domains/videos/VideoErrors.ts"
import type { BlobFailed } from "../../domains/videos/content/BlobStore.ts"

type VideoError =
  | AllRateLimited
  | BlobFailed
  | ContentGone
  | ContentUnavailable
  | NotCompleted
  | RangeNotSatisfiable
  | TooManyActiveJobs

export const videoErrorFacts: ErrorTable<VideoError> = {
  AllRateLimited: ({ models, retryAfterMillis }) => ({
    status: 429,
    message: "All providers of the model have reached their rate limits",
    type: "rate_limit_exceeded",
    availability: { code: "capacity_exhausted", models },
    retryAfterMillis
  }),
  TooManyActiveJobs: ({ limit }) => ({
    status: 429,
    message: `The account has ${limit} video jobs that are not over, as many as it may have; wait until one has ended, or cancel one`,
    type: "rate_limit_exceeded",
    // About how often most providers are polled.
    retryAfterMillis: 10_000
  }),
  NotCompleted: ({ status }) => ({
    status: 409,
    message: `The video job is ${status}, not completed`,
    type: "not_completed",
    details: { status }
  }),
  ContentGone: () => ({
    status: 410,
    message: "The video is no longer available",
    type: "gone"
  }),
  RangeNotSatisfiable: ({ total }) => ({
    status: 416,
    message: "The video has not the bytes that were asked for",
    type: "range_not_satisfiable",
    ...(total === undefined ? undefined : { headers: { "content-range": `bytes */${total}` } })
  }),
  BlobFailed: () => ({
    status: 502,
    message: "The video cannot be read from where it is kept",
    type: "storage_unavailable"
  }),
  ContentUnavailable: ({ provider }) => ({
    status: 502,
    message: "The provider did not hand out the video",
    type: "provider_unavailable",
    availability: { code: "provider_unavailable", models: [] },
    details: { provider_name: provider }
  })
}
