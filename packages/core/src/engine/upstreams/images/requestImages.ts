/** Requests images in the form of OpenAI's images API, which OpenRouter's resembles. */
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Result from "effect/Result"
import { isObject, toList } from "../../../values/json/guards.ts"
import * as Step from "../../../values/Step.ts"
import type { TokenUsage } from "../../../values/usage/TokenUsage.ts"
import { parseCount } from "../../../values/usage/TokenUsage.ts"
import { findEmbeddedFailure } from "../failures/findEmbeddedFailure.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import type { ImageCall, ImageProgress, ImageReply, MadeImage } from "../ImageCapability.ts"
import type { CostParser } from "../openaiChat/parseChatUsage.ts"
import {
  type FormRequest,
  type JsonRequest,
  postForm,
  postJson
} from "../transport/jsonRequests.ts"
import { streamEvents } from "../transport/streamEvents.ts"

/** How the answers are read. */
export interface ImageAnswerOptions {
  /** Reads the cost of a call from the `usage` of its answer; absent: the upstream reports no trusted cost. */
  readonly parseCost?: CostParser | undefined
}

/** Posts a request for whole images, or with `onProgress` of the call for a stream; its body says which of them. */
export const requestImages = (
  request: FormRequest | JsonRequest,
  { onProgress }: Pick<ImageCall, "onProgress">,
  options: ImageAnswerOptions = {}
): Effect.Effect<ImageReply, UpstreamFailure, HttpClient.HttpClient> =>
  onProgress !== undefined
    ? streamImages(request, onProgress, options)
    : "form" in request
      ? Step.flatMap(postForm(request), (json) => Effect.fromResult(parseImageReply(json, options)))
      : postJson(request, (json) => parseImageReply(json, options))

/** Parses an untrusted answer: `data` with `b64_json`, and a `usage` with the names of chats or of responses. */
export const parseImageReply = (
  json: unknown,
  { parseCost }: ImageAnswerOptions = {}
): Result.Result<ImageReply, UpstreamFailure> => {
  if (!isObject(json)) return failInvalid("the answer is not a JSON object")
  const inside = findEmbeddedFailure(json)
  if (inside !== undefined) return Result.fail(inside)
  const { data, id, model } = json
  if (!Array.isArray(data)) return failInvalid("the answer holds no images")
  const images: Array<MadeImage> = []
  for (const [index, each] of toList(data).entries()) {
    const image = isObject(each) ? parseImage(each, json) : undefined
    if (image === undefined) return failInvalid(`image ${index} is not in base64`)
    images.push(image)
  }
  return Result.succeed({
    images,
    ...parseUsage(json, parseCost),
    ...(isShortText(id) ? { id } : undefined),
    ...(isShortText(model) ? { model } : undefined)
  })
}

type Json = Readonly<Record<string, unknown>>

const parseImage = (image: Json, { output_format: format }: Json): MadeImage | undefined => {
  const { b64_json: base64, media_type: mediaType } = image
  if (typeof base64 !== "string") return undefined
  if (isShortText(mediaType)) return { base64, mediaType }
  return isShortText(format) ? { base64, mediaType: `image/${format}` } : { base64 }
}

const parseUsage = (
  { quality, usage: told }: Json,
  parseCost: CostParser | undefined
): Pick<ImageReply, "cost" | "quality" | "usage"> => {
  const usage = isObject(told) ? told : {}
  const inputTokens = parseCount(usage["input_tokens"] ?? usage["prompt_tokens"])
  const outputTokens = parseCount(usage["output_tokens"] ?? usage["completion_tokens"])
  const read = usage["input_tokens_details"] ?? usage["prompt_tokens_details"]
  const written = usage["output_tokens_details"] ?? usage["completion_tokens_details"]
  const imageTokens = isObject(read) ? parseCount(read["image_tokens"]) : undefined
  const imageOutputTokens = isObject(written) ? parseCount(written["image_tokens"]) : undefined
  const cost = parseCost?.(usage)
  const tokens: TokenUsage | undefined =
    inputTokens === undefined || outputTokens === undefined
      ? undefined
      : {
          inputTokens,
          outputTokens,
          ...(imageTokens === undefined ? undefined : { imageTokens }),
          ...(imageOutputTokens === undefined ? undefined : { imageOutputTokens })
        }
  return {
    ...(tokens === undefined ? undefined : { usage: tokens }),
    ...(cost === undefined ? undefined : { cost }),
    ...(isShortText(quality) ? { quality } : undefined)
  }
}

/** The events of one image carry what the fields of a whole answer do. A stream without an image has broken off. */
const streamImages = (
  request: FormRequest | JsonRequest,
  onProgress: (progress: ImageProgress) => void,
  options: ImageAnswerOptions
): Effect.Effect<ImageReply, UpstreamFailure, HttpClient.HttpClient> =>
  Effect.suspend(() => {
    const images: Array<MadeImage> = []
    const report: Omit<ImageReply, "images"> = {}
    const events = streamEvents<Json>({
      ...request,
      reader: () => ({ read: (json) => findFailure(json) ?? json, done: () => undefined })
    })
    const receive = (arrived: ReadonlyArray<Json>): Effect.Effect<void> => {
      for (const event of arrived) {
        const type = String(event["type"])
        if (type.endsWith(".completed")) {
          const image = parseImage(event, event)
          if (image !== undefined) images.push(image)
          Object.assign(report, parseUsage(event, options.parseCost))
        } else {
          const progress = parseProgress(type, event)
          if (progress !== undefined) onProgress(progress)
        }
      }
      return Effect.void
    }
    return Effect.flatMap(events.run(receive), () =>
      images.length === 0
        ? Effect.fromResult(failInvalid("the stream ended without an image"))
        : Effect.succeed({ images, ...report })
    )
  })

/** Both APIs name an error by the type of its event. */
const findFailure = (event: Json): UpstreamFailure | undefined =>
  event["type"] === "error" && !isObject(event["error"])
    ? findEmbeddedFailure({ error: { ...event } })
    : undefined

const parseProgress = (type: string, event: Json): ImageProgress | undefined => {
  const { b64_json: base64, partial_image_index: index, phase, text } = event
  if (type.endsWith(".partial_image")) {
    return typeof base64 === "string"
      ? { type: "preview", index: parseCount(index) ?? 0, base64 }
      : undefined
  }
  if (!type.endsWith(".text_chunk") || typeof text !== "string" || text === "") return undefined
  return { type: "text", text, phase: phase === "reasoning" ? "reasoning" : "content" }
}

/** Bounded, because it is shown to callers and stored. */
const isShortText = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= 256

const failInvalid = (detail: string): Result.Result<never, UpstreamFailure> =>
  Result.fail(new UpstreamFailure({ kind: "invalid_answer", detail }))
