/** The most tokens of a request for images, by which money is reserved. */
import { expect, it } from "vitest"
import { openai } from "../src/index.ts"

const estimate = (model: string): number | undefined =>
  openai({ apiKey: "sk-test" }).images?.estimateWorstCase({
    model,
    prompt: "A lighthouse",
    n: 1,
    references: [],
    parameters: {},
    previews: 0
  }).outputTokens

it.each([
  ["gpt-image-1", 6_240],
  ["gpt-image-1-mini", 6_240],
  ["gpt-image-1.5", 6_240],
  ["gpt-image-2", 12_329],
  ["openai/gpt-image-2.5", 12_329],
  ["gpt-image-10", 12_329],
  ["chatgpt-image-latest", 12_329]
])("the largest image of %s fits into its reservation", (model, mostTokens) => {
  expect(estimate(model)).toBeGreaterThanOrEqual(mostTokens)
})
