import { assert, describe, it } from "@effect/vitest"
import type { ModelConfig } from "../../../../src/engine/catalog/model/Model.ts"
import {
  completeModels,
  needsPrices
} from "../../../../src/engine/catalog/prices/completeModels.ts"
import { book, upstreams } from "./priceBook.ts"

const price = { prompt: "0.1", completion: "0.2" }

const complete = (...models: ReadonlyArray<ModelConfig>) => completeModels(models, upstreams, book)

describe("completeModels", () => {
  it("gives an endpoint without a price that of its provider, and the limits", () => {
    const { completed, models, unlisted } = complete({
      id: "acme/small",
      endpoints: [{ provider: "acme" }]
    })
    assert.deepStrictEqual(models, [
      {
        id: "acme/small",
        name: "Small",
        family: "small",
        created: 1_700_000_000,
        endpoints: [
          {
            provider: "acme",
            model: "small",
            price: { prompt: "0.000001", completion: "0.000002" },
            contextLength: 100_000,
            maxCompletionTokens: 8_000,
            supportedParameters: ["tools"]
          }
        ],
        card: { architecture: { input_modalities: ["text", "image"], output_modalities: ["text"] } }
      }
    ])
    assert.deepStrictEqual([completed, unlisted], [1, []])
  })

  it("prefers what the host states", () => {
    const { models } = complete({
      id: "acme/small",
      name: "Ours",
      created: 5,
      endpoints: [
        { provider: "acme", contextLength: 7, supportedParameters: ["seed"], model: "small" }
      ],
      card: { description: "small", architecture: { input_modalities: ["text"] } }
    })
    assert.deepStrictEqual(models[0], {
      id: "acme/small",
      name: "Ours",
      created: 5,
      family: "small",
      endpoints: [
        {
          provider: "acme",
          model: "small",
          price: { prompt: "0.000001", completion: "0.000002" },
          contextLength: 7,
          maxCompletionTokens: 8_000,
          supportedParameters: ["seed"]
        }
      ],
      card: {
        description: "small",
        architecture: { input_modalities: ["text"], output_modalities: ["text"] }
      }
    })
  })

  it("completes no part of an endpoint with a price, but calls the model by its own name", () => {
    const { completed, models } = complete(
      { id: "acme/small", endpoints: [{ provider: "acme", price }] },
      { id: "acme/new", endpoints: [{ provider: "acme", price: {} }] },
      { id: "other/small", endpoints: [{ provider: "acme", price }] }
    )
    assert.deepStrictEqual(
      models.map(({ endpoints }) => endpoints),
      [
        [{ provider: "acme", price, model: "small" }],
        [{ provider: "acme", price: {}, model: "new" }],
        [{ provider: "acme", price }]
      ]
    )
    assert.strictEqual(completed, 0)
  })

  it("leaves the price of an unknown model unknown, and tells which", () => {
    const { models, unlisted } = complete({
      id: "acme/smal",
      endpoints: [{ provider: "acme" }]
    })
    assert.strictEqual(models[0]?.endpoints?.[0]?.price, undefined)
    assert.deepStrictEqual(unlisted, [{ model: "acme/smal", provider: "acme", name: "smal" }])
  })

  it("has no price for a server at another address", () => {
    const given = { id: "acme/small", endpoints: [{ provider: "own" }] }
    const { models, unlisted } = complete(given)
    assert.deepStrictEqual([models, unlisted], [[given], []])
  })

  it("finds models that have the author in their names at the provider", () => {
    const { models } = complete({ id: "acme/open", endpoints: [{ provider: "reseller" }] })
    assert.deepStrictEqual(models[0]?.endpoints?.[0]?.price, { prompt: "0.000003" })
    assert.strictEqual(models[0]?.endpoints?.[0]?.model, undefined)
  })

  it("takes a model called __proto__ for one that no list has", () => {
    const { unlisted } = complete({ id: "acme/__proto__", endpoints: [{ provider: "acme" }] })
    assert.strictEqual(unlisted.length, 1)
  })
})

describe("needsPrices", () => {
  it("is false where every endpoint states a price or is at a server of the host", () => {
    const models = [
      { id: "acme/small", endpoints: [{ provider: "acme", price }] },
      { id: "acme/own", endpoints: [{ provider: "own" }] }
    ]
    assert.isFalse(needsPrices(models, upstreams))
    assert.isTrue(needsPrices([...models, { id: "a/*", endpoints: [] }], upstreams))
    assert.isTrue(needsPrices([{ id: "a/b", endpoints: [{ provider: "acme" }] }], upstreams))
  })
})
