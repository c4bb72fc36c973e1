import { assert, describe, it } from "vitest"
import * as Bits from "../../../src/domains/listing/BitSet.ts"
import { findMatches } from "../../../src/domains/listing/findMatches.ts"
import type { ModelQuery } from "../../../src/domains/listing/ModelQuery.ts"
import { makeEndpoint, makeIndex, makeModel } from "./makeIndex.ts"

const now = Date.UTC(2026, 5, 1)
const day = 86_400

const index = makeIndex([
  makeModel("One/Plain", { name: "The Plain One", created: now / 1000 }),
  makeModel("two/middle", {
    name: "Middle",
    created: now / 1000 - 10 * day,
    distillable: true,
    family: "Fam",
    toolSuccessRate: 0,
    endpoints: [
      makeEndpoint({
        region: "EU",
        zdr: true,
        supportedParameters: ["seed"],
        otherParameters: ["Tools"]
      }),
      makeEndpoint({ provider: "other", variant: "fp8", region: "us" })
    ]
  }),
  makeModel("two/ageless", {
    endpoints: [makeEndpoint({ price: { prompt: "-1", completion: "-1" } })],
    card: { context_length: null, architecture: { tokenizer: "Router" } }
  })
])

const findIds = (query: ModelQuery): ReadonlyArray<string> => {
  const bits = findMatches(index, query, now)
  return index.models.filter((_, place) => Bits.has(bits, place)).map(({ name }) => name)
}
const allNames = ["The Plain One", "Middle", "two/ageless"]

describe("the models of a query", () => {
  it("are all models without filters", () => {
    assert.deepStrictEqual(findIds({}), allNames)
    assert.deepStrictEqual(findIds({ text: "  " }), allNames)
    assert.deepStrictEqual(findIds({ supportedParameters: [], inputModalities: [] }), allNames)
  })

  it("are none for an empty filter", () => {
    assert.deepStrictEqual(findIds({ authors: [] }), [])
    assert.deepStrictEqual(findIds({ providers: [] }), [])
    assert.deepStrictEqual(findIds({ outputModalities: [] }), [])
  })

  it("match whole names in any case", () => {
    assert.deepStrictEqual(findIds({ authors: ["ONE"] }), ["The Plain One"])
    assert.deepStrictEqual(findIds({ authors: ["on"] }), [])
    assert.deepStrictEqual(findIds({ supportedParameters: ["TOOLS", "Seed"] }), ["Middle"])
    assert.deepStrictEqual(findIds({ supportedParameters: ["tools", "top_k"] }), [])
    assert.deepStrictEqual(findIds({ architecture: "fam" }), ["Middle"])
    assert.deepStrictEqual(findIds({ architecture: "ROUTER" }), ["two/ageless"])
    assert.deepStrictEqual(findIds({ region: "eu" }), ["Middle"])
  })

  it("include regional endpoints in region filters, as guardrails do", () => {
    const placed = makeIndex(
      ["eu-west-1", "Europe", "europe-west4", "us-east5", "euphoria", undefined].map((region, i) =>
        makeModel(`a/${i}`, {
          endpoints: [makeEndpoint(region === undefined ? {} : { region })],
          name: region ?? "?"
        })
      )
    )
    const namesIn = (region: "eu" | "us") => {
      const bits = findMatches(placed, { region }, now)
      return placed.models.filter((_, place) => Bits.has(bits, place)).map(({ name }) => name)
    }
    assert.deepStrictEqual(namesIn("eu"), ["eu-west-1", "Europe", "europe-west4"])
    assert.deepStrictEqual(namesIn("us"), ["us-east5"])
  })

  it.each(["other", "OTHER/FP8", "the other cloud"])("match their provider as %s", (name) => {
    assert.deepStrictEqual(findIds({ providers: [name] }), ["Middle"])
  })

  it("have each word of a text in their name or slug, in any position", () => {
    assert.deepStrictEqual(findIds({ text: "ONE pla" }), ["The Plain One"])
    assert.deepStrictEqual(findIds({ text: "two\tMIDDLE" }), ["Middle"])
    assert.deepStrictEqual(findIds({ text: "plain middle" }), [])
  })

  it("match `distillable: false` when unknown", () => {
    assert.deepStrictEqual(findIds({ distillable: true }), ["Middle"])
    assert.deepStrictEqual(findIds({ distillable: false }), ["The Plain One", "two/ageless"])
  })

  it("are within ranges, inclusive, and outside of every range without the number", () => {
    assert.deepStrictEqual(findIds({ price: { min: 1, max: 1 } }), ["The Plain One", "Middle"])
    assert.deepStrictEqual(findIds({ outputPrice: { min: 2 } }), ["The Plain One", "Middle"])
    assert.deepStrictEqual(findIds({ outputPrice: {} }), ["The Plain One", "Middle"])
    assert.deepStrictEqual(findIds({ price: { min: 2, max: 1 } }), [])
    assert.deepStrictEqual(findIds({ toolSuccessRate: { max: 1 } }), ["Middle"])
    assert.deepStrictEqual(findIds({ context: 0 }), [])
  })

  it("are as old as requested, inclusive", () => {
    assert.deepStrictEqual(findIds({ ageDays: { min: 10, max: 10 } }), ["Middle"])
    assert.deepStrictEqual(findIds({ ageDays: { max: 10 } }), ["The Plain One", "Middle"])
    assert.deepStrictEqual(findIds({ ageDays: { max: 9.99 } }), ["The Plain One"])
    assert.deepStrictEqual(findIds({ ageDays: { min: 0 } }), ["The Plain One", "Middle"])
  })
})
