import { assert, describe, it } from "vitest"
import type { EndpointConfig } from "../../../../src/engine/catalog/endpoint/Endpoint.ts"
import { parseModelList } from "../../../../src/engine/catalog/source/parseModelList.ts"
import * as Model from "../../../../src/engine/catalog/model/Model.ts"

const makeCard = (config: Partial<Model.ModelConfig>) =>
  Model.make({ id: "a/b", endpoints: [], ...config }).card

const getDetailsLink = (id: string) => makeCard({ id, endpoints: [at({})] }).links.details

const at = (rest: Partial<EndpointConfig>): EndpointConfig => ({
  provider: "one",
  price: { prompt: "0.000002", completion: "0.000004" },
  ...rest
})

describe("a model card", () => {
  it("follows from its endpoints where nothing is stated", () => {
    assert.deepStrictEqual(
      makeCard({
        endpoints: [
          at({
            contextLength: 100,
            maxCompletionTokens: 10,
            supportedParameters: ["tools", "seed"]
          }),
          at({
            provider: "two",
            price: { prompt: "0.000001", completion: "0.000002", web_search: "0.01" },
            contextLength: 50,
            maxCompletionTokens: 20,
            supportedParameters: ["seed", "logprobs"]
          }),
          // A service tier applies on request only.
          at({ variant: "flex", price: { prompt: "0", completion: "0" } })
        ]
      }),
      {
        id: "a/b",
        canonical_slug: "a/b",
        name: "a/b",
        description: "",
        created: 0,
        context_length: 100,
        architecture: {
          input_modalities: ["text"],
          output_modalities: ["text"],
          modality: "text->text",
          tokenizer: "Other",
          instruct_type: "none"
        },
        pricing: {
          prompt: "0.000001",
          completion: "0.000002",
          request: "0",
          image: "0",
          web_search: "0.01"
        },
        top_provider: { context_length: 50, max_completion_tokens: 20, is_moderated: false },
        per_request_limits: null,
        supported_parameters: ["tools", "tool_choice", "parallel_tool_calls", "seed", "logprobs"],
        default_parameters: null,
        supported_voices: null,
        knowledge_cutoff: null,
        expiration_date: null,
        links: { details: "/api/v1/models/a/b/endpoints" }
      }
    )
  })

  it("shows an unknown token price as unknown, and other missing prices as zero", () => {
    assert.deepStrictEqual(makeCard({ endpoints: [at({ price: {} })] }).pricing, {
      prompt: "-1",
      completion: "-1",
      request: "0",
      image: "0"
    })
  })

  it("prefers stated values", () => {
    const card = {
      canonical_slug: "a/b-20300101",
      description: "A judge.",
      context_length: 7,
      architecture: {
        input_modalities: ["text", "image"],
        output_modalities: ["decisions"],
        tokenizer: "Other"
      },
      pricing: {
        prompt: "1",
        completion: "2",
        discount: 0.5,
        overrides: [{ utc_days: ["monday"] }]
      },
      supported_parameters: ["seed"],
      expiration_date: "2030-01-01",
      benchmarks: { artificial_analysis: { coding_index: 3 } }
    }
    const shown = makeCard({ name: "B", created: 5, card, endpoints: [at({ contextLength: 100 })] })
    assert.deepInclude(shown, {
      name: "B",
      created: 5,
      canonical_slug: "a/b-20300101",
      description: "A judge.",
      context_length: 7,
      supported_parameters: ["seed"],
      expiration_date: "2030-01-01",
      pricing: { ...card.pricing, request: "0", image: "0" },
      links: { details: "/api/v1/models/a/b-20300101/endpoints" }
    })
    assert.strictEqual(shown.architecture.modality, "text+image->decisions")
    assert.deepStrictEqual(shown.benchmarks, {
      artificial_analysis: { intelligence_index: null, coding_index: 3, agentic_index: null },
      design_arena: []
    })
  })

  it("encodes its slug in the link to its endpoints", () => {
    assert.strictEqual(getDetailsLink("a/b:free"), "/api/v1/models/a/b:free/endpoints")
    assert.strictEqual(getDetailsLink("~a/b-latest"), "/api/v1/models/~a/b-latest/endpoints")
    assert.strictEqual(getDetailsLink("a/b/c"), "/api/v1/models/a/b%2Fc/endpoints")
    assert.strictEqual(getDetailsLink("a b/ü?#"), "/api/v1/models/a%20b/%C3%BC%3F%23/endpoints")
  })

  it.each([
    ["categories", { categories: ["sports"] }, "categories: sports is no category; there are "],
    ["toolSuccessRate", { toolSuccessRate: 1.01 }, "toolSuccessRate must be a number from 0 to 1"],
    [
      "toolSuccessRate",
      { toolSuccessRate: Number.NaN },
      "toolSuccessRate must be a number from 0 to 1"
    ],
    ["card", { card: { context_length: "many" } }, "card: "],
    [
      "card.pricing",
      { card: { pricing: { prompt: "cheap" } } },
      "card.pricing: price.prompt must be"
    ],
    ["video", { video: { seed: "yes" } }, "video: "],
    ["endpoints", { endpoints: "none" }, "endpoints must be a list"]
  ])("rejects an invalid %s", (_, rest, problem) => {
    const config = { id: "a/b", endpoints: [at({})], ...rest }
    assert.throws(
      // A catalog file may contain any value.
      () => Model.make(config as Model.ModelConfig),
      RangeError,
      `model "a/b": ${problem}`
    )
  })
})

describe("a list in the format of this API", () => {
  const entry = {
    id: "a/b",
    name: "B",
    created: 5,
    canonical_slug: "a/b-1",
    context_length: 100,
    pricing: { prompt: "0.1", completion: "0.2", discount: 0.1 },
    top_provider: { context_length: 90, max_completion_tokens: 10, is_moderated: true },
    supported_parameters: ["seed"],
    links: { details: "/api/v1/models/a/b-1/endpoints" },
    a_field_of_tomorrow: { any: "thing" }
  }

  it.each([
    ["with its envelope", { data: [entry], total_count: 1 }],
    ["without", [entry]]
  ])("is read %s", (_, json) => {
    const [config, ...others] = parseModelList(json)
    assert.deepStrictEqual(others, [])
    const model = Model.make(config!)
    assert.strictEqual<string>(model.id, "a/b")
    assert.deepInclude(model, { name: "B", created: 5, endpoints: [] })
    assert.strictEqual(model.card.canonical_slug, "a/b-1")
    assert.isTrue(model.card.top_provider.is_moderated)
    assert.notProperty(model.card, "a_field_of_tomorrow")
  })

  it("is served by the providers that the host names, under the conditions of the list", () => {
    const data = { collects: false }
    const [config] = parseModelList([entry], { servedBy: { provider: "one", zdr: true, data } })
    assert.deepStrictEqual(config?.endpoints, [
      {
        provider: "one",
        zdr: true,
        data,
        price: { prompt: "0.1", completion: "0.2" },
        contextLength: 90,
        maxCompletionTokens: 10,
        supportedParameters: ["seed"]
      }
    ])
  })

  it("treats a length of 0 as unknown", () => {
    const unknownLimits = { context_length: 0, max_completion_tokens: 0, is_moderated: false }
    const [config] = parseModelList(
      [{ ...entry, context_length: 0, top_provider: unknownLimits }],
      {
        servedBy: { provider: "one" }
      }
    )
    assert.notProperty(config?.endpoints?.[0], "contextLength")
    assert.notProperty(config?.endpoints?.[0], "maxCompletionTokens")
  })

  it("keeps an alias as a model that names its target", () => {
    const alias_target = { name: "B", slug: "a/b" }
    const [config] = parseModelList([{ ...entry, id: "~a/b-latest", alias_target }])
    assert.deepInclude(Model.make(config!).card, { id: "~a/b-latest", alias_target })
  })

  it.each([
    [null, 'expected a list of models, or an object with one in "data"'],
    ["models", 'expected a list of models, or an object with one in "data"'],
    [{ data: {} }, 'expected a list of models, or an object with one in "data"'],
    [[entry, {}], "data[1].id is no name"],
    [[entry, null], "data[1].id is no name"],
    [[{ id: "" }], "data[0].id is no name"],
    [[{ ...entry, name: 5 }], '"a/b": name is no text'],
    [[{ ...entry, created: "2030" }], '"a/b": created is no number']
  ])("rejects %j", (json, problem) => {
    assert.throws(() => parseModelList(json), RangeError, problem)
  })
})
