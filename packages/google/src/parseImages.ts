/** Parses untrusted answers of Google's API that hold images. */
import {
  findEmbeddedFailure,
  type ImageReply,
  type MadeImage,
  type UpstreamFailure
} from "@signalbox/core/upstream"
import * as Result from "effect/Result"
import {
  failInvalid,
  failRefused,
  isObject,
  isText,
  readContent,
  toObjects
} from "./readContent.ts"

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
export const parseContent = (json: unknown): Result.Result<ImageReply, UpstreamFailure> =>
  Result.flatMap(readContent(json), ({ facts, parts, refusal }) => {
    const last = parts
      .flatMap(({ inlineData, thought }) =>
        isObject(inlineData) && thought !== true
          ? toImage(inlineData["data"], inlineData["mimeType"])
          : []
      )
      .at(-1)
    if (last !== undefined) return Result.succeed({ images: [last], ...facts })
    return refusal === undefined ? failInvalid("the answer holds no image") : failRefused(refusal)
  })

const toImage = (base64: unknown, mediaType: unknown): ReadonlyArray<MadeImage> =>
  isText(base64) ? [{ base64, ...(isText(mediaType) ? { mediaType } : undefined) }] : []
