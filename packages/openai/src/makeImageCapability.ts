/** Makes images at a server with OpenAI's images API. */
import {
  estimateImageWorstCase,
  findPixelSize,
  type FormFile,
  type ImageCall,
  type ImageCapability,
  type LoadedImage,
  loadImage,
  requestImages,
  UpstreamFailure
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

export interface ImagesEndpoint {
  /** The URL under which `/images/generations` and `/images/edits` are. */
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
  /** The most input tokens of one reference, for the reservation. */
  readonly maxImageTokens: number
}

/**
 * Images are made by one request of JSON to `/images/generations`, with references by one form to `/images/edits`. What the
 * API cannot say is an `unsupported_parameter`, and nothing is sent.
 */
export const makeImageCapability = (endpoint: ImagesEndpoint): ImageCapability => {
  const { apiKey, baseUrl, headers, maxImageTokens } = endpoint
  const toRequest = ({ credential }: ImageCall, path: string) => ({
    url: `${baseUrl}/images/${path}`,
    apiKey: credential ?? apiKey,
    headers
  })
  const generate = (call: ImageCall) =>
    Effect.flatMap(Effect.fromResult(toFields(call)), (body) =>
      requestImages({ ...toRequest(call, "generations"), body }, call)
    )
  const edit = Effect.fnUntraced(function* (call: ImageCall) {
    const fields = yield* Effect.fromResult(toFields(call))
    const images = yield* Effect.forEach(call.references, loadImage)
    const mask = call.mask === undefined ? undefined : yield* loadImage(call.mask)
    const texts = Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value)
    ])
    const form = {
      ...Object.fromEntries(texts),
      [images.length === 1 ? "image" : "image[]"]: images.map(toFile),
      ...(mask === undefined ? undefined : { mask: toFile(mask, 0) })
    }
    return yield* requestImages({ ...toRequest(call, "edits"), form }, call)
  })
  return {
    generate: (call) => (call.references.length === 0 ? generate(call) : edit(call)),
    streams: isGptImage,
    estimateWorstCase: (call) =>
      estimateImageWorstCase(call, {
        maxImageTokens,
        maxOutputTokens:
          findImageTokens(call.model) + previewTokens * (call.previews ?? mostPreviews)
      })
  }
}

/** Of one image at high quality, and of a preview: https://platform.openai.com/docs/guides/image-generation#cost-and-latency. */
const imageTokens = 6_240
const previewTokens = 100
/**
 * Of one image by `gpt-image-2` and later, whose sizes go to 3840x2160: 7,024 at 1024x1024 and 12,329 at 3584x2048
 * (https://community.openai.com/t/livestream-starting-now-chatgpt-images-2-0/1379464?page=2).
 */
const largeImageTokens = 16_000

const findImageTokens = (model: string): number =>
  isGptImage(model) && !/gpt-image-1(?!\d)/.test(model) ? largeImageTokens : imageTokens
const mostPreviews = 3

const toFile = ({ bytes, mediaType }: LoadedImage, index: number): FormFile => ({
  name: `image-${index}.${mediaType.slice("image/".length).replace("svg+xml", "svg")}`,
  contentType: mediaType,
  bytes
})

/** Models that always answer in base64, and refuse to be asked for it: https://platform.openai.com/docs/api-reference/images/create. */
const isGptImage = (model: string): boolean => /(?:^|\/)(?:gpt-image|chatgpt-image)/.test(model)

const isDallE = (model: string): boolean => /(?:^|\/)dall-e/.test(model)

/** The sizes of the models of OpenAI; other servers may take any. */
const listSizes = (model: string): ReadonlyArray<string> | undefined => {
  if (isGptImage(model)) return ["1024x1024", "1536x1024", "1024x1536"]
  if (/(?:^|\/)dall-e-3/.test(model)) return ["1024x1024", "1792x1024", "1024x1792"]
  return /(?:^|\/)dall-e-2/.test(model) ? ["256x256", "512x512", "1024x1024"] : undefined
}

type Fields = Readonly<Record<string, unknown>>

const toFields = (call: ImageCall): Result.Result<Fields, UpstreamFailure> => {
  const { background, model, n, outputCompression, outputFormat, quality, seed } = call
  const unsupported = findUnsupported(call)
  if (unsupported !== undefined) {
    const detail = `OpenAI's images API has no counterpart of this ${unsupported}`
    return Result.fail(new UpstreamFailure({ kind: "unsupported_parameter", detail }))
  }
  return Result.succeed({
    ...omitForeign(call),
    model,
    prompt: call.prompt,
    n,
    ...omitAbsent({
      size: findSize(call),
      quality: isGptImage(model) ? toQuality(quality) : quality,
      background,
      output_format: outputFormat,
      output_compression: outputCompression,
      seed
    }),
    ...(call.onProgress === undefined
      ? undefined
      : omitAbsent({ stream: true, partial_images: call.previews })),
    ...(isGptImage(model) ? undefined : { response_format: "b64_json" })
  })
}

const findUnsupported = (call: ImageCall): string | undefined => {
  const { aspectRatio, model, n, outputFormat, resolution, seed } = call
  if (isGptImage(model) || isDallE(model)) {
    if (seed !== undefined) return "seed"
    if (outputFormat === "svg") return "output_format svg"
    if (resolution !== undefined && resolution.toUpperCase() !== "1K") return "resolution"
    return n > 1 && /(?:^|\/)dall-e-3/.test(model) ? "n above 1" : undefined
  }
  if (call.size !== undefined) return undefined
  if (resolution !== undefined) return "resolution"
  return aspectRatio === undefined ? undefined : "aspect_ratio"
}

/** An unknown size is sent as it is, because newer models may have it. */
const findSize = (call: ImageCall): string | undefined => {
  const sizes = listSizes(call.model)
  return (sizes === undefined ? undefined : findPixelSize(call, sizes)) ?? call.size
}

/** What clients send to every model since it was a parameter of DALL·E 3; newer models refuse it. */
const omitForeign = ({ model, parameters }: ImageCall): Fields =>
  isGptImage(model)
    ? Object.fromEntries(Object.entries(parameters).filter(([name]) => name !== "style"))
    : parameters

/** The qualities of DALL·E in words of newer models. */
const toQuality = (quality: string | undefined): string | undefined => {
  if (quality === "standard") return undefined
  return quality === "hd" ? "high" : quality
}

const omitAbsent = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
