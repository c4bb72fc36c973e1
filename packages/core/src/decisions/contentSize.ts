/** How large the content of a Decision is: exactly for reserving, roughly for planning. */
import type { DecisionRequest } from "./DecisionRequest.ts"
import { splitImages } from "./images.ts"

const encoder = new TextEncoder()

/**
 * UTF-8 bytes of `state` and `questions` as they are sent on: written anew, because `1e20` comes out
 * longer than it came in.
 */
const contentBytes = ({ questions, state }: DecisionRequest): number =>
  encoder.encode(JSON.stringify({ state, questions })).byteLength

/** The same, worked out when somebody asks, and once: only where spending is limited it is needed. */
export const lazyContentBytes = (request: DecisionRequest): (() => number) => {
  let bytes: number | undefined
  return () => (bytes ??= contentBytes(request))
}

/** What an image usually counts as. Providers differ: it only decides who has room for the request. */
const tokensPerImage = 1_000

/** English text has about four bytes a token. */
const bytesPerToken = 4

/** From the size of the whole request, unless images make up the most of it. */
export const estimatedTokens = (request: DecisionRequest, requestBytes: number): number => {
  const { images, rest } = splitImages(request.state)
  const text = images === 0 ? requestBytes : contentBytes({ ...request, state: rest })
  return Math.ceil(text / bytesPerToken) + images * tokensPerImage
}
