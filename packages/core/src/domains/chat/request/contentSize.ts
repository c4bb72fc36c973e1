/** The size of a chat's content: exact for reservations, approximate for plans. */
import type { PromptMedium } from "../../../engine/upstreams/ChatFacts.ts"
import { estimateTextTokens } from "../../../values/usage/TokenUsage.ts"

/** Counts images of any source, also in results of calls. */
export const countImages = (media: ReadonlyArray<PromptMedium>): number => {
  let images = 0
  for (const { type } of media) if (type === "image") images++
  return images
}

/** A typical image. Providers differ, but the estimate only decides which endpoints have room for the request. */
const tokensPerMedium = 1_000

/** The bytes in the JSON of a medium around its address or its data. */
const bytesAround = 30

/** Estimated from the bytes of the whole request without its media, plus a constant for each of those. */
export const estimatePromptTokens = (
  media: ReadonlyArray<PromptMedium>,
  requestBytes: number
): number => {
  let mediaBytes = 0
  for (const { length } of media) mediaBytes += length + bytesAround
  return estimateTextTokens(Math.max(0, requestBytes - mediaBytes)) + media.length * tokensPerMedium
}
