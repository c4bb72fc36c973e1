/** Typos that would silently make an endpoint more expensive, less private or less capable. */
import { assert, describe, it } from "vitest"
import * as Configuration from "../../../src/engine/catalog/Configuration.ts"
import { parseModelList } from "../../../src/engine/catalog/source/parseModelList.ts"
import type { ModelConfig } from "../../../src/engine/catalog/model/Model.ts"

const upstream = { slug: "one", name: "One" }
const endpoint = { provider: "one", price: { prompt: "0.000001" } }
const model: ModelConfig = { id: "a/b", endpoints: [endpoint] }

const getMessage = (models: ReadonlyArray<unknown>): string => {
  try {
    Configuration.make(1, [upstream], models as ReadonlyArray<ModelConfig>)
  } catch (error) {
    assert.instanceOf(error, RangeError)
    return error.message
  }
  return "none"
}

const withEndpoint = (fields: object) =>
  getMessage([model, { ...model, id: "a/c", endpoints: [{ ...endpoint, ...fields }] }])
const withModel = (fields: object) => getMessage([{ ...model, ...fields }])

describe("a catalog in code", () => {
  it("is accepted if it is valid", () => {
    assert.strictEqual(getMessage([model]), "none")
    assert.strictEqual(withEndpoint({ otherParameters: ["chat_template_kwargs"] }), "none")
    const units = ["video", "duration_seconds_1280x720", "duration_seconds_without_audio_4k"]
    const videoPrice = Object.fromEntries(units.map((unit) => [unit, "0.1"]))
    assert.strictEqual(withEndpoint({ videoPrice }), "none")
  })

  it.each([
    [{ zdrr: true }, "zdrr is no field of an endpoint; did you mean zdr?"],
    [{ supported_parameters: [] }, "did you mean supportedParameters?"],
    [
      { data: { colects: false } },
      "data.colects is no field of a data policy; did you mean collects?"
    ],
    [
      { typical: { latency: 5 } },
      "typical.latency is no figure of an endpoint; there are latencyMillis"
    ],
    [{ price: { promt: "0.1" } }, "price.promt is no part of a price; did you mean prompt?"],
    [
      { price: { input: "0.1" } },
      "price.input is no part of a price; there are prompt, completion"
    ],
    [
      { supportedParameters: ["tool"] },
      "supportedParameters: tool is no known parameter, and one of the provider's own belongs in otherParameters; did you mean tools?"
    ],
    [
      { videoPrice: { duration_secnds: "0.1" } },
      "videoPrice.duration_secnds is no unit of videos; did you mean duration_seconds?"
    ],
    [{ videoPrice: { duration_seconds_hd: "0.1" } }, "videoPrice.duration_seconds_hd is no unit"],
    [{ videoPrice: { video: "0,1" } }, "videoPrice.video must be a decimal string of USD"],
    [{ otherParameters: "x" }, "otherParameters must be a list of names"],
    [
      { price: { prompt: "0.25", completion: "2" } },
      "price.prompt is 0.25 USD for one token; divide a price for a million tokens by 1000000, or say allowHighPrice: true"
    ],
    [{ price: { input_cache_read: "0.02" } }, "price.input_cache_read is 0.02 USD for one token"]
  ])("rejects an endpoint with %j", (fields, words) => {
    const message = withEndpoint(fields)
    assert.isTrue(message.startsWith('models.1.endpoints.0: endpoint "a/c@one": '), message)
    assert.include(message, words)
  })

  it.each([
    [{ price: { prompt: "0.01", request: "5", image: "1", web_search: "2" } }],
    [{ price: { prompt: "0.25" }, allowHighPrice: true }]
  ])("accepts an intended price: %j", (fields) => {
    assert.strictEqual(withEndpoint(fields), "none")
  })

  it.each([
    [{ familly: "f" }, "familly is no field of a model; did you mean family?"],
    [{ id: "gpt-5" }, 'the id has no author; call it author/name, such as "acme/gpt-5"'],
    [{ id: "/gpt-5" }, "the id has no author"],
    [{ id: "acme/" }, "the id has no author"],
    [
      { categories: ["programing"] },
      "categories: programing is no category; did you mean programming?"
    ],
    [{ card: { descripton: "" } }, "card.descripton is no field of it; did you mean description?"],
    [
      { card: { pricing: { promt: "1" } } },
      "card.pricing.promt is no field of it; did you mean prompt?"
    ],
    [{ card: { architecture: { input: ["text"] } } }, "card: "],
    [{ video: { supported_resolution: null } }, "did you mean supported_resolutions?"]
  ])("rejects a model with %j", (fields, words) => {
    const message = withModel(fields)
    assert.isTrue(message.startsWith("models.0: model "), message)
    assert.include(message, words)
  })
})

describe("a list from a source", () => {
  const entry = {
    id: "a/b",
    invented_in_2030: true,
    architecture: { modality: "text->text", brain: "new" },
    pricing: { prompt: "0.5", completion: "1", thought: "0.1", discount: 0.5 },
    supported_parameters: ["tools", "telepathy"],
    links: { details: "/x" }
  }

  it("may have unknown fields", () => {
    const models = parseModelList([entry], { servedBy: { provider: "one", allowHighPrice: true } })
    const { resolve } = Configuration.make(1, [upstream], models)
    const found = resolve("a/b")?.model
    assert.deepStrictEqual(Array.from(found?.endpoints[0]?.supportedParameters ?? []), [
      "tools",
      "tool_choice",
      "parallel_tool_calls",
      "telepathy"
    ])
    assert.strictEqual(found?.endpoints[0]?.price.approximate.prompt, 0.5)
    assert.deepStrictEqual(found?.card.supported_parameters, ["tools", "telepathy"])
  })

  it("has the other prices of a list, except those under unknown conditions", () => {
    const long = { min_prompt_tokens: 200, prompt: "1" }
    const night = { utc_start: 2200, utc_end: 600, utc_days: ["sunday"], completion: "0.5" }
    const overrides = [{ min_images: 3, prompt: "0" }, long, { utc_start: 9.5, prompt: "0" }, night]
    const pricing = { ...entry.pricing, overrides }
    const [model] = parseModelList([{ ...entry, pricing }], { servedBy: { provider: "one" } })
    assert.deepStrictEqual(model?.endpoints?.[0]?.price, {
      prompt: "0.5",
      completion: "1",
      overrides: [long, night]
    })
    assert.deepStrictEqual(model?.card?.pricing?.overrides, [long, night])
  })
})
