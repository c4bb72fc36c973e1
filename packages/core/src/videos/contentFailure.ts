/** What it means that an upstream does not hand out a file of a completed job. */
import type { UpstreamFailure } from "../upstreams/UpstreamFailure.ts"
import { ContentGone, ContentUnavailable, NoSuchStretch } from "./VideoErrors.ts"
import type { VideoPlace } from "./VideoJob.ts"

export const contentFailure = (
  { status }: UpstreamFailure,
  { providerName }: Pick<VideoPlace, "providerName">
): ContentGone | ContentUnavailable | NoSuchStretch => {
  if (status === 404 || status === 410) return new ContentGone()
  return status === 416
    ? new NoSuchStretch({ total: undefined })
    : new ContentUnavailable({ provider: providerName })
}
