/** The maximum usage of a rerank. */
import { countUtf8Bytes } from "../../../values/json/countUtf8Bytes.ts"
import type { TokenUsage } from "../../../values/usage/TokenUsage.ts"
import type { RerankCall } from "../RerankCapability.ts"

/** A token has at least one byte of text, and a model reads the query with each document. Search units are requests. */
export const estimateRerankWorstCase = (
  { documents, query }: Pick<RerankCall, "documents" | "query">,
  { maxImageTokens }: { readonly maxImageTokens: number }
): TokenUsage => {
  const queryTokens = countUtf8Bytes(query) + overheadTokens
  let inputTokens = 0
  let chunks = 0
  for (const { image, text = "" } of documents) {
    const tokens = queryTokens + countUtf8Bytes(text) + (image === undefined ? 0 : maxImageTokens)
    inputTokens += tokens
    chunks += Math.ceil(tokens / tokensPerChunk)
  }
  return { inputTokens, outputTokens: 0, requests: Math.ceil(chunks / chunksPerUnit) }
}

/** Marks that a model puts around the query and a document. */
const overheadTokens = 8

/** How Cohere counts search units: https://cohere.com/pricing. */
const tokensPerChunk = 500
const chunksPerUnit = 100
