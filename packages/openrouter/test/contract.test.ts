import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import {
  chatUpstreamContract,
  embeddingUpstreamContract,
  imageUpstreamContract,
  rerankUpstreamContract,
  upstreamContract,
  videoUpstreamContract
} from "@signalbox/testing/contracts"
import { openrouter } from "../src/index.ts"

upstreamContract("openrouter", (baseUrl) => openrouter({ baseUrl, apiKey: "sk-contract" }))
chatUpstreamContract("openrouter", (baseUrl) => openrouter({ baseUrl, apiKey: "sk-contract" }), {
  reportsCost: true
})
chatUpstreamContract(
  "openrouter over undici",
  (baseUrl) => openrouter({ baseUrl, apiKey: "sk-contract" }),
  { reportsCost: true, client: NodeHttpClient.layerUndici }
)
videoUpstreamContract("openrouter", (baseUrl) => openrouter({ baseUrl, apiKey: "sk-contract" }), {
  states: ["cancelled", "expired"]
})
videoUpstreamContract(
  "openrouter over undici",
  (baseUrl) => openrouter({ baseUrl, apiKey: "sk-contract" }),
  {
    states: ["cancelled", "expired"],
    client: NodeHttpClient.layerUndici
  }
)
videoUpstreamContract("openrouter with idempotency keys", (baseUrl) =>
  openrouter({ baseUrl, apiKey: "sk-contract", idempotencyHeader: "Idempotency-Key" })
)

embeddingUpstreamContract(
  "openrouter",
  (baseUrl) => openrouter({ baseUrl, apiKey: "sk-contract" }),
  { reportsCost: true }
)
embeddingUpstreamContract(
  "openrouter over undici",
  (baseUrl) => openrouter({ baseUrl, apiKey: "sk-contract" }),
  { reportsCost: true, client: NodeHttpClient.layerUndici }
)
rerankUpstreamContract("openrouter", (baseUrl) => openrouter({ baseUrl, apiKey: "sk-contract" }), {
  bills: "both",
  reportsCost: true
})

imageUpstreamContract("openrouter", (baseUrl) => openrouter({ baseUrl, apiKey: "sk-contract" }), {
  reportsCost: true,
  streams: true
})
