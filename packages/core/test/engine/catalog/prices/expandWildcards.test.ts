import { assert, describe, it } from "@effect/vitest"
import type { ModelConfig } from "../../../../src/engine/catalog/model/Model.ts"
import { expandWildcards } from "../../../../src/engine/catalog/prices/expandWildcards.ts"
import { book, upstreams } from "./priceBook.ts"

const expand = (...models: ReadonlyArray<ModelConfig>) => expandWildcards(models, upstreams, book)

const explain = (model: ModelConfig): string => {
  try {
    expand(model)
    return "nothing"
  } catch (error) {
    return error instanceof RangeError ? error.message : "no RangeError"
  }
}

describe("expandWildcards", () => {
  it("makes every known model of a provider available, without deprecated ones", () => {
    assert.deepStrictEqual(
      expand({ id: "acme/*", hidden: true, endpoints: [{ provider: "acme" }] }),
      [
        { id: "acme/small", hidden: true, endpoints: [{ provider: "acme", model: "small" }] },
        { id: "acme/large", hidden: true, endpoints: [{ provider: "acme", model: "large" }] }
      ]
    )
  })

  it("lets explicit models win, and the first of several wildcards", () => {
    const explicit = { id: "acme/small", endpoints: [{ provider: "own", price: {} }] }
    assert.deepStrictEqual(
      expand(
        { id: "acme/l*", endpoints: [{ provider: "acme", region: "eu" }] },
        { id: "acme/*", endpoints: [{ provider: "acme" }] },
        explicit
      ),
      [
        { id: "acme/large", endpoints: [{ provider: "acme", region: "eu", model: "large" }] },
        explicit
      ]
    )
  })

  it("gives a model an endpoint at each provider that has it", () => {
    assert.deepStrictEqual(
      expand({ id: "acme/*", endpoints: [{ provider: "acme" }, { provider: "reseller" }] }),
      [
        {
          id: "acme/small",
          endpoints: [
            { provider: "acme", model: "small" },
            { provider: "reseller", model: "acme/small" }
          ]
        },
        { id: "acme/large", endpoints: [{ provider: "acme", model: "large" }] },
        { id: "acme/open", endpoints: [{ provider: "reseller", model: "acme/open" }] }
      ]
    )
  })

  it("leaves lists without wildcards as they are", () => {
    const models = [{ id: "acme/small", endpoints: [] }]
    assert.strictEqual(expandWildcards(models, upstreams, undefined), models)
  })

  it.each([
    [
      { id: "acme/*", endpoints: [{ provider: "own" }] },
      /"own" are not known, because it is at an address of your own/
    ],
    [
      { id: "acme/*", endpoints: [{ provider: "strange" }] },
      /"strange" are not known, because the list does not have it/
    ],
    [
      { id: "acme/x*", endpoints: [{ provider: "acme" }] },
      /the prices have no such model of its providers/
    ],
    [{ id: "*", endpoints: [{ provider: "acme" }] }, /such as "openai\/\*"/],
    [{ id: "acme/*l*", endpoints: [{ provider: "acme" }] }, /such as "openai\/\*"/],
    [{ id: "acme/*", endpoints: [] }, /no endpoint/],
    [
      { id: "acme/*", aliases: ["fast"], endpoints: [{ provider: "acme" }] },
      /a wildcard cannot have aliases/
    ],
    [{ id: "acme/*", endpoints: [{ provider: "acme", model: "small" }] }, /leave model out/]
  ] as const)("refuses %j", (model, words) => {
    assert.match(explain(model), words)
    assert.match(explain(model), /^models\.0: model "/)
  })

  it("says that there are no prices", () => {
    assert.throws(
      () =>
        expandWildcards(
          [{ id: "acme/*", endpoints: [{ provider: "acme" }] }],
          upstreams,
          undefined
        ),
      /because there are no prices/
    )
  })
})
