import { assert, describe, it } from "vitest"
import * as Bits from "../../src/listing/Bits.ts"
import { matching } from "../../src/listing/matching.ts"
import type { ModelQuery } from "../../src/listing/ModelQuery.ts"
import { endpoint, indexed, model } from "./indexed.ts"

const now = Date.UTC(2026, 5, 1)
const day = 86_400

const index = indexed([
  model("One/Plain", { name: "The Plain One", created: now / 1000 }),
  model("two/middle", {
    name: "Middle",
    created: now / 1000 - 10 * day,
    distillable: true,
    family: "Fam",
    toolSuccessRate: 0,
    endpoints: [
      endpoint({
        region: "EU",
        zdr: true,
        supportedParameters: ["seed"],
        otherParameters: ["Tools"]
      }),
      endpoint({ provider: "other", variant: "fp8", region: "us" })
    ]
  }),
  model("two/ageless", {
    endpoints: [endpoint({ price: { prompt: "-1", completion: "-1" } })],
    card: { context_length: null, architecture: { tokenizer: "Router" } }
  })
])

const found = (query: ModelQuery): ReadonlyArray<string> => {
  const bits = matching(index, query, now)
  return index.models.filter((_, place) => Bits.has(bits, place)).map(({ name }) => name)
}
const everybody = ["The Plain One", "Middle", "two/ageless"]

describe("the models a query asks for", () => {
  it("are all of them when it asks for nothing", () => {
    assert.deepStrictEqual(found({}), everybody)
    assert.deepStrictEqual(found({ text: "  " }), everybody)
    assert.deepStrictEqual(found({ supportedParameters: [], inputModalities: [] }), everybody)
  })

  it("are none when it asks for one of nothing", () => {
    assert.deepStrictEqual(found({ authors: [] }), [])
    assert.deepStrictEqual(found({ providers: [] }), [])
    assert.deepStrictEqual(found({ outputModalities: [] }), [])
  })

  it("match names in any case, and whole names alone", () => {
    assert.deepStrictEqual(found({ authors: ["ONE"] }), ["The Plain One"])
    assert.deepStrictEqual(found({ authors: ["on"] }), [])
    assert.deepStrictEqual(found({ supportedParameters: ["TOOLS", "Seed"] }), ["Middle"])
    assert.deepStrictEqual(found({ supportedParameters: ["tools", "top_k"] }), [])
    assert.deepStrictEqual(found({ architecture: "fam" }), ["Middle"])
    assert.deepStrictEqual(found({ architecture: "ROUTER" }), ["two/ageless"])
    assert.deepStrictEqual(found({ region: "eu" }), ["Middle"])
  })

  it("left out places in a region, which guardrails take for the region", () => {
    const placed = indexed(
      ["eu-west-1", "Europe", "europe-west4", "us-east5", "euphoria", undefined].map((region, i) =>
        model(`a/${i}`, {
          endpoints: [endpoint(region === undefined ? {} : { region })],
          name: region ?? "?"
        })
      )
    )
    const namesIn = (region: "eu" | "us") => {
      const bits = matching(placed, { region }, now)
      return placed.models.filter((_, place) => Bits.has(bits, place)).map(({ name }) => name)
    }
    assert.deepStrictEqual(namesIn("eu"), ["eu-west-1", "Europe", "europe-west4"])
    assert.deepStrictEqual(namesIn("us"), ["us-east5"])
  })

  it.each(["other", "OTHER/FP8", "the other cloud"])(
    "are found by their provider as %s",
    (name) => {
      assert.deepStrictEqual(found({ providers: [name] }), ["Middle"])
    }
  )

  it("have each word of a text in their name or their slug, wherever it stands", () => {
    assert.deepStrictEqual(found({ text: "ONE pla" }), ["The Plain One"])
    assert.deepStrictEqual(found({ text: "two\tMIDDLE" }), ["Middle"])
    assert.deepStrictEqual(found({ text: "plain middle" }), [])
  })

  it("do not have what `distillable: false` asks for when nobody says they may be learnt from", () => {
    assert.deepStrictEqual(found({ distillable: true }), ["Middle"])
    assert.deepStrictEqual(found({ distillable: false }), ["The Plain One", "two/ageless"])
  })

  it("are within ranges, the ends included, and outside of every range without the number", () => {
    assert.deepStrictEqual(found({ price: { min: 1, max: 1 } }), ["The Plain One", "Middle"])
    assert.deepStrictEqual(found({ outputPrice: { min: 2 } }), ["The Plain One", "Middle"])
    assert.deepStrictEqual(found({ outputPrice: {} }), ["The Plain One", "Middle"])
    assert.deepStrictEqual(found({ price: { min: 2, max: 1 } }), [])
    assert.deepStrictEqual(found({ toolSuccessRate: { max: 1 } }), ["Middle"])
    assert.deepStrictEqual(found({ context: 0 }), [])
  })

  it("are as old as asked, the ends included", () => {
    assert.deepStrictEqual(found({ ageDays: { min: 10, max: 10 } }), ["Middle"])
    assert.deepStrictEqual(found({ ageDays: { max: 10 } }), ["The Plain One", "Middle"])
    assert.deepStrictEqual(found({ ageDays: { max: 9.99 } }), ["The Plain One"])
    assert.deepStrictEqual(found({ ageDays: { min: 0 } }), ["The Plain One", "Middle"])
  })
})
