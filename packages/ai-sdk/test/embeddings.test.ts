import type { EmbeddingModelV4, EmbeddingModelV4CallOptions } from "@ai-sdk/provider"
import { assert, describe, it } from "@effect/vitest"
import { type EmbeddingCall, Settings } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Redacted from "effect/Redacted"
import * as Struct from "effect/Struct"
import { type AiSdkOptions, fromAiSdk } from "../src/index.ts"

const call: EmbeddingCall = { model: "words", inputs: ["calm"], encoding: "float", parameters: {} }

const makeModel = (calls: Array<EmbeddingModelV4CallOptions>, modelId = "words") =>
  ({
    specificationVersion: "v4",
    provider: "fake.embedding",
    modelId,
    maxEmbeddingsPerCall: 7,
    supportsParallelCalls: true,
    doEmbed: async (options) => {
      calls.push(options)
      return { embeddings: options.values.map(() => [0.5]), usage: { tokens: 2 }, warnings: [] }
    }
  }) satisfies EmbeddingModelV4

const run = Effect.fnUntraced(function* (
  changes: Partial<EmbeddingCall>,
  options: Partial<AiSdkOptions> = {}
) {
  const calls: Array<EmbeddingModelV4CallOptions> = []
  const upstream = fromAiSdk(makeModel(calls), { slug: "fake", ...options })
  const embeddings = upstream.embeddings!
  const result = yield* Effect.result(embeddings.embed({ ...call, ...changes })).pipe(
    Effect.provide(FetchHttpClient.layer),
    Effect.provideService(Settings, yield* Settings)
  )
  const sent = calls.map((options) => Struct.omit(options, ["abortSignal"]))
  return { calls: sent, embeddings, result, upstream }
})

describe("an embedding model of the AI SDK", () => {
  it.effect("gets texts and a length, and does not chat", () =>
    Effect.gen(function* () {
      const { calls, embeddings, result, upstream } = yield* run({ dimensions: 1 })
      assert.deepStrictEqual<unknown>(calls, [{ values: ["calm"], dimensions: 1 }])
      assert.deepNestedInclude(result, {
        success: {
          vectors: [{ index: 0, vector: [0.5] }],
          usage: { inputTokens: 2, outputTokens: 0 }
        }
      })
      assert.isUndefined(upstream.chat)
      assert.isUndefined(upstream.decisions)
      assert.isTrue(embeddings.ignoresCredentials)
      const { maxInputs } = embeddings
      assert.strictEqual(typeof maxInputs === "function" ? maxInputs("words") : maxInputs, 7)
    })
  )

  it.effect("is not called for what the AI SDK cannot say", () =>
    Effect.gen(function* () {
      for (const changes of [
        { inputs: [[1, 2]] },
        { inputs: [{ content: [{ type: "text", text: "calm" }] }] },
        { inputType: "search_query" },
        { parameters: { truncate: "END" } }
      ]) {
        const { calls, result } = yield* run(changes)
        assert.deepNestedInclude(result, { "failure.kind": "unsupported_parameter" })
        assert.deepStrictEqual(calls, [])
      }
    })
  )

  it.effect("gets the options of the host", () =>
    Effect.gen(function* () {
      const { calls } = yield* run(
        { inputType: "search_query" },
        { embeddingOptions: ({ inputType = "" }) => ({ fake: { inputType } }) }
      )
      assert.deepStrictEqual<unknown>(calls, [
        { values: ["calm"], providerOptions: { fake: { inputType: "search_query" } } }
      ])
    })
  )

  it.effect("uses a customer's own credential where the host makes a model of it", () =>
    Effect.gen(function* () {
      const own: Array<EmbeddingModelV4CallOptions> = []
      const { calls, embeddings } = yield* run(
        { credential: Redacted.make("sk-of-a-customer") },
        {
          embeddingWithCredential: (model, credential) =>
            makeModel(own, `${model} ${Redacted.value(credential)}`)
        }
      )
      assert.deepStrictEqual(calls, [])
      assert.lengthOf(own, 1)
      assert.isUndefined(embeddings.ignoresCredentials)
    })
  )

  it("must implement the interface", () => {
    const old = { ...makeModel([]), specificationVersion: "v3" } as unknown as EmbeddingModelV4
    assert.throws(() => fromAiSdk(old, { slug: "fake" }), RangeError, "v4")
  })
})
