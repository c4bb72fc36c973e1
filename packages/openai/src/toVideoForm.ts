/** Converts a video call to the form that OpenAI's client sends. */
import { type FormFile, UpstreamFailure, type VideoCall } from "@signalbox/core/upstream"
import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import { toVideoSize } from "./toVideoSize.ts"

export type VideoForm = Readonly<Record<string, string | FormFile>>

/**
 * The API has no seed, no choice of audio, and no references to audio and video, so these are omitted. Any other
 * parameter that it cannot express is an `unsupported_parameter`, because the video would not be the requested one.
 */
export const toVideoForm = (call: VideoCall): Result.Result<VideoForm, UpstreamFailure> => {
  if (call.creativity !== undefined) return failUnsupported("creativity")
  if (call.upscaleFactor !== undefined) return failUnsupported("upscale_factor")
  const size = toVideoSize(call)
  if (Result.isFailure(size)) return failUnsupported(size.failure)
  const image = toReference(call)
  if (Result.isFailure(image)) return Result.fail(image.failure)
  return Result.succeed({
    ...Object.fromEntries(
      Object.entries({ ...call.options, ...toPricedFields(call, size.success) }).map(
        ([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]
      )
    ),
    model: call.model,
    ...(call.prompt === undefined ? undefined : { prompt: call.prompt }),
    ...image.success
  })
}

/**
 * The fields that decide the price, as they are sent: the caller's fields, then the caller's options, then the default.
 */
export const toPricedFields = (
  { aspectRatio, defaulted = [], duration, options = {} }: VideoCall,
  size: string | undefined
): { readonly seconds?: unknown; readonly size?: unknown } => {
  const isDefaultSize = defaulted.includes("resolution") && aspectRatio === undefined
  const priced = {
    seconds: defaulted.includes("duration")
      ? (options["seconds"] ?? duration)
      : (duration ?? options["seconds"]),
    size: isDefaultSize ? (options["size"] ?? size) : (size ?? options["size"])
  }
  return Object.fromEntries(Object.entries(priced).filter(([, value]) => value !== undefined))
}

/** A continuation has the length and size of the video that it continues. */
export const toRemixBody = (call: VideoCall): Result.Result<object, UpstreamFailure> => {
  const images = call.inputReferences?.filter(({ type }) => type === "image_url")
  const given: Readonly<Record<string, unknown>> = {
    duration: call.duration,
    size: call.size,
    resolution: call.resolution,
    aspect_ratio: call.aspectRatio,
    frame_images: call.frameImages?.[0],
    input_references: images?.[0],
    creativity: call.creativity,
    upscale_factor: call.upscaleFactor
  }
  const unsupportedName = Object.keys(given).find((name) => given[name] !== undefined)
  return unsupportedName === undefined
    ? Result.succeed({ ...call.options, prompt: call.prompt })
    : failUnsupported(unsupportedName)
}

const failUnsupported = (parameter: string) =>
  Result.fail(
    new UpstreamFailure({
      kind: "unsupported_parameter",
      detail: `OpenAI's videos API has no counterpart of this ${parameter}`
    })
  )

/** The API accepts one image: the first frame, else a reference. */
const toReference = ({
  frameImages = [],
  inputReferences = []
}: VideoCall): Result.Result<VideoForm, UpstreamFailure> => {
  if (frameImages.some(({ frame }) => frame === "last_frame")) return failUnsupported("last_frame")
  const images = inputReferences.filter(({ type }) => type === "image_url")
  const [image, ...others] = frameImages.length > 0 ? frameImages : images
  if (image === undefined) return Result.succeed({})
  if (others.length > 0) return failUnsupported("a second image")
  if (!image.url.startsWith("data:")) {
    return Result.succeed({ "input_reference[image_url]": image.url })
  }
  const file = parseDataUrl(image.url)
  return file === undefined
    ? Result.fail(
        new UpstreamFailure({
          kind: "bad_request",
          detail: "an image is neither an address nor base64 of a JPEG, PNG or WebP"
        })
      )
    : Result.succeed({ input_reference: file })
}

const parseDataUrl = (dataUrl: string): FormFile | undefined => {
  const head = /^data:image\/(jpeg|png|webp);base64,/.exec(dataUrl)
  if (head === null) return undefined
  const bytes = Base64.decode(dataUrl.slice(head[0].length))
  return Result.isFailure(bytes)
    ? undefined
    : { name: `reference.${head[1]}`, contentType: `image/${head[1]}`, bytes: bytes.success }
}
