import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import {
  chatUpstreamContract,
  embeddingUpstreamContract,
  imageUpstreamContract,
  rerankUpstreamContract,
  upstreamContract,
  videoUpstreamContract
} from "@signalbox/testing/contracts"
import { azureOpenai, openai, rerank, vllm } from "../src/index.ts"

const at = (url: string) => openai({ baseUrl: `${url}/v1`, apiKey: "sk-contract" })

upstreamContract("openai reading logprobs", at, {
  supportedParameters: ["logprobs", "top_logprobs", "structured_outputs"]
})
upstreamContract("openai stating probabilities", at, {
  supportedParameters: ["structured_outputs"]
})
upstreamContract("openai choosing", at, { supportedParameters: [] })
upstreamContract("openai with unknown parameters", at)
chatUpstreamContract("openai", at)
chatUpstreamContract("openai over undici", at, { client: NodeHttpClient.layerUndici })
const atResponses = (url: string) =>
  openai({ baseUrl: `${url}/v1`, apiKey: "sk-contract", api: "responses" })
chatUpstreamContract("openai by the Responses API", atResponses, { dialect: "responses" })
chatUpstreamContract("openai by the Responses API over undici", atResponses, {
  client: NodeHttpClient.layerUndici,
  dialect: "responses"
})
upstreamContract("openai by the Responses API, stating probabilities", atResponses, {
  supportedParameters: ["structured_outputs"]
})
upstreamContract("openai by the Responses API, reading logprobs", atResponses, {
  supportedParameters: ["logprobs", "top_logprobs", "structured_outputs"]
})

const atAzure = (url: string) => azureOpenai({ baseUrl: `${url}/openai/v1`, apiKey: "sk-contract" })
chatUpstreamContract("azureOpenai", atAzure, { keyHeader: "api-key" })
chatUpstreamContract(
  "azureOpenai by the Responses API",
  (url) => azureOpenai({ baseUrl: `${url}/openai/v1`, apiKey: "sk-contract", api: "responses" }),
  { dialect: "responses", keyHeader: "api-key" }
)

videoUpstreamContract("openai", at)
videoUpstreamContract("openai over undici", at, { client: NodeHttpClient.layerUndici })
videoUpstreamContract("openai with idempotency keys", (url) =>
  openai({ baseUrl: `${url}/v1`, apiKey: "sk-contract", idempotencyHeader: "Idempotency-Key" })
)

embeddingUpstreamContract("openai", at)
embeddingUpstreamContract("openai over undici", at, { client: NodeHttpClient.layerUndici })
embeddingUpstreamContract("azureOpenai", atAzure, { keyHeader: "api-key" })
embeddingUpstreamContract("vllm", (url) => vllm({ baseUrl: `${url}/v1`, apiKey: "sk-contract" }))

const apiKey = "sk-contract"
rerankUpstreamContract(
  "rerank in the dialect of Cohere",
  (url) => rerank({ dialect: "cohere", baseUrl: `${url}/v2`, apiKey }),
  { bills: "units" }
)
rerankUpstreamContract(
  "rerank in the dialect of Cohere over undici",
  (url) => rerank({ dialect: "cohere", baseUrl: `${url}/v2`, apiKey }),
  { bills: "units", client: NodeHttpClient.layerUndici }
)
rerankUpstreamContract("rerank in the dialect of Jina", (url) =>
  rerank({ dialect: "jina", baseUrl: `${url}/v1`, apiKey })
)
rerankUpstreamContract("rerank in the dialect of Voyage", (url) =>
  rerank({ dialect: "voyage", baseUrl: `${url}/voyage/v1`, apiKey })
)

imageUpstreamContract("openai with a newer model", at, { model: "gpt-image-1", streams: true })
imageUpstreamContract("openai with a newer model over undici", at, {
  model: "gpt-image-1",
  streams: true,
  client: NodeHttpClient.layerUndici
})
imageUpstreamContract("openai with an older model", at, { model: "dall-e-3", maxImages: 1 })
imageUpstreamContract("openai with a model of another server", at)
