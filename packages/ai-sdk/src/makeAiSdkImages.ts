/** Images by the models of the AI SDK. */
import type { ImageModelV4, ImageModelV4File, SharedV4ProviderOptions } from "@ai-sdk/provider"
import {
  estimateImageWorstCase,
  type ImageCall,
  type ImageCapability,
  type ImageReply,
  type ImageTokenLimits,
  loadImage,
  Settings,
  UpstreamFailure
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import type { ImageModelOfCredential, ImageOptionsOf, ImageSource } from "./AiSdkModel.ts"
import { checkModel } from "./AiSdkModels.ts"
import { isObject } from "./isObject.ts"
import { runCode, runPromise, withTimeout } from "./runCode.ts"
import { WarningLog } from "./WarningLog.ts"

export interface AiSdkImageOptions {
  readonly slug: string
  readonly limits: ImageTokenLimits
  readonly withCredential: ImageModelOfCredential | undefined
  readonly imageOptions: ImageOptionsOf | undefined
}

/**
 * The AI SDK takes `size` or `aspectRatio`, `seed`, references and a mask. Anything else is an `unsupported_parameter` without
 * `imageOptions`, and the model is not called.
 */
export const makeAiSdkImages = (
  source: ImageSource,
  { imageOptions, limits, slug, withCredential }: AiSdkImageOptions
): ImageCapability => {
  const log = new WarningLog(slug)

  const getModel = ({ credential, model }: ImageCall): ImageModelV4 => {
    if (credential !== undefined && withCredential !== undefined) {
      return checkModel(withCredential(model, credential))
    }
    return typeof source === "function" ? checkModel(source(model)) : source
  }

  const generate = Effect.fnUntraced(function* (call: ImageCall) {
    const model = yield* runCode(() => getModel(call))
    const unsupported = imageOptions === undefined ? findUnsupported(call) : undefined
    if (unsupported !== undefined) {
      return yield* new UpstreamFailure({ kind: "unsupported_parameter", detail: unsupported })
    }
    const most = yield* runPromise(async () => findMaxImages(model), "connect")
    if (most !== undefined && call.n > most) {
      return yield* new UpstreamFailure({
        kind: "unsupported_parameter",
        detail: `n above ${most}`
      })
    }
    const providerOptions: SharedV4ProviderOptions = yield* runCode(
      () => imageOptions?.(call) ?? {}
    )
    const files = yield* Effect.forEach(call.references, toFile)
    const mask = call.mask === undefined ? undefined : yield* toFile(call.mask)
    const { bodyTimeoutMillis, headersTimeoutMillis } = yield* Settings
    const result = yield* withTimeout(
      runPromise(
        (abortSignal) =>
          model.doGenerate({
            prompt: call.prompt,
            n: call.n,
            // Safe: the core has checked both.
            size: call.size as `${number}x${number}` | undefined,
            aspectRatio: call.aspectRatio as `${number}:${number}` | undefined,
            seed: call.seed,
            files: files.length === 0 ? undefined : files,
            mask,
            providerOptions,
            abortSignal
          }),
        "headers"
      ),
      // The AI SDK does not say when the headers arrive.
      Math.max(headersTimeoutMillis, bodyTimeoutMillis)
    )
    const reply = yield* runCode(() => parseImages(result))
    yield* log.tellWarnings(call, result.warnings)
    return yield* Effect.fromResult(reply)
  })

  return {
    generate,
    estimateWorstCase: (call) => estimateImageWorstCase(call, limits),
    ...(withCredential === undefined ? { ignoresCredentials: true } : undefined)
  }
}

/** What the AI SDK cannot say; `imageOptions` of the host say the rest. */
const findUnsupported = (call: ImageCall): string | undefined => {
  const { background, outputCompression, outputFormat, parameters, quality, resolution } = call
  if (resolution !== undefined) return "resolution"
  if (quality !== undefined) return "quality"
  if (background !== undefined) return "background"
  if (outputFormat !== undefined) return "output_format"
  if (outputCompression !== undefined) return "output_compression"
  return Object.keys(parameters)[0]
}

const findMaxImages = async ({
  maxImagesPerCall: most,
  modelId
}: ImageModelV4): Promise<number | undefined> =>
  typeof most === "function" ? most({ modelId }) : most

const toFile = (address: string): Effect.Effect<ImageModelV4File, UpstreamFailure> =>
  Effect.map(loadImage(address), ({ bytes, mediaType }) => ({
    type: "file",
    mediaType,
    data: bytes
  }))

const parseImages = (result: unknown): Result.Result<ImageReply, UpstreamFailure> => {
  const { images, response, usage } = isObject(result) ? result : {}
  if (!Array.isArray(images)) return failInvalid("the answer holds no images")
  const files = images.map(toBase64)
  if (files.some((file) => file === undefined)) return failInvalid("an image holds no bytes")
  const tokens = isObject(usage) ? usage : {}
  const { inputTokens, outputTokens } = tokens
  const model = isObject(response) ? response["modelId"] : undefined
  return Result.succeed({
    images: files.flatMap((base64) => (base64 === undefined ? [] : { base64 })),
    ...(isCount(inputTokens) && isCount(outputTokens)
      ? { usage: { inputTokens, outputTokens } }
      : undefined),
    ...(typeof model === "string" && model !== "" && model.length <= 256 ? { model } : undefined)
  })
}

const toBase64 = (image: unknown): string | undefined => {
  if (typeof image === "string") return image
  return image instanceof Uint8Array ? Base64.encode(image) : undefined
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0

const failInvalid = (detail: string): Result.Result<never, UpstreamFailure> =>
  Result.fail(new UpstreamFailure({ kind: "invalid_answer", detail }))
