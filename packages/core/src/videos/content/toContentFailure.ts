/** What it means that an upstream does not hand out a file of a completed job. */
import type { UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"
import { ContentGone, ContentUnavailable, RangeNotSatisfiable } from "../VideoErrors.ts"
import type { VideoAssignment } from "../VideoJob.ts"

export const toContentFailure = (
  { status }: UpstreamFailure,
  { providerName }: Pick<VideoAssignment, "providerName">
): ContentGone | ContentUnavailable | RangeNotSatisfiable => {
  if (status === 404 || status === 410) return new ContentGone()
  return status === 416
    ? new RangeNotSatisfiable({ total: undefined })
    : new ContentUnavailable({ provider: providerName })
}
