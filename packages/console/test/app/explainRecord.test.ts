import { describe, expect, it } from "vitest"
import { explainCost, explainTime } from "../../app/pages/requests/explainRecord.ts"

const served = {
  connection_wait: 0,
  latency: 1_600,
  lost: false,
  outcome: "served",
  provider_name: "Northwind",
  time_to_first_token: null,
  usage: { tokens_completion: 500 }
}

describe("where the time went", () => {
  it.each([
    ["the answer of Northwind", [served]],
    ["the wait for the first token of Northwind", [{ ...served, time_to_first_token: 1_600 }]],
    [
      "the answer of Northwind after its first token, of 500 tokens",
      [{ ...served, latency: 1_700, time_to_first_token: 100 }]
    ],
    [
      "an attempt at Driftwood that failed",
      [
        { ...served, latency: 100 },
        { ...served, outcome: "timeout", provider_name: "Driftwood" }
      ]
    ],
    [
      "the wait for a free connection to Northwind",
      [{ ...served, latency: 20, connection_wait: 1_600 }]
    ]
  ])("is told as %s", (what, attempts) => {
    expect(explainTime({ attempts, queue_wait: 100 })).toBe(`Most of it, 1.60 s, was ${what}.`)
  })

  it("leaves out an attempt beside the one that answered", () => {
    const beside = { ...served, latency: 9_000, lost: true, outcome: "lost" }
    expect(explainTime({ attempts: [beside, served], queue_wait: 0 })).toContain("1.60 s")
  })

  it("is told as the wait in the request queue", () => {
    expect(explainTime({ attempts: [served], queue_wait: 2_000 })).toBe(
      "Most of it, 2.00 s, was the wait in the request queue."
    )
  })

  it("is not told of no attempt", () => {
    expect(explainTime({ attempts: [], queue_wait: 0 })).toBeUndefined()
  })
})

describe("where the money went", () => {
  const usage = { tokens_cached: 0, tokens_completion: 30, tokens_prompt: 40_000 }
  const attempts = [{ cost: 0.5, outcome: "served" }]

  it.each([
    ["It cost $0.50 for 40,000 tokens in and 30 out.", { attempts, cost: 0.5, usage }],
    [
      "It cost $0.50 for 40,000 tokens in, 200 of them from a cache, and 30 out.",
      { attempts, cost: 0.5, usage: { ...usage, tokens_cached: 200 } }
    ],
    [
      "It cost $0.75 for 40,000 tokens in and 30 out; $0.25 of it for attempts without an answer.",
      { attempts: [{ cost: 0.25, outcome: "interrupted" }, ...attempts], cost: 0.75, usage }
    ],
    ["It cost $0.50.", { attempts, cost: 0.5, usage: null }]
  ])("is told as %s", (sentence, record) => {
    expect(explainCost(record)).toBe(sentence)
  })

  it.each([0, null])("is not told of a cost of %s", (cost) => {
    expect(explainCost({ attempts: [], cost, usage })).toBeUndefined()
  })
})
