/** Makes images at Google: Imagen by `:predict`, Gemini by `:generateContent`. */
import { toGeminiFailure } from "@signalbox/core/dialects"
import {
  estimateImageWorstCase,
  findAspectRatio,
  findResolution,
  type ImageCall,
  type ImageCapability,
  loadImage,
  type LoadedImage,
  postJson,
  UpstreamFailure,
  type UpstreamRequest
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import { parseContent, parsePredictions } from "./parseImages.ts"

export interface GoogleImagesEndpoint extends Pick<
  UpstreamRequest,
  "apiKey" | "headers" | "keyHeader" | "signer"
> {
  /** The URL under which Gemini's models are. */
  readonly modelsUrl: string
  /** The URL under which Imagen's models are. Default: `modelsUrl`. */
  readonly imagenUrl?: string
  /** The most input tokens of one reference, for the reservation. */
  readonly maxImageTokens: number
}

/**
 * Models named `imagen-…` are asked by `:predict`, which takes no references; any other by `:generateContent`, which makes one
 * image. What the API cannot say is an `unsupported_parameter`, and nothing is sent.
 */
export const makeImageCapability = (endpoint: GoogleImagesEndpoint): ImageCapability => {
  const { apiKey, headers, keyHeader, maxImageTokens, modelsUrl, signer } = endpoint
  const { imagenUrl = modelsUrl } = endpoint
  const toRequest = (call: ImageCall, url: string, method: string) => ({
    url: `${url}/${encodeURIComponent(call.model)}:${method}`,
    apiKey: call.credential ?? apiKey,
    keyHeader,
    headers,
    signer: call.credential === undefined ? signer : undefined,
    toFailure: toGeminiFailure
  })
  const predict = (call: ImageCall) =>
    Effect.flatMap(Effect.fromResult(toPredictBody(call)), (body) =>
      postJson({ ...toRequest(call, imagenUrl, "predict"), body }, parsePredictions)
    )
  const generateContent = Effect.fnUntraced(function* (call: ImageCall) {
    const generationConfig = yield* Effect.fromResult(toGenerationConfig(call))
    const images = yield* Effect.forEach(call.references, loadImage)
    const parts = [{ text: call.prompt }, ...images.map(toPart)]
    const body = { contents: [{ role: "user", parts }], generationConfig }
    return yield* postJson({ ...toRequest(call, modelsUrl, "generateContent"), body }, parseContent)
  })
  return {
    generate: (call) => (isImagen(call.model) ? predict(call) : generateContent(call)),
    checksParameters: true,
    estimateWorstCase: (call) =>
      isImagen(call.model)
        ? { inputTokens: 0, outputTokens: 0 }
        : estimateImageWorstCase(call, { maxImageTokens, maxOutputTokens: mostTokens })
  }
}

/** Thoughts, texts and images of one answer: https://ai.google.dev/gemini-api/docs/image-generation. */
const mostTokens = 32_768

const isImagen = (model: string): boolean => model.startsWith("imagen")

/** https://ai.google.dev/gemini-api/docs/imagen#imagen-configuration */
const imagenRatios = ["1:1", "3:4", "4:3", "9:16", "16:9"]

/** https://ai.google.dev/gemini-api/docs/image-generation#aspect_ratios */
const geminiRatios = [
  ...imagenRatios,
  "2:3",
  "3:2",
  "4:5",
  "5:4",
  "21:9",
  "1:4",
  "4:1",
  "1:8",
  "8:1"
]

type Fields = Readonly<Record<string, unknown>>

/** Parameters that neither API has. */
const findUnsupported = ({ background, mask, quality }: ImageCall): string | undefined => {
  if (mask !== undefined) return "mask"
  if (background === "transparent") return "background"
  return quality === undefined || quality === "standard" ? undefined : "quality"
}

/** A size is sent as its ratio, and its resolution where that is not the usual one. */
const findRatio = (
  call: ImageCall,
  ratios: ReadonlyArray<string>
): Result.Result<string | undefined, UpstreamFailure> => {
  const ratio = findAspectRatio(call, ratios)
  if (ratio !== undefined) return Result.succeed(ratio)
  if (call.aspectRatio !== undefined) return failUnsupported(`aspect_ratio ${call.aspectRatio}`)
  return call.size === undefined ? Result.succeed(undefined) : failUnsupported(`size ${call.size}`)
}

/** Models without a choice of it make 1K. */
const findImageSize = ({ resolution, size }: ImageCall): string | undefined => {
  if (resolution !== undefined) return resolution.toUpperCase()
  const found = size === undefined ? undefined : findResolution(size)
  return found === "1K" ? undefined : found
}

const toPredictBody = (call: ImageCall): Result.Result<Fields, UpstreamFailure> => {
  const { n, outputCompression, outputFormat, parameters, prompt, references, seed } = call
  const unsupported =
    findUnsupported(call) ?? (references.length > 0 ? "input_references" : undefined)
  if (unsupported !== undefined) return failUnsupported(unsupported)
  if (n > 4) return failUnsupported("n above 4")
  if (outputFormat !== undefined && outputFormat !== "png" && outputFormat !== "jpeg") {
    return failUnsupported(`output_format ${outputFormat}`)
  }
  return Result.map(findRatio(call, imagenRatios), (aspectRatio) => ({
    instances: [{ prompt }],
    parameters: omitAbsent({
      ...parameters,
      sampleCount: n,
      aspectRatio,
      sampleImageSize: findImageSize(call),
      seed,
      outputOptions:
        outputFormat === undefined
          ? undefined
          : omitAbsent({
              mimeType: `image/${outputFormat}`,
              compressionQuality: outputCompression
            })
    })
  }))
}

const toGenerationConfig = (call: ImageCall): Result.Result<Fields, UpstreamFailure> => {
  const { n, outputCompression, outputFormat, parameters, seed } = call
  const unsupported =
    findUnsupported(call) ??
    (n > 1 ? "n above 1" : undefined) ??
    (outputFormat === undefined || outputFormat === "png" ? undefined : "output_format") ??
    (outputCompression === undefined ? undefined : "output_compression")
  if (unsupported !== undefined) return failUnsupported(unsupported)
  return Result.map(findRatio(call, geminiRatios), (aspectRatio) => {
    const imageConfig = omitAbsent({ aspectRatio, imageSize: findImageSize(call) })
    return omitAbsent({
      ...parameters,
      responseModalities: ["TEXT", "IMAGE"],
      imageConfig: Object.keys(imageConfig).length === 0 ? undefined : imageConfig,
      seed
    })
  })
}

const omitAbsent = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const toPart = ({ bytes, mediaType }: LoadedImage) => ({
  inlineData: { mimeType: mediaType, data: Base64.encode(bytes) }
})

const failUnsupported = (parameter: string): Result.Result<never, UpstreamFailure> =>
  Result.fail(
    new UpstreamFailure({
      kind: "unsupported_parameter",
      detail: `Google's API has no counterpart of this ${parameter}`
    })
  )
