/** How large the content of a Decision is: exactly for reserving, roughly for planning. */
import type { DecisionRequest } from "./DecisionRequest.ts"
import { estimateMinBytes } from "../values/json/countJson.ts"
import { type JsonSize, makeJsonSize } from "../values/json/JsonSize.ts"
import { listImages } from "./images.ts"

/**
 * UTF-8 bytes of `state` and `questions` as they are sent on: written anew, because `1e20` comes out
 * longer than it came in. Only where spending is limited it is needed.
 */
export const measureContent = ({ questions, state }: DecisionRequest): JsonSize =>
  makeJsonSize({ state, questions })

/** What an image usually counts as. Providers differ: it only decides who has room for the request. */
const tokensPerImage = 1_000

/** English text has about four bytes a token. */
const bytesPerToken = 4

/** From the size of the whole request, unless images make up the most of it. */
export const estimatePromptTokens = (request: DecisionRequest, requestBytes: number): number => {
  const images = listImages(request.state)
  const imageBytes = images.reduce((sum: number, image) => sum + estimateMinBytes(image), 0)
  const text = Math.max(0, requestBytes - imageBytes)
  return Math.ceil(text / bytesPerToken) + images.length * tokensPerImage
}
