import { assert, describe, it } from "@effect/vitest"
import { attachSignatures } from "../../src/dialects/chat/reasoningDetails.ts"
import { getReasoningFamily } from "../../src/dialects/reasoningFamily.ts"

describe("a format of the AI SDK", () => {
  it("belongs to the family of its provider alone", () => {
    assert.strictEqual(getReasoningFamily("ai-sdk-groq.chat-v1"), "ai-sdk-groq.chat")
    assert.strictEqual(getReasoningFamily("ai-sdk-openai.responses-v1"), "ai-sdk-openai.responses")
    assert.strictEqual(getReasoningFamily("ai-sdk-x-responses-v1"), "ai-sdk-x-responses")
    assert.isUndefined(getReasoningFamily("ai-sdk-groq.chat"))
  })

  it("signs calls and texts", () => {
    const format = "ai-sdk-fake.chat-v1"
    const signature = { format, value: "{}" }
    const text = { type: "text", text: "Yes." } as const
    const called = { type: "call", id: "c1", name: "x", arguments: "{}" } as const
    assert.deepStrictEqual(
      attachSignatures([
        { type: "reasoning", format, encrypted: "{}", id: "c1" },
        { type: "reasoning", format, encrypted: "{}" },
        text,
        called
      ]),
      [
        { ...text, signature },
        { ...called, signature }
      ]
    )
  })
})
