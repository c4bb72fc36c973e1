import { assert, describe, it } from "vitest"
import { estimateCost } from "../../../src/routing/plan/selectPrices.ts"
import { makeCandidate } from "../makeCandidate.ts"

const demand = { parameters: [], inputTokens: 100, outputTokens: 0 }
const at = makeCandidate({
  provider: "one",
  price: { prompt: "0.001", completion: "0.01", request: "0.5", image: "0.25" }
})

describe("estimateCost", () => {
  it("sums the prices of prompt, answer and request", () => {
    assert.approximately(estimateCost(at, { ...demand, outputTokens: 10 }), 0.7, 1e-9)
  })

  it("includes the expected length of an answer", () => {
    const open = { ...demand, expectedOutputTokens: 100 }
    assert.approximately(estimateCost(at, open), 1.6, 1e-9)
  })

  it("includes the price of images", () => {
    assert.approximately(estimateCost(at, { ...demand, images: 2 }), 1.1, 1e-9)
    const unknown = makeCandidate({
      provider: "two",
      price: { prompt: "0", completion: "0", image: "-1" }
    })
    assert.strictEqual(estimateCost(unknown, demand), 0)
    assert.strictEqual(estimateCost(unknown, { ...demand, images: 1 }), Infinity)
  })
})
