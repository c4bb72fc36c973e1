/** The approximate size of inputs in tokens: for plans, and where a provider reports no usage. */
import { isMediaPart } from "../../../engine/outbound/findMediaProblem.ts"
import type { EmbeddingInput } from "../../../engine/upstreams/EmbeddingCapability.ts"
import { countUtf8Bytes } from "../../../values/json/countUtf8Bytes.ts"
import { estimateTextTokens } from "../../../values/usage/TokenUsage.ts"

/** A typical image. Providers differ, but the estimate only decides which endpoints have room for the request. */
const tokensPerMedium = 1_000

export const estimateInputTokens = (input: EmbeddingInput): number => {
  if (typeof input === "string") return estimateTextTokens(countUtf8Bytes(input))
  if (!("content" in input)) return input.length
  return input.content.reduce(
    (tokens, part) =>
      tokens +
      (typeof part["text"] === "string"
        ? estimateTextTokens(countUtf8Bytes(part["text"]))
        : isMediaPart(part)
          ? tokensPerMedium
          : 0),
    0
  )
}

export const countImages = (inputs: ReadonlyArray<EmbeddingInput>): number =>
  inputs.reduce(
    (images, input) =>
      typeof input === "object" && "content" in input
        ? images + input.content.filter(({ type }) => imageTypes.has(type)).length
        : images,
    0
  )

const imageTypes: ReadonlySet<unknown> = new Set(["image_url", "input_image"])
