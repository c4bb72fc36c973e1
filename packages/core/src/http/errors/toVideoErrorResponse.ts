/** What a caller is told when there is no video for it. Source: wire, errors of the operations of videos. */
import type { BlobFailed } from "../../videos/content/BlobStore.ts"
import type {
  AllRateLimited,
  ContentGone,
  ContentUnavailable,
  RangeNotSatisfiable,
  NotCompleted,
  TooManyActiveJobs
} from "../../videos/VideoErrors.ts"
import { toAvailabilityMetadata } from "./toAvailabilityMetadata.ts"
import { type ErrorResponse, toRetryAfterHeader } from "./ErrorResponse.ts"

export type VideoError =
  | BlobFailed
  | AllRateLimited
  | ContentGone
  | ContentUnavailable
  | RangeNotSatisfiable
  | NotCompleted
  | TooManyActiveJobs

export const toVideoErrorResponse = (error: VideoError): ErrorResponse => {
  switch (error._tag) {
    case "AllRateLimited":
      return {
        status: 429,
        message: "All providers of the model have reached their rate limits",
        metadata: toAvailabilityMetadata("rate_limit_exceeded", "capacity_exhausted", error.models),
        headers: toRetryAfterHeader(error.retryAfterMillis)
      }
    case "TooManyActiveJobs":
      return {
        status: 429,
        message: `The account has ${error.limit} video jobs that are not over, as many as it may have; wait until one has ended, or cancel one`,
        metadata: { error_type: "rate_limit_exceeded" },
        // About how often most providers are asked.
        headers: toRetryAfterHeader(10_000)
      }
    case "NotCompleted":
      return {
        status: 409,
        message: `The video job is ${error.status}, not completed`,
        metadata: { error_type: "not_completed", status: error.status }
      }
    case "ContentGone":
      return {
        status: 410,
        message: "The video is no longer available",
        metadata: { error_type: "gone" }
      }
    case "RangeNotSatisfiable":
      return {
        status: 416,
        message: "The video has not the bytes that were asked for",
        metadata: { error_type: "range_not_satisfiable" },
        ...(error.total === undefined
          ? undefined
          : { headers: { "content-range": `bytes */${error.total}` } })
      }
    case "BlobFailed":
      return {
        status: 502,
        message: "The video cannot be read from where it is kept",
        metadata: { error_type: "storage_unavailable" }
      }
    case "ContentUnavailable":
      return {
        status: 502,
        message: "The provider did not hand out the video",
        metadata: {
          ...toAvailabilityMetadata("provider_unavailable", "provider_unavailable", []),
          provider_name: error.provider
        }
      }
  }
}
