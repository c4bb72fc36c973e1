import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { chatUpstreamContract, upstreamContract } from "@signalbox/testing/contracts"
import { bedrock } from "../src/index.ts"

const at = (url: string) =>
  bedrock({
    region: "us-east-1",
    credentials: { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret-key-of-aws" },
    baseUrl: url
  })

const claude = { dialect: "messages", model: "us.anthropic.claude-opus-4-8" } as const
const others = { client: NodeHttpClient.layerUndici, model: "openai.gpt-oss-120b" } as const

upstreamContract("bedrock with Claude", at, { model: claude.model })
upstreamContract("bedrock with other models", at, { model: others.model })
chatUpstreamContract("bedrock with Claude", at, claude)
chatUpstreamContract("bedrock with Claude over undici", at, {
  ...claude,
  client: NodeHttpClient.layerUndici
})
chatUpstreamContract("bedrock with other models over undici", at, others)
