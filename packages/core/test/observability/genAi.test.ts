import { assert, it } from "vitest"
import { longestText } from "../../src/observability/clipGeneration.ts"
import { genAi } from "../../src/observability/genAi.ts"

it("the span of an attempt held whatever an upstream called its model", () => {
  const attributes = genAi({
    operation: "chat",
    provider: "one",
    model: "a/b",
    answering: "m".repeat(1_000_000),
    usage: undefined
  })
  assert.strictEqual(String(attributes["gen_ai.response.model"]).length, longestText)
})
