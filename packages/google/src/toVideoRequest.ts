/** Converts a video call to the request of Veo. */
import { UpstreamFailure, type VideoCall } from "@signalbox/core/upstream"
import * as Result from "effect/Result"

interface Image {
  readonly bytesBase64Encoded: string
  readonly mimeType: string
}

/**
 * A parameter that Veo cannot express is an `unsupported_parameter`, because the video would not be the requested one.
 * Images have to be `data:` addresses.
 */
export const toVideoRequest = (
  call: VideoCall,
  folder: string
): Result.Result<object, UpstreamFailure> =>
  Result.gen(function* () {
    const unsupported = findUnsupported(call)
    if (unsupported !== undefined) return yield* failUnsupported(unsupported)
    const { frameImages = [], inputReferences = [], generateAudio } = call
    const frames = new Map<string, Image>()
    for (const { frame, url } of frameImages) frames.set(frame, yield* toImage(url))
    const references: Array<object> = []
    for (const { url } of frameImages.length > 0 ? [] : inputReferences) {
      references.push({ image: yield* toImage(url), referenceType: "asset" })
    }
    return {
      instances: [
        // JSON omits undefined fields.
        {
          prompt: call.prompt,
          image: frames.get("first_frame"),
          lastFrame: frames.get("last_frame"),
          referenceImages: references.length === 0 ? undefined : references
        }
      ],
      parameters: {
        ...call.options,
        ...toPricedParameters(call),
        aspectRatio: call.aspectRatio ?? call.options?.["aspectRatio"],
        seed: call.seed ?? call.options?.["seed"],
        // Veo 2 is silent, and refuses requests with this field.
        generateAudio:
          generateAudio !== true && /^veo-2\b/.test(call.model) ? undefined : generateAudio,
        storageUri: folder
      }
    }
  })

/**
 * The parameters that decide the price, as they are sent: the caller's fields, then the caller's options, then the
 * default.
 */
export const toPricedParameters = ({
  defaulted = [],
  duration,
  options = {},
  resolution
}: VideoCall): { readonly durationSeconds: unknown; readonly resolution: unknown } => {
  const lines = resolution?.toLowerCase()
  return {
    durationSeconds: defaulted.includes("duration")
      ? (options["durationSeconds"] ?? duration)
      : (duration ?? options["durationSeconds"]),
    resolution: defaulted.includes("resolution")
      ? (options["resolution"] ?? lines)
      : (lines ?? options["resolution"])
  }
}

const findUnsupported = (call: VideoCall): string | undefined => {
  if (call.creativity !== undefined) return "creativity"
  if (call.upscaleFactor !== undefined) return "upscale_factor"
  if (call.previousUpstreamId !== undefined) return "previous_job_id"
  // The router says what a size means, if it is a usual one.
  const hasDimensions = call.resolution !== undefined && call.aspectRatio !== undefined
  if (call.size !== undefined && !hasDimensions) return "size"
  return call.inputReferences?.find(({ type }) => type !== "image_url")?.type
}

const toImage = (url: string): Result.Result<Image, UpstreamFailure> => {
  const [head, mimeType] = /^data:(image\/(?:jpeg|png|webp));base64,/.exec(url) ?? []
  return head === undefined || mimeType === undefined
    ? failUnsupported("image, which is no base64 of a JPEG, PNG or WebP")
    : Result.succeed({ bytesBase64Encoded: url.slice(head.length), mimeType })
}

const failUnsupported = (parameter: string) =>
  Result.fail(
    new UpstreamFailure({
      kind: "unsupported_parameter",
      detail: `Veo has no counterpart of this ${parameter}`
    })
  )
