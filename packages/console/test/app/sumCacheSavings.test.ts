import { expect, test } from "vitest"
import { sumCacheSavings } from "../../app/pages/spend/sumCacheSavings.ts"

test("sums up what cached tokens would have cost more", () => {
  const cheap = { prompt: "0.00001", input_cache_read: "0.000001" }
  expect(
    sumCacheSavings([
      { tokens: 10_000, pricing: cheap },
      { tokens: 1_000_000, pricing: { prompt: "0.000002", input_cache_read: "0.000001" } }
    ])
  ).toBeCloseTo(1.09, 9)
})

test.each([
  ["no model", undefined],
  ["no price of cached tokens", { prompt: "1" }],
  ["an unknown price", { prompt: "1", input_cache_read: "-1" }],
  ["an unknown price of others", { prompt: "-1", input_cache_read: "0" }],
  ["a dearer cache", { prompt: "1", input_cache_read: "2" }]
])("with %s, nothing is saved", (_, pricing) => {
  expect(sumCacheSavings([{ tokens: 10, pricing }])).toBe(0)
})
