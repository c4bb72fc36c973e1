/** Sends the provider all fields that decide the price of a video, also those that the caller left out. */
import type { Endpoint } from "../../../engine/catalog/endpoint/Endpoint.ts"
import type { VideoCapabilities } from "../../../engine/catalog/model/VideoCapabilities.ts"
import type { VideoCall } from "../../../engine/upstreams/VideoCapability.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import { knownResolutions } from "../request/resolveDimensions.ts"
import type { VideoJob } from "../VideoJob.ts"

/**
 * Providers differ in their defaults: a video of Sora has 4 seconds, one of Veo 8. So the longest supported duration,
 * which is also what is reserved, and where the price depends on it, the lowest supported resolution. Videos that
 * continue another have its length and size.
 *
 * https://developers.openai.com/api/reference/resources/videos/methods/create
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation
 */
export const resolveDefaults = (
  { continues, dimensions, request }: Pick<VideoJob, "continues" | "dimensions" | "request">,
  { videoPrice }: Partial<Pick<Endpoint, "videoPrice">>,
  capabilities: VideoCapabilities | undefined
): Pick<VideoCall, "duration" | "resolution"> => {
  if (continues !== undefined) return {}
  const duration =
    request.duration === undefined ? findLongest(capabilities?.supported_durations) : undefined
  const skus = Object.keys(videoPrice ?? capabilities?.pricing_skus ?? {})
  const resolution =
    dimensions.resolution === undefined && dimensions.size === undefined
      ? findLowestPriced(skus, capabilities?.supported_resolutions)
      : undefined
  return omitUndefined({ duration, resolution })
}

export const findLongest = (
  durations: ReadonlyArray<number> | null | undefined
): number | undefined => (durations?.length ? Math.max(...durations) : undefined)

const findLowestPriced = (
  skus: ReadonlyArray<string>,
  supported: ReadonlyArray<string> | null | undefined
): string | undefined => {
  const priced = knownResolutions.filter((each) =>
    skus.some(
      (sku) =>
        sku.toLowerCase().replaceAll(/_with(?:out)?_audio|^(?:image|text)_to_video_/g, "") ===
        `duration_seconds_${each.toLowerCase()}`
    )
  )
  return priced.length === 0
    ? undefined
    : knownResolutions.find((each) => (supported ?? priced).includes(each))
}
