import { assert, describe, it } from "@effect/vitest"
import * as Model from "../../../src/engine/catalog/model/Model.ts"
import { servesOperation } from "../../../src/engine/catalog/model/servesOperation.ts"
import type { Upstream } from "../../../src/engine/upstreams/Upstream.ts"
import { OperationName } from "../../../src/values/OperationName.ts"

const price = { prompt: "0", completion: "0" }

/** What a model with these outputs serves, or one without a card at an upstream with these capabilities. */
const listServed = (outputs?: ReadonlyArray<string>, capabilities: Partial<Upstream> = {}) => {
  const upstream = { slug: "one", name: "One", ...capabilities }
  const model = Model.make(
    {
      id: "a/b",
      endpoints: [{ provider: "one", price }],
      ...(outputs === undefined
        ? undefined
        : {
            card: { architecture: { input_modalities: ["text"], output_modalities: outputs } }
          })
    },
    undefined,
    new Map([["one", upstream]])
  )
  const { output_modalities } = model.card.architecture
  const served = OperationName.literals.filter((operation) => servesOperation(model, operation))
  return { outputs: output_modalities, served: served.filter((name) => name !== "videos") }
}

const some = { estimateWorstCase: () => ({ inputTokens: 0, outputTokens: 0 }) }
const embeddings = some as unknown as NonNullable<Upstream["embeddings"]>
const rerank = some as unknown as NonNullable<Upstream["rerank"]>
const chat = some as unknown as NonNullable<Upstream["chat"]>

describe("what a model serves", () => {
  it("follows from the outputs of its card", () => {
    assert.deepStrictEqual(listServed(["embeddings"]).served, ["embeddings"])
    assert.deepStrictEqual(listServed(["rerank"]).served, ["rerank"])
    assert.deepStrictEqual(listServed(["embeddings", "rerank"]).served, ["embeddings", "rerank"])
    assert.deepStrictEqual(listServed(["text"]).served, ["decisions", "chat"])
    assert.deepStrictEqual(listServed(["text", "image"]).served, ["decisions", "chat", "images"])
    assert.deepStrictEqual(listServed(["text", "embeddings"]).served, [
      "decisions",
      "chat",
      "embeddings"
    ])
  })

  it("follows from an upstream that does nothing else, without a card", () => {
    assert.deepStrictEqual(listServed(undefined, { embeddings }), {
      outputs: ["embeddings"],
      served: ["embeddings"]
    })
    assert.deepStrictEqual(listServed(undefined, { rerank }), {
      outputs: ["rerank"],
      served: ["rerank"]
    })
    assert.deepStrictEqual(listServed(undefined, { chat, embeddings, rerank }), {
      outputs: ["text"],
      served: ["decisions", "chat"]
    })
  })
})
