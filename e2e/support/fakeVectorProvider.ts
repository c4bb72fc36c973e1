/** A provider that makes embeddings and reranks, and the model that does both. */
import type { ModelConfig } from "@signalbox/core"
import type { Upstream } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"

const usage = { inputTokens: 3, outputTokens: 0 }
const estimateWorstCase = () => ({ inputTokens: 1_000, outputTokens: 0 })

export const fakeVectorProvider: Upstream = {
  slug: "vectors",
  name: "Vectors",
  embeddings: {
    embed: ({ inputs }) =>
      Effect.succeed({ vectors: inputs.map((_, index) => ({ index, vector: [index, 1] })), usage }),
    estimateWorstCase
  },
  rerank: {
    rerank: ({ documents }) =>
      Effect.succeed({ results: documents.map((_, index) => ({ index, score: -index })), usage }),
    estimateWorstCase
  }
}

export const vectorModel: ModelConfig = {
  id: "proof/vectors",
  endpoints: [
    { provider: "vectors", price: { prompt: "0", completion: "0" }, contextLength: 8_192 }
  ]
}
