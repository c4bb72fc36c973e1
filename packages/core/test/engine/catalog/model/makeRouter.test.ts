import { assert, describe, it } from "@effect/vitest"
import * as Configuration from "../../../../src/engine/catalog/Configuration.ts"
import type { ModelConfig } from "../../../../src/engine/catalog/model/Model.ts"
import type { RouterConfig } from "../../../../src/engine/catalog/model/RouterConfig.ts"
import type { Upstream } from "../../../../src/engine/upstreams/Upstream.ts"

const upstream: Upstream = { slug: "one", name: "One" }
const free = { prompt: "0", completion: "0" }
const paid = { prompt: "0.000001", completion: "0.000002" }

const models: ReadonlyArray<ModelConfig> = [
  { id: "a/free:free", endpoints: [{ provider: "one", price: free, contextLength: 8_000 }] },
  {
    id: "a/both",
    endpoints: [
      { provider: "one", price: paid, supportedParameters: ["tools"], contextLength: 64_000 },
      { provider: "one", variant: "trial", price: free }
    ],
    card: { architecture: { input_modalities: ["text", "image"] } }
  },
  { id: "b/paid", endpoints: [{ provider: "one", price: paid, supportedParameters: ["tools"] }] },
  { id: "b/secret", hidden: true, endpoints: [{ provider: "one", price: free }] },
  {
    id: "b/vectors",
    endpoints: [{ provider: "one", price: free }],
    card: { architecture: { output_modalities: ["embeddings"] } }
  },
  {
    id: "b/later",
    endpoints: [
      {
        provider: "one",
        price: { ...free, overrides: [{ min_prompt_tokens: 1_000, prompt: "0.000001" }] }
      }
    ]
  }
]

const makeRouted = (router: RouterConfig, rest: Partial<ModelConfig> = {}) =>
  Configuration.make(1, [upstream], [{ id: "acme/router", router, ...rest }, ...models])

const listEndpoints = (router: RouterConfig) =>
  Array.from(makeRouted(router).resolve("acme/router")!.model.router!.endpoints)

describe("a router model", () => {
  it("stands for the listed models that write text", () => {
    assert.deepStrictEqual(listEndpoints({ kind: "cheapest" }), [
      "a/free:free@one",
      "a/both@one",
      "a/both@one/trial",
      "b/paid@one",
      "b/later@one"
    ])
  })

  it("takes free endpoints alone, also of models that have others, and none that may cost something", () => {
    assert.deepStrictEqual(listEndpoints({ kind: "random", free: true }), [
      "a/free:free@one",
      "a/both@one/trial"
    ])
  })

  it("takes models by patterns, and hidden ones by their names", () => {
    assert.deepStrictEqual(
      listEndpoints({
        kind: "random",
        candidates: ["b/*", "b/secret"],
        except: ["*/later", "b/v*"]
      }),
      ["b/paid@one", "b/secret@one"]
    )
    assert.deepStrictEqual(listEndpoints({ kind: "random", candidates: ["*:free"] }), [
      "a/free:free@one"
    ])
  })

  it("takes endpoints with parameters, inputs, lengths and prices", () => {
    assert.deepStrictEqual(listEndpoints({ kind: "cheapest", parameters: ["tools"] }), [
      "a/both@one",
      "b/paid@one"
    ])
    assert.deepStrictEqual(listEndpoints({ kind: "cheapest", inputs: ["image"] }), [
      "a/both@one",
      "a/both@one/trial"
    ])
    assert.deepStrictEqual(listEndpoints({ kind: "cheapest", minContextLength: 10_000 }), [
      "a/both@one",
      "a/both@one/trial"
    ])
    assert.deepStrictEqual(
      listEndpoints({ kind: "cheapest", candidates: ["a/*"], maxPrice: { prompt: 0.5 } }),
      ["a/free:free@one", "a/both@one/trial"]
    )
    assert.deepStrictEqual(
      listEndpoints({
        kind: "cheapest",
        candidates: ["b/paid"],
        maxPrice: { prompt: 1, completion: 2 }
      }),
      ["b/paid@one"]
    )
  })

  it("is listed with what its models can do, in the order of the host", () => {
    const { models: made } = makeRouted({ kind: "cheapest", candidates: ["a/*"] })
    assert.strictEqual(made[0]!.id, "acme/router")
    const { architecture, context_length, pricing, supported_parameters } = made[0]!.card
    assert.strictEqual(context_length, 64_000)
    assert.deepStrictEqual(architecture.input_modalities, ["text", "image"])
    assert.deepStrictEqual(supported_parameters, ["tools", "tool_choice", "parallel_tool_calls"])
    assert.deepStrictEqual(pricing, { prompt: "-1", completion: "-1", request: "0", image: "0" })
    const { card } = makeRouted({ kind: "random", free: true }).models[0]!
    assert.deepStrictEqual(card.pricing, { prompt: "0", completion: "0", request: "0", image: "0" })
  })

  it("has the card and the aliases that its host gives it", () => {
    const { resolve } = makeRouted(
      { kind: "random", free: true },
      { aliases: ["gratis"], name: "Gratis", card: { description: "Ours", pricing: null } }
    )
    const { model } = resolve("gratis")!
    assert.strictEqual(model.card.description, "Ours")
    assert.strictEqual(model.card.pricing.prompt, "0")
    assert.strictEqual(resolve("acme/router:floor")!.variant, "floor")
  })

  const problems: ReadonlyArray<readonly [object, string, object?]> = [
    [{ kind: "best" }, '"cheapest"'],
    [{ kind: "random", fre: true }, "router.fre is no field of a router; did you mean free?"],
    [{ kind: "random", candidates: [] }, "at least 1"],
    [
      { kind: "random", candidates: ["a/bothh"] },
      'there is no model "a/bothh"; did you mean "a/both"?'
    ],
    [{ kind: "random", candidates: ["acme/router2"] }, '"acme/router2" is a router itself'],
    [{ kind: "random", candidates: ["c/*"] }, "no model of the catalog meets it"],
    [{ kind: "random", free: "yes" }, "Expected boolean"],
    [{ kind: "random" }, "give it one of both", { endpoints: [{ provider: "one" }] }],
    [{ kind: "random" }, "leave video out", { video: {} }]
  ]
  for (const [router, problem, rest = {}] of problems) {
    it(`is refused: ${problem}`, () => {
      assert.throws(() => makeInvalid(router, rest), problem)
    })
  }

  it("of a source is left out while no model meets it", () => {
    const left: Array<number> = []
    const configs: ReadonlyArray<ModelConfig> = [
      { id: "acme/none", router: { kind: "random", candidates: ["c/*"] } },
      ...models
    ]
    const made = Configuration.make(1, [upstream], configs, (index) => left.push(index))
    assert.deepStrictEqual(left, [0])
    assert.strictEqual(made.models.length, models.length)
  })
})

/** Hosts in plain JavaScript write anything. */
const makeInvalid = (router: unknown, rest: object) =>
  Configuration.make(
    1,
    [upstream],
    [
      ...models,
      { id: "acme/router2", router: { kind: "random" } },
      { id: "acme/router", router: router as RouterConfig, ...rest }
    ]
  )
