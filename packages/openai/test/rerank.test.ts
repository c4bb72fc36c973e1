import { assert, describe, it } from "@effect/vitest"
import { fault, ScriptedUpstream } from "@signalbox/testing"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Result from "effect/Result"
import { rerank, type RerankOptions } from "../src/index.ts"

const image = "data:image/png;base64,AA=="

const run = async (options: Omit<RerankOptions, "baseUrl">, path: string) => {
  await using provider = await ScriptedUpstream.start()
  const capability = rerank({ ...options, baseUrl: provider.url + path }).rerank!
  const call = { model: "a", query: "?", topN: 1, parameters: { top_k: 7, return_documents: true } }
  const ask = (documents: Parameters<typeof capability.rerank>[0]["documents"]) =>
    Effect.runPromise(
      Effect.provide(
        Effect.result(capability.rerank({ ...call, documents })),
        FetchHttpClient.layer
      )
    )
  await ask([{ text: "calm" }, { text: "" }])
  provider.always(fault.status(400))
  const kinds = []
  for (const document of [{ image }, { image, text: "calm" }]) {
    const asked = await ask([document])
    kinds.push(Result.isFailure(asked) ? asked.failure.kind : "none")
  }
  return { bodies: provider.requests.map(({ body }) => body), kinds }
}

describe("rerank", () => {
  it("takes only texts in the dialect of Cohere, which has no return_documents", async () => {
    const { bodies, kinds } = await run({ dialect: "cohere" }, "/v2")
    assert.deepStrictEqual<unknown>(bodies, [
      {
        model: "a",
        query: "?",
        documents: ["calm", ""],
        top_n: 1,
        top_k: 7,
        return_documents: true
      }
    ])
    assert.deepStrictEqual(kinds, ["unsupported_parameter", "unsupported_parameter"])
  })

  it("takes a text or an image of each document in the dialect of Jina", async () => {
    const { bodies, kinds } = await run({ dialect: "jina" }, "/v1")
    const common = { model: "a", query: "?", top_n: 1, top_k: 7, return_documents: false }
    assert.deepStrictEqual<unknown>(bodies, [
      { ...common, documents: ["calm", ""] },
      { ...common, documents: [{ image }] }
    ])
    assert.deepStrictEqual(kinds, ["bad_request", "unsupported_parameter"])
  })

  it("asks for the best by top_k in the dialect of Voyage", async () => {
    const { bodies, kinds } = await run({ dialect: "voyage" }, "/voyage/v1")
    assert.deepStrictEqual<unknown>(bodies, [
      { model: "a", query: "?", documents: ["calm", ""], top_k: 1, return_documents: false }
    ])
    assert.deepStrictEqual(kinds, ["unsupported_parameter", "unsupported_parameter"])
  })

  it("names what is wrong with its options", () => {
    for (const [options, message] of [
      [{ dialect: "toString" }, "dialect must be one of cohere, jina, voyage"],
      [{ dialect: "cohere" }, "apiKey is missing, and api.cohere.com needs one"],
      [{ dialect: "jina", apiKey: "sk-jina", maxImageTokens: -1 }, "maxImageTokens"],
      [{ dialect: "jina", key: "sk-jina" }, "key"]
    ] as const) {
      assert.throws(() => rerank(options as unknown as RerankOptions), RangeError, message)
    }
    assert.deepInclude(rerank({ dialect: "voyage", apiKey: null }), {
      slug: "voyage",
      name: "Voyage"
    })
  })
})
