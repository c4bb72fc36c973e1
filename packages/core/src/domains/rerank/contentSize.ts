/** The approximate size of a rerank in tokens: for plans, and where a provider reports no usage. */
import type { RerankDocument } from "../../engine/upstreams/RerankCapability.ts"
import { countUtf8Bytes } from "../../values/json/countUtf8Bytes.ts"
import { estimateTextTokens } from "../../values/usage/TokenUsage.ts"

/** A typical image. Providers differ, but the estimate only decides which endpoints have room for the request. */
const tokensPerImage = 1_000

/** Estimates the query and one document, which a model reads together. */
export const estimatePairTokens = (
  queryTokens: number,
  { image, text = "" }: RerankDocument
): number =>
  queryTokens +
  estimateTextTokens(countUtf8Bytes(text)) +
  (image === undefined ? 0 : tokensPerImage)

export const countImages = (documents: ReadonlyArray<RerankDocument>): number =>
  documents.filter(({ image }) => image !== undefined).length
