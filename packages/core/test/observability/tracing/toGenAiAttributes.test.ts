import { assert, it } from "vitest"
import { maxTextCharacters } from "../../../src/observability/generations/truncateGeneration.ts"
import { toGenAiAttributes } from "../../../src/observability/tracing/toGenAiAttributes.ts"

it("the span of an attempt held whatever an upstream called its model", () => {
  const attributes = toGenAiAttributes({
    operation: "chat",
    provider: "one",
    model: "a/b",
    responseModel: "m".repeat(1_000_000),
    usage: undefined
  })
  assert.strictEqual(String(attributes["gen_ai.response.model"]).length, maxTextCharacters)
})
