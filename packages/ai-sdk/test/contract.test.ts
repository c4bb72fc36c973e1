import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import {
  chatUpstreamContract,
  embeddingUpstreamContract,
  imageUpstreamContract,
  upstreamContract
} from "@signalbox/testing/contracts"
import * as Redacted from "effect/Redacted"
import { fromAiSdk } from "../src/index.ts"

const provideAt = (url: string, apiKey: string) =>
  createOpenAICompatible({
    name: "scripted",
    baseURL: `${url}/v1`,
    apiKey,
    includeUsage: true,
    supportsStructuredOutputs: true
  })

chatUpstreamContract(
  "a provider of the AI SDK",
  (url) => fromAiSdk(provideAt(url, "sk-contract"), { slug: "scripted" }),
  { usesLibrary: true }
)
chatUpstreamContract(
  "a provider of the AI SDK with customers' credentials",
  (url) =>
    fromAiSdk(provideAt(url, "sk-contract"), {
      slug: "scripted",
      withCredential: (model, credential) => provideAt(url, Redacted.value(credential))(model)
    }),
  { usesLibrary: true }
)

for (const supportedParameters of [["structured_outputs"], []]) {
  upstreamContract(
    `a provider of the AI SDK supporting ${supportedParameters.join() || "nothing"}`,
    (url) => fromAiSdk(provideAt(url, "sk-contract"), { slug: "scripted" }),
    { supportedParameters }
  )
}

embeddingUpstreamContract(
  "a provider of the AI SDK",
  (url) => fromAiSdk(provideAt(url, "sk-contract"), { slug: "scripted" }),
  { usesLibrary: true }
)
embeddingUpstreamContract(
  "an embedding model of the AI SDK",
  (url) =>
    fromAiSdk(provideAt(url, "sk-contract").embeddingModel("contract-model"), { slug: "scripted" }),
  { usesLibrary: true }
)

imageUpstreamContract(
  "a provider of the AI SDK",
  (url) => fromAiSdk(provideAt(url, "sk-contract"), { slug: "scripted" }),
  { usesLibrary: true, reportsUsage: false }
)
imageUpstreamContract(
  "an image model of the AI SDK",
  (url) =>
    fromAiSdk(provideAt(url, "sk-contract").imageModel("contract-model"), { slug: "scripted" }),
  { usesLibrary: true, reportsUsage: false }
)
