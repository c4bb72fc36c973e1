import { assert, describe, it } from "@effect/vitest"
import {
  estimatePromptTokens,
  hasImages
} from "../../../src/domains/decisions/parseDecisionRequest.ts"
import type { DecisionRequest } from "../../../src/domains/decisions/Decision.ts"

const image = {
  type: "image_url",
  image_url: { url: `data:image/png;base64,${"A".repeat(800_000)}` }
}
const request = (state: DecisionRequest["state"]): DecisionRequest => ({
  model: "a/b",
  state,
  questions: { q: { type: "noul", instructions: "?" } }
})

describe("the size of content", () => {
  it("estimates four bytes a token, and a constant number of tokens an image", () => {
    assert.strictEqual(estimatePromptTokens(request("text"), 400), 100)
    const shown = request(["look", image, image])
    const withImages = estimatePromptTokens(shown, JSON.stringify(shown).length)
    assert.isAbove(withImages, 2_000)
    assert.isBelow(withImages, 2_100)
  })

  it("counts only items with an image", () => {
    assert.isTrue(hasImages([image]))
    assert.isFalse(hasImages([{ type: "image_url" }]))
    assert.isFalse(hasImages([{ type: "image_url", image_url: "x" }]))
    assert.isFalse(hasImages(image))
  })
})
