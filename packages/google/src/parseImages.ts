/** Parses untrusted answers of Google's API that hold images. */
import { parseGeminiUsage } from "@signalbox/core/dialects"
import {
  findEmbeddedFailure,
  type ImageReply,
  type MadeImage,
  UpstreamFailure
} from "@signalbox/core/upstream"
import * as Result from "effect/Result"

/** Of Imagen. A prediction that was filtered has a reason in place of its bytes. */
export const parsePredictions = (json: unknown): Result.Result<ImageReply, UpstreamFailure> => {
  if (!isObject(json)) return failInvalid("the answer is not a JSON object")
  const inside = findEmbeddedFailure(json)
  if (inside !== undefined) return Result.fail(inside)
  if (json["predictions"] === undefined) {
    return Object.keys(json).length === 0
      ? failRefused("the provider filtered every image")
      : failInvalid("the answer holds no predictions")
  }
  const predictions = toObjects(json["predictions"])
  const images = predictions.flatMap((each) =>
    toImage(each["bytesBase64Encoded"], each["mimeType"])
  )
  if (images.length > 0) return Result.succeed({ images })
  const reason = predictions.map((each) => each["raiFilteredReason"]).find(isText)
  return reason === undefined ? failInvalid("the answer holds no image") : failRefused(reason)
}

/** Of Gemini. The last image is the answer: earlier ones are sketches. */
export const parseContent = (json: unknown): Result.Result<ImageReply, UpstreamFailure> => {
  if (!isObject(json)) return failInvalid("the answer is not a JSON object")
  const inside = findEmbeddedFailure(json)
  if (inside !== undefined) return Result.fail(inside)
  const [candidate] = toObjects(json["candidates"])
  const { modelVersion, promptFeedback, responseId } = json
  if (candidate === undefined) {
    return isObject(promptFeedback) && isText(promptFeedback["blockReason"])
      ? failRefused(promptFeedback["blockReason"])
      : failInvalid("the answer holds no candidate")
  }
  const { content, finishMessage, finishReason } = candidate
  const last = toObjects(isObject(content) ? content["parts"] : undefined)
    .flatMap(({ inlineData, thought }) =>
      isObject(inlineData) && thought !== true
        ? toImage(inlineData["data"], inlineData["mimeType"])
        : []
    )
    .at(-1)
  if (last === undefined) {
    return isText(finishReason) && refusals.test(finishReason)
      ? failRefused(isText(finishMessage) ? finishMessage : finishReason)
      : failInvalid("the answer holds no image")
  }
  const { usage } = parseGeminiUsage(json["usageMetadata"])
  return Result.succeed({
    images: [last],
    ...(usage === undefined ? undefined : { usage }),
    ...(isText(responseId) ? { id: responseId } : undefined),
    ...(isText(modelVersion) ? { model: modelVersion } : undefined)
  })
}

type Fields = Readonly<Record<string, unknown>>

/** https://ai.google.dev/api/generate-content#FinishReason */
const refusals = /SAFETY|PROHIBITED|RECITATION|BLOCKLIST|SPII/

const toImage = (base64: unknown, mediaType: unknown): ReadonlyArray<MadeImage> =>
  isText(base64) ? [{ base64, ...(isText(mediaType) ? { mediaType } : undefined) }] : []

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const toObjects = (value: unknown): ReadonlyArray<Fields> =>
  Array.isArray(value) ? value.filter(isObject) : []

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

const failInvalid = (detail: string): Result.Result<never, UpstreamFailure> =>
  Result.fail(new UpstreamFailure({ kind: "invalid_answer", detail }))

const failRefused = (detail: string): Result.Result<never, UpstreamFailure> =>
  Result.fail(new UpstreamFailure({ kind: "content_refused", detail: detail.slice(0, 1_000) }))
