/** Public prices hold at the address of a provider, and nowhere else. */
import { anthropic } from "@signalbox/anthropic"
import { bedrock } from "@signalbox/bedrock"
import type { Upstream } from "@signalbox/core/upstream"
import { google, vertex } from "@signalbox/google"
import {
  azureOpenai,
  cerebras,
  deepinfra,
  deepseek,
  fireworks,
  groq,
  mistral,
  moonshot,
  ollama,
  openai,
  together,
  xai
} from "@signalbox/openai"
import { openrouter } from "@signalbox/openrouter"
import { modelsDevPrices } from "@signalbox/prices"
import { assert, describe, it } from "vitest"

const apiKey = null
const baseUrl = "http://127.0.0.1:9/v1"
const token = null
const credentials = null

const listed: ReadonlyArray<readonly [string, Upstream]> = [
  ["openai", openai({ apiKey })],
  ["openai", openai({ apiKey, slug: "ours", baseUrl: "https://api.openai.com/v1/" })],
  ["anthropic", anthropic({ apiKey })],
  ["google", google({ apiKey })],
  ["google-vertex", vertex({ project: "my-project", location: "global", token })],
  ["amazon-bedrock", bedrock({ region: "us-east-1", credentials })],
  ["cerebras", cerebras({ apiKey })],
  ["deepinfra", deepinfra({ apiKey })],
  ["deepseek", deepseek({ apiKey })],
  ["fireworks-ai", fireworks({ apiKey })],
  ["groq", groq({ apiKey })],
  ["mistral", mistral({ apiKey })],
  ["moonshotai", moonshot({ apiKey })],
  ["togetherai", together({ apiKey })],
  ["xai", xai({ apiKey })]
]

const unlisted: ReadonlyArray<readonly [string, Upstream]> = [
  ["another server with OpenAI's API", openai({ baseUrl })],
  ["another server with Anthropic's API", anthropic({ baseUrl })],
  ["another server with Gemini's API", google({ baseUrl })],
  ["another address of Groq's API", groq({ baseUrl })],
  ["a region of Vertex", vertex({ project: "my-project", location: "us-central1", token })],
  ["a region of Bedrock with other prices", bedrock({ region: "eu-west-1", credentials })],
  ["a government region", bedrock({ region: "us-gov-west-1", credentials })],
  ["a resource of Azure, whose models are deployments", azureOpenai({ resource: "mine", apiKey })],
  ["an own Ollama", ollama()],
  ["OpenRouter, which lists its prices itself", openrouter({ apiKey })]
]

describe("public prices", () => {
  it.each(listed)("hold at %s", (id, { listedAs }) => {
    assert.strictEqual(listedAs, id)
    assert.isTrue(Object.hasOwn(modelsDevPrices.providers, id))
  })

  it.each(unlisted)("do not hold at %s", (_, { authors, listedAs, listParameters }) => {
    assert.deepStrictEqual([authors, listedAs, listParameters], [undefined, undefined, undefined])
  })
})

describe("the parameters of OpenAI's own models", () => {
  it.each([
    ["gpt-5-mini", "chat", ["reasoning_effort"], ["temperature"]],
    ["gpt-4.1", "chat", ["temperature", "stop"], ["reasoning_effort"]],
    ["gpt-4.1", "responses", ["temperature"], ["stop"]],
    ["text-embedding-3-small", "chat", ["dimensions"], ["temperature"]]
  ] as const)("of %s by the API %s", (model, api, supported, others) => {
    const parameters = openai({ apiKey, api }).listParameters?.(model) ?? []
    assert.deepStrictEqual(
      supported.map((name) => parameters.includes(name)),
      supported.map(() => true)
    )
    assert.deepStrictEqual(
      others.map((name) => parameters.includes(name)),
      others.map(() => false)
    )
  })

  it("are unknown of a model that nobody knows", () => {
    assert.isUndefined(openai({ apiKey }).listParameters?.("unheard-of"))
  })
})
