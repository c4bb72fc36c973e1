/** The maximum tokens of a request for images. */
import { countUtf8Bytes } from "../../../values/json/JsonCost.ts"
import type { TokenUsage } from "../../../values/usage/TokenUsage.ts"
import type { ImageCall } from "../ImageCapability.ts"

/** What bounds the tokens of images. */
export interface ImageTokenLimits {
  /** The most input tokens of one reference. */
  readonly maxImageTokens: number
  /** The most output tokens of one image, unless the endpoint says how many an answer has. */
  readonly maxOutputTokens: number
}

/** A token has at least one byte of text. */
export const estimateImageWorstCase = (
  call: Pick<ImageCall, "mask" | "maxOutputTokens" | "n" | "prompt" | "references">,
  { maxImageTokens, maxOutputTokens }: ImageTokenLimits
): TokenUsage => {
  const seen = call.references.length + (call.mask === undefined ? 0 : 1)
  const imageTokens = seen * maxImageTokens
  const outputTokens = call.n * (call.maxOutputTokens ?? maxOutputTokens)
  return {
    inputTokens: countUtf8Bytes(call.prompt) + overheadTokens + imageTokens,
    outputTokens,
    imageTokens,
    imageOutputTokens: outputTokens
  }
}

/** Room for an unknown prompt of the model. */
const overheadTokens = 512
