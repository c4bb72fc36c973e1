/** What servers of the chat dialect say and think in their own ways reaches the client of each API. */
import { describe, expect, test } from "vitest"
import { callers, startOddServer, streamedChat, wholeChat } from "./OddServer.ts"
import { thinkingCases } from "./thinkingCases.ts"

describe.each(callers)("by the API $name (stream: $isStreamed), thoughts", (caller) => {
  test.each(thinkingCases)(
    "$name arrive",
    async ({ content = "ab", deltas, message, reasoning = "plan" }) => {
      const { ask } = await startOddServer()
      const asked = await ask(caller, {
        whole: wholeChat(message),
        events: streamedChat(deltas ?? [message])
      })
      expect(asked.content).toBe(content)
      expect(asked.finish).toBe("stop")
      expect(asked.reasoning).toBe(reasoning)
    }
  )

  test("come before a call", async () => {
    const { ask } = await startOddServer()
    const tool_calls = [{ type: "function", function: { name: "look", arguments: { at: 1 } } }]
    const message = { content: null, reasoning_content: "plan", tool_calls }
    const asked = await ask(caller, {
      whole: wholeChat(message, "tool_calls"),
      events: streamedChat([message], "tool_calls")
    })
    expect(asked.calls).toMatchObject([{ name: "look", arguments: '{"at":1}' }])
    expect(asked.reasoning).toBe("plan")
  })
})

/** The events that are read without parsing them. */
test("each of many thoughts arrives in the field of the contract and in that of the server", async () => {
  const { ask } = await startOddServer()
  const deltas = Array.from({ length: 20 }, (_, at) => ({ reasoning_content: `Step ${at}. ` }))
  const said = deltas.map((delta) => delta.reasoning_content).join("")
  const chat = callers.find(({ isStreamed, name }) => isStreamed && name === "chat")!
  const { reasoning, text } = await ask(chat, {
    events: streamedChat([...deltas, { content: "ab" }])
  })
  expect(reasoning).toBe(said)
  for (const { reasoning_content } of deltas) {
    const written = JSON.stringify({ reasoning_content, reasoning: reasoning_content })
    expect(text).toContain(`${written.slice(1)},"finish_reason":null`)
  }
})
