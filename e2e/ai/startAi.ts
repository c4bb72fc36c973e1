/** Effect's AI services over an instance whose two providers play scripts; the first is tried first. */
import { anthropic } from "@signalbox/anthropic"
import { type CallerOptions, layer as instance, type Options, type Services } from "@signalbox/core"
import { Operations } from "@signalbox/core/adapter"
import {
  SignalboxDecisionModel,
  SignalboxEmbeddingModel,
  SignalboxLanguageModel
} from "@signalbox/core/ai"
import { platform } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { ScriptedUpstream } from "@signalbox/testing"
import type * as AiError from "effect/ai/AiError"
import type * as DecisionModel from "effect/ai/DecisionModel"
import type * as EmbeddingModel from "effect/ai/EmbeddingModel"
import type * as LanguageModel from "effect/ai/LanguageModel"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { onTestFinished } from "vitest"

type AiServices =
  | DecisionModel.DecisionModel
  | EmbeddingModel.EmbeddingModel
  | LanguageModel.LanguageModel
  | Services

/** USD a token. */
const price = { prompt: "0.001", completion: "0.002" }
const endpoints = [
  { provider: "first", price, contextLength: 8_192 },
  { provider: "second", price, contextLength: 8_192 }
]

/** What makes the first provider the first. */
const inOrder = { provider: { order: ["first", "second"] } }

export const startAi = async (options: Partial<Options> = {}) => {
  const first = await ScriptedUpstream.start()
  const second = await ScriptedUpstream.start()
  const services = instance({
    upstreams: [
      upstreamAt("first", first),
      upstreamAt("second", second),
      anthropic({ slug: "thinker", name: "thinker", baseUrl: first.url, apiKey: "sk-thinker" })
    ],
    models: [
      { id: "sea/pilot", endpoints },
      { id: "sea/thinker", endpoints: [{ provider: "thinker", price, contextLength: 8_192 }] },
      {
        id: "sea/chart",
        card: { architecture: { input_modalities: ["text"], output_modalities: ["embeddings"] } },
        endpoints
      }
    ],
    ...options
  })
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(
      SignalboxLanguageModel.layer({ model: "sea/pilot", config: inOrder }),
      SignalboxEmbeddingModel.layer({ model: "sea/chart", config: inOrder }),
      SignalboxDecisionModel.layer({ model: "sea/pilot", config: inOrder })
    ).pipe(Layer.provideMerge(Layer.provide(services, nodePlatform)))
  )
  onTestFinished(async () => {
    await runtime.dispose()
    await first.close()
    await second.close()
  })
  return {
    first,
    second,
    runtime,
    /** The record of a call, as its caller reads it. */
    readRecord: (id: string | undefined, options?: CallerOptions) =>
      runtime.runPromise(
        Operations.use(({ generations }) =>
          Effect.map(generations.get({ id: id ?? "" }, options), ({ data }) => data)
        )
      ),
    run: <A, E>(effect: Effect.Effect<A, E, AiServices>) => runtime.runPromise(effect)
  }
}

const upstreamAt = (slug: string, { url }: ScriptedUpstream) =>
  openai({ slug, name: slug, baseUrl: `${url}/v1`, apiKey: `sk-${slug}` })

const nodePlatform = platform()

/** The reason of the error that a call fails with. */
export const flipReason = <A, R>(
  effect: Effect.Effect<A, AiError.AiError, R>
): Effect.Effect<AiError.AiErrorReason, A, R> =>
  Effect.map(Effect.flip(effect), ({ reason }) => reason)

/** The last part of a whole answer. */
export const findFinish = <Part extends { readonly type: string }>(
  content: ReadonlyArray<Part>
): Extract<Part, { readonly type: "finish" }> => {
  const isFinish = (part: Part): part is Extract<Part, { readonly type: "finish" }> =>
    part.type === "finish"
  const found = content.find(isFinish)
  if (found === undefined) throw new Error("the answer has no finish part")
  return found
}
