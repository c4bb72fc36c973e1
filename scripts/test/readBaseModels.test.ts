import { assert, describe, it } from "@effect/vitest"
import type { PublishedModel } from "../prices/PublishedModel.ts"
import { readBaseModels } from "../prices/readBaseModels.ts"

const limit = { context: 1_000, output: 100 }
const base = { modalities: { input: ["text"], output: ["text"] }, limit }
const cost = { input: 3, output: 15 }

const readCosts = (
  rows: ReadonlyArray<Pick<PublishedModel, "cost"> & { readonly provider: string }>
) => {
  const list = readBaseModels(
    { "openai/small": base },
    {
      "openai/small": rows.map(({ provider, ...row }) => ({
        provider,
        model_id: `${provider}-small`,
        limit,
        cost,
        ...row
      }))
    }
  )
  return Object.fromEntries(
    Object.entries(list).map(([provider, { models }]) => [
      provider,
      Object.entries(models).map(([name, model]) => [name, model.cost])
    ])
  )
}

describe("readBaseModels", () => {
  it("takes what all of three sellers charge for the author's own price", () => {
    const cached = { ...cost, cache_read: 1 }
    const rows = [
      { provider: "one" },
      { provider: "two", cost: cached },
      { provider: "three", cost: cached },
      { provider: "four", cost: { ...cached, reasoning: 15 } },
      { provider: "free", cost: { input: 0, output: 0 } }
    ]
    assert.deepStrictEqual(readCosts(rows)["openai"], [["small", cached]])
    assert.deepStrictEqual(readCosts(rows)["one"], [["one-small", cost]])
  })

  it.each([
    ["a price of two sellers", [{ provider: "one" }, { provider: "two" }, { provider: "two" }]],
    [
      "a price that one seller adds to",
      [
        { provider: "one" },
        { provider: "two" },
        { provider: "three", cost: { input: 4, output: 15 } }
      ]
    ],
    [
      "a price of caches that differs",
      [
        { provider: "one", cost: { ...cost, cache_read: 1 } },
        { provider: "two", cost: { ...cost, cache_read: 2 } },
        { provider: "three" }
      ]
    ],
    [
      "a price that rises with long prompts at one seller",
      [
        { provider: "one" },
        { provider: "two" },
        { provider: "three", cost: { ...cost, tiers: [{ ...cost, tier: { size: 200 } }] } }
      ]
    ]
  ])("leaves %s unknown", (_, rows) => {
    assert.isUndefined(readCosts(rows)["openai"])
  })

  it("keeps what the author states itself", () => {
    const rows = [{ provider: "openai", cost: { input: 1, output: 2 } }]
    assert.deepStrictEqual(readCosts(rows)["openai"], [["openai-small", { input: 1, output: 2 }]])
  })
})
