import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import {
  chatUpstreamContract,
  embeddingUpstreamContract,
  imageUpstreamContract,
  upstreamContract,
  videoUpstreamContract
} from "@signalbox/testing/contracts"
import { google, vertex } from "../src/index.ts"

const at = (url: string) => google({ baseUrl: `${url}/v1beta`, apiKey: "sk-contract" })

upstreamContract("google reading logprobs", at, {
  supportedParameters: ["logprobs", "top_logprobs", "structured_outputs"]
})
upstreamContract("google stating probabilities", at, {
  supportedParameters: ["structured_outputs"]
})
upstreamContract("google choosing", at, { supportedParameters: [] })
upstreamContract("google with unknown parameters", at)

const gemini = { dialect: "gemini", keyHeader: "x-goog-api-key" } as const
chatUpstreamContract("google", at, gemini)
chatUpstreamContract("google over undici", at, { ...gemini, client: NodeHttpClient.layerUndici })

const onVertex = (url: string) =>
  vertex({
    project: "my-project",
    location: "us-central1",
    token: () => "a-token-of-google",
    baseUrl: url,
    storageUrl: url,
    videoStorage: "gs://contract/videos"
  })
const claude = { dialect: "messages", model: "claude-opus-4-8@20260301" } as const
upstreamContract("vertex with Claude", onVertex, { model: claude.model })
chatUpstreamContract("vertex with Claude", onVertex, claude)
chatUpstreamContract("vertex with Claude over undici", onVertex, {
  ...claude,
  client: NodeHttpClient.layerUndici
})
upstreamContract("vertex with Gemini", onVertex, { model: "gemini-3-flash" })
chatUpstreamContract("vertex with Gemini over undici", onVertex, {
  dialect: "gemini",
  model: "gemini-3-flash",
  client: NodeHttpClient.layerUndici
})

const veo = { dialect: "operations" } as const
videoUpstreamContract("vertex", onVertex, veo)
videoUpstreamContract("vertex over undici", onVertex, {
  ...veo,
  client: NodeHttpClient.layerUndici
})

const embeddings = { dialect: "google", keyHeader: "x-goog-api-key" } as const
embeddingUpstreamContract("google", at, embeddings)
embeddingUpstreamContract("google over undici", at, {
  ...embeddings,
  client: NodeHttpClient.layerUndici
})

imageUpstreamContract("Gemini by google", at, {
  keyHeader: "x-goog-api-key",
  model: "gemini-3-pro-image",
  maxImages: 1
})
imageUpstreamContract("Imagen by google", at, {
  keyHeader: "x-goog-api-key",
  model: "imagen-4.0-generate-001",
  maxImages: 4,
  reportsUsage: false,
  takesReferences: false
})
imageUpstreamContract("Gemini by vertex", onVertex, { model: "gemini-3-pro-image", maxImages: 1 })
imageUpstreamContract("Imagen by vertex", onVertex, {
  model: "imagen-4.0-generate-001",
  maxImages: 4,
  reportsUsage: false,
  takesReferences: false
})
