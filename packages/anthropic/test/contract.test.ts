import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { chatUpstreamContract, upstreamContract } from "@signalbox/testing/contracts"
import { anthropic, parameterLists } from "../src/index.ts"

const at = (url: string) => anthropic({ baseUrl: url, apiKey: "sk-contract" })

const wire = { dialect: "messages", keyHeader: "x-api-key" } as const

upstreamContract("anthropic stating probabilities", at, {
  supportedParameters: parameterLists.claude
})
upstreamContract("anthropic choosing", at, { supportedParameters: ["max_tokens"] })
upstreamContract("anthropic with unknown parameters", at)
chatUpstreamContract("anthropic", at, wire)
chatUpstreamContract("anthropic over undici", at, { ...wire, client: NodeHttpClient.layerUndici })
chatUpstreamContract(
  "anthropic with another header of the key",
  (url) => anthropic({ baseUrl: `${url}/v1/`, apiKey: "sk-contract", keyHeader: "Authorization" }),
  { dialect: "messages" }
)
