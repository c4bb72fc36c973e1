/** Whether a provider that may have a job already may be asked for it again. */
import type { VideoCapability } from "../../upstreams/VideoCapability.ts"
import type { VideoJob } from "../VideoJob.ts"

/** As often as need be where keys make one job of it, else once, and not at all if nobody wants it any more. */
export const canResubmit = (
  { cancelRequested, submittedTwice }: Pick<VideoJob, "cancelRequested" | "submittedTwice">,
  capability: Pick<VideoCapability, "supportsIdempotencyKey"> | undefined
): boolean => capability?.supportsIdempotencyKey === true || !(cancelRequested || submittedTwice)
