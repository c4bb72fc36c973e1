/** Converts a job to the call of an upstream. */
import type * as Redacted from "effect/Redacted"
import type { Endpoint } from "../../../engine/catalog/endpoint/Endpoint.ts"
import type { VideoCapabilities } from "../../../engine/catalog/model/VideoCapabilities.ts"
import type { VideoCall } from "../../../engine/upstreams/VideoCapability.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import type { VideoJob } from "../VideoJob.ts"
import { hasAudio, type VideoRequest } from "../request/VideoRequest.ts"
import { knownResolutions } from "../request/resolveDimensions.ts"

/** The fields of a job that a call needs. */
export type VideoCallInput = Pick<
  VideoJob,
  "continued" | "continues" | "dimensions" | "id" | "request"
>

interface VideoCallTarget {
  readonly endpoint: Pick<Endpoint, "provider" | "upstreamModel"> &
    Partial<Pick<Endpoint, "videoPrice">>
  /** Undefined when unknown. */
  readonly capabilities: VideoCapabilities | undefined
  readonly credential?: Redacted.Redacted | undefined
}

/** `user`, `session_id` and `trace` are not sent upstream. */
export const toVideoCall = (
  wanted: VideoCallInput,
  { capabilities, credential, endpoint }: VideoCallTarget
): VideoCall => {
  const { continues: previousUpstreamId, dimensions, id, request } = wanted
  const defaults = resolveDefaults(wanted, endpoint, capabilities)
  const defaulted = Object.keys(defaults)
  return {
    model: endpoint.upstreamModel,
    idempotencyKey: id,
    ...dimensions,
    ...defaults,
    ...(defaulted.length === 0 ? undefined : { defaulted }),
    generateAudio: hasAudio(request, capabilities),
    ...omitUndefined({
      prompt: request.prompt,
      duration: request.duration ?? defaults.duration,
      seed: request.seed,
      frameImages: request.frame_images?.map(toFrameImage),
      inputReferences: request.input_references?.map(toInputReference),
      previousUpstreamId,
      creativity: request.creativity,
      upscaleFactor: request.upscale_factor,
      options: selectProviderOptions(endpoint.provider, request, capabilities),
      credential
    })
  }
}

const toFrameImage = ({
  frame_type: frame,
  image_url: { url }
}: NonNullable<VideoRequest["frame_images"]>[number]) => ({ frame, url })

type Reference = NonNullable<VideoRequest["input_references"]>[number]

const toInputReference = (reference: Reference) => {
  switch (reference.type) {
    case "image_url":
      return { type: reference.type, url: reference.image_url.url }
    case "audio_url":
      return { type: reference.type, url: reference.audio_url.url }
    case "video_url":
      return { type: reference.type, url: reference.video_url.url }
  }
}

/** The provider's own entry; options outside `allowed_passthrough_parameters` are dropped. */
const selectProviderOptions = (
  provider: string,
  { provider: preferences }: VideoRequest,
  capabilities: VideoCapabilities | undefined
): VideoCall["options"] => {
  const options = preferences?.options ?? {}
  const own = Object.entries(options).find(
    ([slug]) => slug.toLowerCase() === provider.toLowerCase()
  )
  if (own === undefined || capabilities === undefined) return own?.[1]
  const allowed = new Set(capabilities.allowed_passthrough_parameters)
  const passed = Object.entries(own[1]).filter(([name]) => allowed.has(name))
  return passed.length === 0 ? undefined : Object.fromEntries(passed)
}

/**
 * Providers differ in their defaults: a video of Sora has 4 seconds, one of Veo 8. So the longest supported duration,
 * which is also what is reserved, and where the price depends on it, the lowest supported resolution. Videos that
 * continue another have its length and size.
 *
 * https://developers.openai.com/api/reference/resources/videos/methods/create
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation
 */
const resolveDefaults = (
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
