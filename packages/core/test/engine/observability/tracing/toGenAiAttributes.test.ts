import { assert, it } from "vitest"
import { maxTextCharacters } from "../../../../src/engine/observability/generations/truncateGeneration.ts"
import { toGenAiAttributes } from "../../../../src/engine/observability/tracing/toGenAiAttributes.ts"

it("truncates the model name of an upstream in the span of an attempt", () => {
  const attributes = toGenAiAttributes({
    operation: "chat",
    provider: "one",
    model: "a/b",
    responseModel: "m".repeat(1_000_000),
    usage: undefined
  })
  assert.strictEqual(String(attributes["gen_ai.response.model"]).length, maxTextCharacters)
})
