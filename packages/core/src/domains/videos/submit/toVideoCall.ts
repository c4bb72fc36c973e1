/** Converts a job to the call of an upstream. */
import type * as Redacted from "effect/Redacted"
import type { Endpoint } from "../../../engine/catalog/endpoint/Endpoint.ts"
import type { VideoCapabilities } from "../../../engine/catalog/model/VideoCapabilities.ts"
import type { VideoCall } from "../../../engine/upstreams/VideoCapability.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import { hasAudio } from "../request/hasAudio.ts"
import type { VideoJob } from "../VideoJob.ts"
import type { VideoRequest } from "../request/VideoRequest.ts"
import { resolveDefaults } from "./resolveDefaults.ts"

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
