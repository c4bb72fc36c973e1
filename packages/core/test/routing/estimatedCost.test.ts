import { assert, describe, it } from "vitest"
import { estimatedCost } from "../../src/routing/estimatedCost.ts"
import { candidate } from "./candidate.ts"

const demand = { parameters: [], inputTokens: 100, outputTokens: 0 }
const at = candidate({
  provider: "one",
  price: { prompt: "0.001", completion: "0.01", request: "0.5", image: "0.25" }
})

describe("estimatedCost", () => {
  it("is made of the prompt, the answer and the request", () => {
    assert.approximately(estimatedCost(at, { ...demand, outputTokens: 10 }), 0.7, 1e-9)
  })

  it("took an answer of no known length for free", () => {
    const open = { ...demand, expectedOutputTokens: 100 }
    assert.approximately(estimatedCost(at, open), 1.6, 1e-9)
  })

  it("left out what pictures cost", () => {
    assert.approximately(estimatedCost(at, { ...demand, images: 2 }), 1.1, 1e-9)
    const unknown = candidate({
      provider: "two",
      price: { prompt: "0", completion: "0", image: "-1" }
    })
    assert.strictEqual(estimatedCost(unknown, demand), 0)
    assert.strictEqual(estimatedCost(unknown, { ...demand, images: 1 }), Infinity)
  })
})
