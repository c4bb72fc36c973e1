/** What it means that an upstream does not hand out a file of a completed job. */
import type { UpstreamFailure } from "../upstreams/UpstreamFailure.ts"
import { ContentGone, ContentUnavailable, NoSuchStretch } from "./VideoErrors.ts"
import type { VideoPlace } from "./VideoJob.ts"

export const contentFailure = (
  { status }: UpstreamFailure,
  { providerName }: Pick<VideoPlace, "providerName">
): ContentGone | ContentUnavailable | NoSuchStretch => {
  switch (status) {
    case 404:
    case 410:
      return new ContentGone()
    case 416:
      return new NoSuchStretch()
    default:
      return new ContentUnavailable({ provider: providerName })
  }
}
