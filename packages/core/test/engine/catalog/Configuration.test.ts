import { assert, describe, it } from "@effect/vitest"
import * as Configuration from "../../../src/engine/catalog/Configuration.ts"
import type { EndpointConfig } from "../../../src/engine/catalog/endpoint/Endpoint.ts"
import type { ModelConfig } from "../../../src/engine/catalog/model/Model.ts"
import { ProviderSlug } from "../../../src/values/ids/Ids.ts"
import type { Upstream } from "../../../src/engine/upstreams/Upstream.ts"

const one: Upstream = { slug: "one", name: "One" }
const two: Upstream = { slug: "two", name: "Two" }
const free: EndpointConfig = { provider: "one", price: { prompt: "0", completion: "0" } }

const makeConfiguration = (
  models: ReadonlyArray<ModelConfig>,
  upstreams: ReadonlyArray<Upstream> = [one, two]
) => Configuration.make(1, upstreams, models)

describe("a configuration", () => {
  it("finds models by exact slug, with the inherited fields of their endpoints", () => {
    const { models, resolve } = makeConfiguration([
      { id: "a/b", endpoints: [free] },
      {
        id: "a/c:free",
        name: "C",
        distillable: true,
        endpoints: [
          {
            ...free,
            provider: "two",
            variant: "eu",
            region: "eu",
            model: "c-2030",
            contextLength: 100,
            maxCompletionTokens: 10,
            supportedParameters: ["logprobs"],
            quantization: "fp8",
            data: { collects: false, trains: false, retains: false }
          }
        ]
      }
    ])
    assert.deepStrictEqual(
      models.map(({ id }) => id as string),
      ["a/b", "a/c:free"]
    )
    const plain = resolve("a/b")!.model
    assert.strictEqual(plain.name, "a/b")
    assert.isFalse(plain.distillable)
    const { price: _, ...endpoint } = plain.endpoints[0]!
    assert.deepStrictEqual(endpoint, {
      id: "a/b@one",
      model: plain.id,
      provider: ProviderSlug.make("one"),
      tag: "one",
      tier: "default",
      region: undefined,
      upstreamModel: "a/b",
      videoPrice: undefined,
      speech: undefined,
      images: undefined,
      contextLength: undefined,
      maxPromptTokens: undefined,
      maxCompletionTokens: undefined,
      maxParallelRequests: undefined,
      supportedParameters: undefined,
      quantization: "unknown",
      // An unknown data policy counts as the worst.
      data: { collects: true, trains: true, retains: true },
      zdr: false,
      cancels: true,
      implicitCaching: false,
      serverTools: {},
      typical: {}
    })
    const detailed = resolve("a/c:free")!.model
    assert.isTrue(detailed.distillable)
    const { price: __, ...regional } = detailed.endpoints[0]!
    assert.deepStrictEqual(regional, {
      id: "a/c:free@two/eu",
      model: detailed.id,
      provider: ProviderSlug.make("two"),
      tag: "two/eu",
      tier: "default",
      region: "eu",
      videoPrice: undefined,
      speech: undefined,
      images: undefined,
      upstreamModel: "c-2030",
      contextLength: 100,
      maxPromptTokens: undefined,
      maxCompletionTokens: 10,
      maxParallelRequests: undefined,
      supportedParameters: new Set(["logprobs"]),
      quantization: "fp8",
      data: { collects: false, trains: false, retains: false },
      zdr: true,
      cancels: true,
      implicitCaching: false,
      serverTools: {},
      typical: {}
    })
    for (const slug of ["A/b", "a/c", "", "__proto__"]) assert.isUndefined(resolve(slug))
  })

  const contradictions: ReadonlyArray<[string, ReadonlyArray<ModelConfig>]> = [
    [
      'two models are called "a/b"',
      [
        { id: "a/b", endpoints: [free] },
        { id: "a/b", endpoints: [free] }
      ]
    ],
    [
      'model "a/b": it has no endpoint; give it at least one, or a card.pricing to list it by',
      [{ id: "a/b", endpoints: [] }]
    ],
    [
      'model "a/b" has two endpoints "one"; give each a variant',
      [{ id: "a/b", endpoints: [free, { ...free, model: "other" }] }]
    ],
    [
      'model "a/b" has two endpoints "one/eu"; give each a variant',
      [{ id: "a/b", endpoints: [free, { ...free, variant: "eu" }, { ...free, variant: "eu" }] }]
    ],
    [
      'model "a/b" has two endpoints "one/EU"; give each a variant',
      [
        {
          id: "a/b",
          endpoints: [
            { ...free, variant: "eu" },
            { ...free, variant: "EU" }
          ]
        }
      ]
    ],
    [
      'model "a/b" has an endpoint without a provider; name an upstream',
      [{ id: "a/b", endpoints: [{ ...free, provider: "" }] }]
    ],
    [
      'model "a/b" names the provider "onee", but no upstream has that slug; did you mean "one"?',
      [{ id: "a/b", endpoints: [free, { ...free, provider: "onee" }] }]
    ],
    [
      'model "a/b" names the provider "three", but no upstream has that slug',
      [{ id: "a/b", endpoints: [free, { ...free, provider: "three" }] }]
    ],
    [
      'endpoint "a/b@one": price.prompt must be a decimal string of USD, got "cheap"',
      [{ id: "a/b", endpoints: [{ ...free, price: { prompt: "cheap" } }] }]
    ]
  ]
  it.each(contradictions)("rejects models with %s", (message, models) => {
    assert.throws(() => makeConfiguration(models), RangeError, message)
  })

  it("finds upstreams by slug", () => {
    const { upstreams } = makeConfiguration([])
    assert.strictEqual(upstreams.get("two")?.name, two.name)
    for (const slug of ["Two", "", "__proto__"]) assert.isUndefined(upstreams.get(slug))
  })

  it("rejects two upstreams with the same slug", () => {
    assert.throws(
      () => makeConfiguration([], [one, two, one]),
      RangeError,
      'two upstreams are called "one"; give each its own slug'
    )
  })
})
