import type { Options } from "@signalbox/core"
import type { EmbeddingCall, EmbeddingCapability, RerankCapability } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"

const usage = { inputTokens: 3, outputTokens: 0 }
const price = { prompt: "0.001", completion: "0.005" }
const request = { model: "a/b", input: ["one", "two", "three"], provider: { order: ["first"] } }
const question = { model: "a/b", query: "?", documents: ["one", "two"] }

const working: EmbeddingCapability = {
  embed: ({ inputs }) =>
    Effect.succeed({ vectors: inputs.map((_, index) => ({ index, vector: [index] })), usage }),
  estimateWorstCase: () => ({ inputTokens: 10, outputTokens: 0 })
}

const ranking: RerankCapability = {
  rerank: ({ documents }) =>
    Effect.succeed({ results: documents.map((_, index) => ({ index, score: index })), usage }),
  estimateWorstCase: () => ({ inputTokens: 10, outputTokens: 0 })
}

/** Two providers; the second works. */
const start = (
  first: { readonly embeddings?: EmbeddingCapability; readonly rerank?: RerankCapability },
  options: Partial<Options> = {}
) =>
  Signalbox.make({
    upstreams: [
      { slug: "first", name: "First", ...first },
      { slug: "second", name: "Second", embeddings: working, rerank: ranking }
    ],
    models: [
      {
        id: "a/b",
        endpoints: ["first", "second"].map((provider) => ({ provider, price, contextLength: 100 })),
        card: {
          architecture: {
            input_modalities: ["text"],
            output_modalities: ["embeddings", "rerank"]
          }
        }
      }
    ],
    ...options
  })

const toVectors = (list: { readonly data: ReadonlyArray<{ readonly embedding: unknown }> }) =>
  list.data.map(({ embedding }) => embedding)

describe("embeddings of a provider with defects", () => {
  const defects: Readonly<Record<string, Partial<EmbeddingCapability>>> = {
    throws: {
      embed: () => {
        throw new Error("oh")
      }
    },
    dies: { embed: () => Effect.die(new Error("oh")) },
    "returns no Effect": { embed: (() => 7) as unknown as EmbeddingCapability["embed"] },
    "returns no vectors": {
      embed: (() => Effect.succeed({})) as unknown as EmbeddingCapability["embed"]
    },
    "returns vectors without index": {
      embed: (() =>
        Effect.succeed({ vectors: [{ vector: [1] }] })) as unknown as EmbeddingCapability["embed"]
    },
    "cannot estimate": {
      estimateWorstCase: () => {
        throw new Error("oh")
      }
    }
  }
  for (const [name, defect] of Object.entries(defects)) {
    it(`come from the next one when it ${name}`, async () => {
      const instance = await start(
        { embeddings: { ...working, ...defect } },
        { credits: { default: "1" } }
      )
      assert.deepStrictEqual<unknown>(toVectors(await instance.embed(request)), [[0], [1], [2]])
      await instance.close()
    })
  }

  for (const maxInputs of [0, -1, Number.NaN, 1.5, "2"] as ReadonlyArray<unknown>) {
    it(`are asked for at once when it says that it takes ${String(maxInputs)} inputs`, async () => {
      const calls: Array<number> = []
      const instance = await start({
        embeddings: {
          ...working,
          embed: (call: EmbeddingCall) => {
            calls.push(call.inputs.length)
            return working.embed(call)
          },
          maxInputs: maxInputs as number
        }
      })
      await instance.embed(request)
      assert.deepStrictEqual(calls, [3])
      await instance.close()
    })
  }

  it("are split by what it says of the model", async () => {
    const calls: Array<ReadonlyArray<unknown>> = []
    const instance = await start({
      embeddings: {
        ...working,
        embed: (call: EmbeddingCall) => {
          calls.push(call.inputs)
          return working.embed(call)
        },
        maxInputs: (model) => model.length - 1
      }
    })
    const { usage: used } = await instance.embed(request)
    assert.deepStrictEqual<unknown>(calls, [["one", "two"], ["three"]])
    assert.deepInclude(used, { prompt_tokens: 6, cost: 0.006 })
    await instance.close()
  })
})

describe("a rerank of a provider with defects", () => {
  it("comes from the next one", async () => {
    for (const rerank of [
      () => Effect.die(new Error("oh")),
      () => Effect.succeed({ results: [{ index: 0 }] })
    ] as unknown as ReadonlyArray<RerankCapability["rerank"]>) {
      const instance = await start({ rerank: { ...ranking, rerank } })
      const { provider, results } = await instance.rerank({
        ...question,
        provider: { order: ["first"] }
      })
      assert.strictEqual(provider, "Second")
      assert.deepStrictEqual(results[0], {
        index: 1,
        relevance_score: 1,
        document: { text: "two" }
      })
      await instance.close()
    }
  })
})

describe("the context length of a model", () => {
  it("limits each input, not all together", async () => {
    const instance = await start({ embeddings: working })
    const input = Array.from({ length: 50 }, () => "a".repeat(200))
    assert.lengthOf((await instance.embed({ ...request, input })).data, 50)
    const tooLong = instance.embed({ ...request, input: ["a".repeat(1_000)] })
    const error = await tooLong.then(
      () => undefined,
      (cause: unknown) => cause
    )
    assert.deepInclude(error as object, { status: 400 })
    assert.match(String(error), /maximum context length is 100 tokens/)
    await instance.close()
  })
})
