/** Servers whose URLs name the model, and that want a signature, as Vertex AI does. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { chatUpstreamContract } from "@signalbox/testing/contracts"
import { makeMessagesChat } from "../../../src/dialects/messages/makeMessagesChat.ts"
import type { Upstream } from "../../../src/engine/upstreams/Upstream.ts"

const at = (url: string): Upstream => ({
  slug: "cloud",
  name: "Cloud",
  chat: makeMessagesChat({
    apiKey: undefined,
    signer: () => ({ headers: { authorization: "Bearer of-the-signer" } }),
    bodyVersion: "vertex-2023-10-16",
    takesUrls: false,
    maxImageTokens: 10_000,
    getUrl: (model, isStreamed) =>
      `${url}/v1/publishers/anthropic/models/${encodeURIComponent(model)}:${isStreamed ? "streamRawPredict" : "rawPredict"}`
  })
})

chatUpstreamContract("a cloud with the Messages API", at, { dialect: "messages" })
chatUpstreamContract("a cloud with the Messages API over undici", at, {
  client: NodeHttpClient.layerUndici,
  dialect: "messages"
})
