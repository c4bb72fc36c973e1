import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { upstreamContract, videoUpstreamContract } from "@signalbox/testing/contracts"
import { openrouter } from "../src/index.ts"

upstreamContract("openrouter", (baseUrl) => openrouter({ baseUrl, apiKey: "sk-contract" }))
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
