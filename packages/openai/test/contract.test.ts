import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import {
  chatUpstreamContract,
  upstreamContract,
  videoUpstreamContract
} from "@signalbox/testing/contracts"
import { azureOpenai, openai } from "../src/index.ts"

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
