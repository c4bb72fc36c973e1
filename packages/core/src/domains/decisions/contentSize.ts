/** The size of a Decision's content: exact for reservations, approximate for plans. */
import * as Predicate from "effect/Predicate"
import { estimateMinBytes } from "../../values/json/JsonCost.ts"
import { JsonSize } from "../../values/json/JsonSize.ts"
import { estimateTextTokens } from "../../values/usage/TokenUsage.ts"
import type { DecisionRequest } from "./Decision.ts"

const isImage = (item: unknown): boolean =>
  Predicate.isObject(item) &&
  item["type"] === "image_url" &&
  Predicate.isObject(item["image_url"]) &&
  typeof item["image_url"]["url"] === "string"

/** The images of a `state`: items `{type: "image_url", image_url: {url}}` of its top-level array. */
export const hasImages = (state: unknown): boolean => Array.isArray(state) && state.some(isImage)

export const listImages = (state: unknown): ReadonlyArray<unknown> =>
  Array.isArray(state) ? state.filter(isImage) : []

/** UTF-8 bytes as they are sent. JSON is serialized again, because `1e20` becomes longer that way. */
export const measureContent = ({ questions, state }: DecisionRequest): JsonSize =>
  new JsonSize({ state, questions })

/** A typical image. Providers differ, but the estimate only decides which endpoints have room for the request. */
const tokensPerImage = 1_000

/** Estimated from the bytes of the whole request without its images, plus a constant for each of those. */
export const estimatePromptTokens = (request: DecisionRequest, requestBytes: number): number => {
  const images = listImages(request.state)
  const imageBytes = images.reduce((sum: number, image) => sum + estimateMinBytes(image), 0)
  const text = Math.max(0, requestBytes - imageBytes)
  return estimateTextTokens(text) + images.length * tokensPerImage
}
