/** Makes images at one endpoint. */
import type * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Result from "effect/Result"
import type { Endpoint } from "../../engine/catalog/endpoint/Endpoint.ts"
import { UpstreamFailure, withoutUsage } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import type {
  ImageCapability,
  ImageProgress,
  ImageReply,
  MadeImage
} from "../../engine/upstreams/ImageCapability.ts"
import { parsePixelSize } from "../../engine/upstreams/images/imageSize.ts"
import { ExternalContentClient } from "../../engine/upstreams/transport/ExternalContentClient.ts"
import { Settings, type SettingsShape } from "../../instance/Settings.ts"
import type { AttemptSuccess, RouteTarget, RouteWork } from "../../routing/RouteWork.ts"
import * as Step from "../../values/Step.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { isValidUsage, type TokenUsage } from "../../values/usage/TokenUsage.ts"
import { countAtMost, estimateUsage, findMaxPixels, toImageCall } from "./fitImages.ts"
import { isBase64, readImageFile } from "./imageFile.ts"
import type { ParsedImages } from "./parseImageRequest.ts"
import { computeImageCost, type ImageCounts, listPriceLines, selectLines } from "./priceImages.ts"

type Target = RouteTarget<ImageCapability>

/** A checked answer: every image has a media type where its file shows one. */
export interface CheckedImages {
  readonly images: ReadonlyArray<MadeImage>
  readonly reply: ImageReply
}

interface ImageWorkOptions {
  /** From `extendForImages`. */
  readonly settings: SettingsShape
  /** Fetches references for upstreams that take files only; undefined: they get none but `data:` addresses. */
  readonly references: HttpClient.HttpClient | undefined
}

/** `onProgress` receives what comes before the images; absent: it is not wanted. */
export const makeImageWork = (
  parsed: ParsedImages,
  { references, settings }: ImageWorkOptions,
  onProgress: ((progress: ImageProgress) => void) | undefined
): RouteWork<ImageCapability, CheckedImages, HttpClient.HttpClient> => ({
  getWorstCase: (target) => estimateUsage(parsed, target),
  leaseMillis: settings.imageTimeoutMillis + settings.reservationLeaseMillis,
  run: (target, { commit, reportChange: onChange }) => {
    const call = { ...toImageCall(parsed, target), onChange }
    let isOpen = false
    const report = (progress: ImageProgress): void => {
      isOpen ||= commit()
      if (isOpen) onProgress?.(progress)
    }
    const made = target.capability.generate(
      onProgress !== undefined && isStreaming(target.candidate.endpoint, target.capability)
        ? { ...call, onProgress: report }
        : call
    )
    // A failed generation costs nothing, even if the provider reports usage.
    const ran = Step.provideService(
      Step.provideService(made, Settings, settings),
      ExternalContentClient,
      references
    )
    const free = Step.mapError(ran, withoutUsage)
    return Step.flatMap(free, (reply) => Effect.fromResult(checkReply(parsed, target, reply)))
  }
})

/** Providers send nothing until the image is there, which takes minutes, and it is large. */
export const extendForImages = (settings: SettingsShape): SettingsShape => ({
  ...settings,
  headersTimeoutMillis: Math.max(settings.headersTimeoutMillis, settings.imageTimeoutMillis),
  bodyTimeoutMillis: Math.max(settings.bodyTimeoutMillis, settings.imageTimeoutMillis),
  maxUpstreamBodyBytes: Math.max(settings.maxUpstreamBodyBytes, settings.maxImageAnswerBytes)
})

/** Whether the endpoint sends previews or texts. */
export const isStreaming = (
  { images, upstreamModel }: Pick<Endpoint, "images" | "upstreamModel">,
  { streams = false }: Pick<ImageCapability, "streams">
): boolean =>
  (images?.streams ?? true) && (typeof streams === "function" ? streams(upstreamModel) : streams)

const checkReply = (
  parsed: ParsedImages,
  target: Target,
  reply: ImageReply
): Result.Result<AttemptSuccess<CheckedImages>, UpstreamFailure> => {
  const { images } = reply
  if (images.length === 0) return failInvalid("the answer holds no image")
  if (images.length > parsed.n) {
    return failInvalid(`the answer holds ${images.length} images instead of ${parsed.n}`)
  }
  const checked: Array<MadeImage> = []
  let pixels = 0
  for (const { base64, mediaType: told } of images) {
    if (!isBase64(base64)) return failInvalid("an image is not base64")
    const file = readImageFile(base64)
    const mediaType = file.mediaType ?? told
    checked.push({ base64, ...(mediaType === undefined ? undefined : { mediaType }) })
    pixels += countPixels(parsed, file.pixels)
  }
  const counts = { ...countAtMost(parsed), images: images.length, pixels }
  const usage = toUsage(target, parsed, reply, counts)
  const cost = reply.cost ?? computeCost(parsed, target, reply, usage, counts)
  return Result.succeed({
    value: { images: checked, reply },
    usage,
    ...(reply.usage === undefined && usage.outputTokens > 0
      ? { isEstimated: true as const }
      : undefined),
    ...(cost === undefined ? undefined : { cost }),
    ...(reply.model === undefined ? undefined : { model: reply.model })
  })
}

/** At most as many as were reserved, because the caller asked for no more. */
const countPixels = (
  { look }: ParsedImages,
  file: ReturnType<typeof readImageFile>["pixels"]
): number => {
  const pixels = file ?? (look.size === undefined ? usualImage : parsePixelSize(look.size))
  return pixels === undefined ? 0 : Math.min(pixels.width * pixels.height, findMaxPixels(look))
}

/** The size of an image whose file does not say one, such as a drawing of lines. */
const usualImage = { width: 1_024, height: 1_024 }

/** Tokens that are not reported count in full where they have a price. */
const toUsage = (
  target: Target,
  parsed: ParsedImages,
  reply: ImageReply,
  { images, pixels, references }: ImageCounts
): TokenUsage => {
  const tokens = isValidUsage(reply.usage)
    ? reply.usage
    : isPricedByToken(target)
      ? estimateUsage(parsed, target)
      : { inputTokens: parsed.inputTokens, outputTokens: 0 }
  return {
    ...tokens,
    requests: 1,
    outputImages: images,
    ...(pixels === undefined ? undefined : { outputPixels: pixels }),
    ...(references === 0 ? undefined : { images: references })
  }
}

const isPricedByToken = ({ candidate: { endpoint } }: Target): boolean =>
  listPriceLines(endpoint).some(({ unit }) => unit === "token")

/** Undefined where a price is unknown. At most what was reserved. */
const computeCost = (
  { look }: ParsedImages,
  { candidate }: Target,
  { quality }: ImageReply,
  usage: TokenUsage,
  counts: ImageCounts
): NanoUsd.NanoUsd | undefined => {
  const made = quality === undefined || look.quality !== undefined ? look : { ...look, quality }
  const usd: BigDecimal.BigDecimal | undefined = computeImageCost(
    selectLines(listPriceLines(candidate.endpoint), made, look),
    usage,
    counts
  )
  if (usd === undefined) return undefined
  const cost = NanoUsd.min(NanoUsd.fromUsd(usd), NanoUsd.maxAmount)
  const { request: most } = candidate.price
  return most === undefined ? cost : NanoUsd.min(cost, NanoUsd.fromUsd(most))
}

const failInvalid = (detail: string) =>
  Result.fail(new UpstreamFailure({ kind: "invalid_answer", detail }))
