/** What Claude signs behind LiteLLM, in `thinking_blocks`, goes through the API of each caller, and back. */
import { describe, expect, test } from "vitest"
import type { Json, NativeAnswer } from "../dialects/NativeAnswer.ts"
import { speak } from "../dialects/speak.ts"
import { continueBy } from "./continueBy.ts"
import { callers, startOddServer, streamedChat, wholeChat } from "./OddServer.ts"

const call = {
  id: "toolu_1",
  type: "function",
  function: { name: "look", arguments: '{"at":1}' }
}
const blocks = [
  { type: "thinking", thinking: "plan", signature: "c2lnbmVk" },
  { type: "redacted_thinking", data: "cmVkYWN0ZWQ=" }
]
/** https://docs.litellm.ai/docs/reasoning_content */
const answer: NativeAnswer = {
  whole: wholeChat(
    { content: null, reasoning_content: "plan", thinking_blocks: blocks, tool_calls: [call] },
    "tool_calls"
  ),
  events: streamedChat(
    [
      {
        reasoning_content: "pl",
        thinking_blocks: [{ ...blocks[0], thinking: "pl", signature: "" }]
      },
      {
        reasoning_content: "an",
        thinking_blocks: [{ ...blocks[0], thinking: "an", signature: "" }]
      },
      { reasoning_content: "", thinking_blocks: [{ ...blocks[0], thinking: "" }] },
      { thinking_blocks: [blocks[1]] },
      { tool_calls: [{ index: 0, ...call }] }
    ],
    "tool_calls"
  )
}

const findAssistant = ({ messages }: Json): unknown =>
  (messages as ReadonlyArray<Json>).find(({ role }) => role === "assistant")

describe.each(callers)("by the API $name (stream: $isStreamed)", ({ api, isStreamed, name }) => {
  test("signed thoughts come back in `thinking_blocks`", async () => {
    const { ask, server } = await startOddServer()
    const { reasoning } = await ask({ api, isStreamed }, answer)
    expect(reasoning).toBe("plan")
    const request = await continueBy[name](server, isStreamed)
    const { sent } = await ask({ api, isStreamed }, answer, { request })
    expect(findAssistant(sent)).toMatchObject({
      thinking_blocks: blocks,
      tool_calls: [{ id: "toolu_1" }]
    })
  })
})

// https://github.com/BerriAI/litellm/issues/37849
describe.each(callers)("by the API $name (stream: $isStreamed)", ({ api, isStreamed, name }) => {
  test("an id that holds a signature of Gemini comes back as it was", async () => {
    const { ask, server } = await startOddServer()
    const id = `call_abc__thought__${"c2lnbmVk/+".repeat(20)}==`
    const signed = {
      whole: wholeChat({ content: null, tool_calls: [{ ...call, id }] }, "tool_calls"),
      events: streamedChat([{ tool_calls: [{ index: 0, ...call, id }] }], "tool_calls")
    }
    await ask({ api, isStreamed }, signed)
    const request = await continueBy[name](server, isStreamed)
    const { sent } = await ask({ api, isStreamed }, signed, { request })
    expect(findAssistant(sent)).toMatchObject({ tool_calls: [{ id }] })
    expect(sent["messages"]).toContainEqual(expect.objectContaining({ tool_call_id: id }))
  })

  // https://docs.litellm.ai/blog/gemini_3
  test("a signature of Gemini beside a call comes back to it", async () => {
    const { ask, server } = await startOddServer()
    const fields = { provider_specific_fields: { thought_signature: "c2lnbmVk" } }
    const signed = {
      whole: wholeChat({ content: null, tool_calls: [{ ...call, ...fields }] }, "tool_calls"),
      events: streamedChat([{ tool_calls: [{ index: 0, ...call, ...fields }] }], "tool_calls")
    }
    await ask({ api, isStreamed }, signed)
    const request = await continueBy[name](server, isStreamed)
    const { sent } = await ask({ api, isStreamed }, signed, { request })
    expect(findAssistant(sent)).toMatchObject({
      tool_calls: [{ extra_content: { google: { thought_signature: "c2lnbmVk" } } }]
    })
  })
})

test("a chat that sends `thinking_blocks` reaches Claude with them", async () => {
  const { ask } = await startOddServer()
  const [caller] = callers
  const { sent } = await ask(caller!, speak({ said: [{ text: ["Calm."] }] }).messages, {
    provider: "messages",
    request: {
      messages: [
        { role: "user", content: "Is it calm at sea?" },
        { role: "assistant", content: "", thinking_blocks: blocks, tool_calls: [call] },
        { role: "tool", tool_call_id: "toolu_1", content: "Calm." }
      ]
    }
  })
  expect(findAssistant(sent)).toMatchObject({
    content: [...blocks, { type: "tool_use", id: "toolu_1" }]
  })
})
