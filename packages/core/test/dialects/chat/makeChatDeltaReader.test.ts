import { assert, describe, it } from "vitest"
import { AnswerCollector } from "../../../src/conversation/AnswerCollector.ts"
import { makeChatDeltaReader } from "../../../src/dialects/chat/makeChatDeltaReader.ts"
import { writeChatMessage } from "../../../src/dialects/chat/writeAnswer.ts"

describe("makeChatDeltaReader", () => {
  it("reads reasoning whose id is an object without a text", () => {
    const id: unknown = JSON.parse('{"toString":null}')
    const detail = { type: "reasoning.text", text: "so", id, format: "openai-responses-v1" }
    const [event] = makeChatDeltaReader()({ reasoning_details: [detail] })
    assert.deepInclude(event, { type: "thought", text: "so", format: "openai-responses-v1" })
    assert.notProperty(event, "id")
  })

  it("keeps a call that only its server knows among the calls", () => {
    const call = { type: "mcp", id: "m1", server: "docs" }
    const events = makeChatDeltaReader()({ tool_calls: [call] })
    const collector = new AnswerCollector()
    for (const event of events) collector.add(event)
    const message = writeChatMessage({ parts: collector.toParts() })
    assert.deepStrictEqual(message["tool_calls"], [call])
    assert.notProperty(message, "server")
  })
})
