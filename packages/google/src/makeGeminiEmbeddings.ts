/** Embeddings by Google's API, one input or a batch by one request. */
import { toGeminiFailure } from "@signalbox/core/dialects"
import {
  type EmbeddingCall,
  type EmbeddingCapability,
  type EmbeddingTokenLimits,
  estimateEmbeddingWorstCase,
  postJson,
  type UpstreamRequest
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import { parseGeminiEmbeddings } from "./parseGeminiEmbeddings.ts"
import { writeGeminiEmbeddings } from "./writeGeminiEmbeddings.ts"

export interface GeminiEmbeddingEndpoint
  extends Pick<UpstreamRequest, "apiKey" | "headers" | "keyHeader">, EmbeddingTokenLimits {
  /** The URL under which the models are, such as `https://generativelanguage.googleapis.com/v1beta/models`. */
  readonly modelsUrl: string
}

/**
 * One input is sent to `:embedContent`, several to `:batchEmbedContents`. What the API cannot say fails as an
 * `unsupported_parameter`, and nothing is sent.
 */
export const makeGeminiEmbeddings = (endpoint: GeminiEmbeddingEndpoint): EmbeddingCapability => {
  const { apiKey, headers, keyHeader, modelsUrl } = endpoint
  return {
    embed: (call: EmbeddingCall) =>
      Effect.flatMap(Effect.fromResult(writeGeminiEmbeddings(call)), (requests) => {
        const [first] = requests
        const isSingle = requests.length === 1
        const method = isSingle ? "embedContent" : "batchEmbedContents"
        const request = {
          url: `${modelsUrl}/${encodeURIComponent(call.model)}:${method}`,
          apiKey: call.credential ?? apiKey,
          keyHeader,
          headers,
          toFailure: toGeminiFailure,
          body: isSingle ? first : { requests }
        }
        return postJson(request, parseGeminiEmbeddings)
      }),
    maxInputs,
    checksParameters: true,
    estimateWorstCase: (call) => estimateEmbeddingWorstCase(call, endpoint)
  }
}

/** https://ai.google.dev/gemini-api/docs/embeddings */
const maxInputs = 100
