import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import {
  chatUpstreamContract,
  upstreamContract,
  videoUpstreamContract
} from "@signalbox/testing/contracts"
import { openai } from "../src/index.ts"

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
videoUpstreamContract("openai", at)
videoUpstreamContract("openai over undici", at, { client: NodeHttpClient.layerUndici })
videoUpstreamContract("openai with idempotency keys", (url) =>
  openai({ baseUrl: `${url}/v1`, apiKey: "sk-contract", idempotencyHeader: "Idempotency-Key" })
)
