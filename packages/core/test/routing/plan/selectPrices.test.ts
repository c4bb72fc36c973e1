import { assert, describe, it } from "vitest"
import { makeCandidate, makePricedCandidate } from "../makeCandidate.ts"
import { makeSnapshot } from "../makeReport.ts"
import { makePlan, summarizePlan, toTags } from "./makePlan.ts"

/** Cheaper than 2 USD per million, except for long prompts, and by night in any case. */
const changing = makeCandidate({
  provider: "changing",
  price: {
    prompt: "0.000001",
    completion: "0.000001",
    overrides: [
      { min_prompt_tokens: 1_000, prompt: "0.000003", completion: "0.000003" },
      { utc_start: 0, utc_end: 600, prompt: "0.0000005", completion: "0.0000005" }
    ]
  }
})
const steady = makePricedCandidate("steady", 2)

const day = Date.parse("2030-01-07T12:00Z")
const night = Date.parse("2030-01-08T05:59Z")

const planFor = (inputTokens: number, now: number, preferences = {}) =>
  makePlan([steady, changing], preferences, {
    requirements: { parameters: [], inputTokens, outputTokens: 100 },
    health: makeSnapshot({}, now)
  })

const orderFor = (inputTokens: number, now: number) =>
  toTags(planFor(inputTokens, now, { sort: "price" }).ordered)

const capped = (inputTokens: number, now: number) =>
  summarizePlan(planFor(inputTokens, now, { max_price: { prompt: 2 } }))

describe("a plan with prices that depend on the prompt and the time", () => {
  it("sorts by the price that applies", () => {
    assert.deepStrictEqual(orderFor(1_000, day), ["changing", "steady"])
    assert.deepStrictEqual(orderFor(1_001, day), ["steady", "changing"])
    assert.deepStrictEqual(orderFor(1_001, night), ["changing", "steady"])
  })

  it("caps the price that applies", () => {
    assert.sameMembers([...capped(1_000, day).ordered], ["changing", "steady"])
    const { ordered, rejected } = capped(1_001, day)
    assert.deepStrictEqual(ordered, ["steady"])
    assert.deepStrictEqual(rejected["changing"], [
      "max_price of request: wanted <= 2 USD per million prompt tokens, found 3"
    ])
    assert.sameMembers([...capped(1_001, night).ordered], ["changing", "steady"])
  })

  it("excludes a price that may be unknown while spending is limited", () => {
    const unknown = makeCandidate({
      provider: "unknown",
      price: { prompt: "0", completion: "0", overrides: [{ utc_start: 2300, prompt: "-1" }] }
    })
    const constraint = { source: "account", budgeted: true }
    const { ordered } = makePlan([steady, unknown], {}, { constraints: [constraint] })
    assert.deepStrictEqual(toTags(ordered), ["steady"])
  })
})
