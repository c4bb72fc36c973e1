/** A provider of the AI SDK over an instance with two scripted providers; the first is tried first. */
import { signalboxProvider } from "@signalbox/ai-sdk"
import { GenerationId, type Options, AccountId } from "@signalbox/core"
import { GenerationStore } from "@signalbox/core/stores"
import { Signalbox } from "@signalbox/node"
import { openai, parameterLists, rerank } from "@signalbox/openai"
import { ScriptedUpstream } from "@signalbox/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { onTestFinished } from "vitest"

/** A prompt token of the first provider costs 1,000 nano-USD, an output token 2,000; at the second provider twice as much. */
const prices = {
  first: { prompt: "0.000001", completion: "0.000002" },
  second: { prompt: "0.000002", completion: "0.000004" }
} as const

const slugs = ["first", "second"] as const

const toCard = (output: string) => ({
  card: { architecture: { input_modalities: ["text"], output_modalities: [output] } }
})

// It warns of every setting that a provider does not take.
globalThis.AI_SDK_LOG_WARNINGS = false

export const startAiSdk = async (options: Partial<Options> = {}) => {
  const upstreams = {
    first: await ScriptedUpstream.start(),
    second: await ScriptedUpstream.start()
  }
  const endpoints = slugs.map((provider) => ({
    provider,
    price: prices[provider],
    contextLength: 100_000,
    supportedParameters: parameterLists.openai
  }))
  const instance = await Signalbox.make({
    upstreams: slugs.map((slug) => {
      const baseUrl = `${upstreams[slug].url}/v1`
      const apiKey = `sk-at-${slug}`
      return {
        ...openai({ slug, name: slug, baseUrl, apiKey }),
        rerank: rerank({ dialect: "jina", baseUrl, apiKey }).rerank!
      }
    }),
    models: [
      { id: "a/chat", endpoints },
      { id: "a/other", endpoints },
      { id: "a/embed", endpoints, ...toCard("embeddings") },
      { id: "a/rank", endpoints, ...toCard("rerank") },
      { id: "a/paint", endpoints, ...toCard("image") }
    ],
    ...options
  })
  onTestFinished(async () => {
    await instance.close()
    await upstreams.first.close()
    await upstreams.second.close()
  })
  return {
    instance,
    ai: signalboxProvider(instance),
    ...upstreams,
    findRecord: (id: unknown, account = "default") =>
      Effect.runPromise(
        Context.get(instance.context, GenerationStore).find(
          AccountId.make(account),
          GenerationId.make(String(id))
        )
      )
  }
}

/** Options of a call that tries the first provider first. */
export const firstFirst = { signalbox: { provider: { order: ["first", "second"] } } }
