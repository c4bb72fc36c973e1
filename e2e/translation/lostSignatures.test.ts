/** What Google's endpoint for OpenAI's dialect signs goes through the API of each caller, and back to its place. */
import { describe, expect, test } from "vitest"
import type { Json, NativeAnswer } from "../dialects/NativeAnswer.ts"
import { continueBy } from "./continueBy.ts"
import { startOddServer, streamedChat, wholeChat } from "./OddServer.ts"
import { callers } from "./OddServer.ts"

const signature = "c2lnbmVkLWNhbGw="
const textSignature = "c2lnbmVkLXRleHQ="
const sign = (thought_signature: string) => ({ extra_content: { google: { thought_signature } } })

/** The first of parallel calls has the signature. */
const calls = [
  {
    id: "a",
    type: "function",
    function: { name: "look", arguments: '{"at":1}' },
    ...sign(signature)
  },
  { id: "b", type: "function", function: { name: "look", arguments: '{"at":2}' } }
]

const signedCalls: NativeAnswer = {
  whole: wholeChat({ content: null, tool_calls: calls }, "tool_calls"),
  events: streamedChat(
    calls.map((call, index) => ({ tool_calls: [{ index, ...call }] })),
    "tool_calls"
  )
}

const results = calls.map(({ id }) => ({ id, text: "Waves of one metre." }))
const question = "Is it calm at sea?"

describe.each(callers)("by the API $name (stream: $isStreamed)", ({ api, isStreamed, name }) => {
  test("the signature of a call comes back to it, and to no other", async () => {
    const { ask, server } = await startOddServer()
    // Sets the answer of the provider.
    await ask({ api, isStreamed }, signedCalls)
    const request = await continueBy[name](server, isStreamed)
    const { sent } = await ask({ api, isStreamed }, signedCalls, { request })
    const assistant = (sent["messages"] as ReadonlyArray<Json>).find(
      ({ role }) => role === "assistant"
    )
    expect(assistant?.["tool_calls"]).toEqual([
      expect.objectContaining({ id: "a", ...sign(signature) }),
      expect.not.objectContaining({ extra_content: expect.anything() })
    ])
  })

  test("the signature of a text comes back beside it", async () => {
    const { ask, server } = await startOddServer()
    const answer = {
      whole: wholeChat({ content: "Calm.", ...sign(textSignature) }),
      events: streamedChat([{ content: "Calm.", ...sign(textSignature) }])
    }
    const { content } = await ask({ api, isStreamed }, answer)
    expect(content).toBe("Calm.")
    const request = await continueBy[name](server, isStreamed)
    const { sent } = await ask({ api, isStreamed }, answer, { request })
    expect(sent["messages"]).toContainEqual(
      expect.objectContaining({ role: "assistant", content: "Calm.", ...sign(textSignature) })
    )
  })

  test("thoughts that are marked so in the content are thoughts", async () => {
    const { ask } = await startOddServer()
    const thought = { google: { thought: true } }
    const { content, reasoning } = await ask(
      { api, isStreamed },
      {
        whole: wholeChat({ content: "<thought>plan</thought>ab", extra_content: thought }),
        events: streamedChat([
          { content: "<thought>pl", extra_content: thought },
          { content: "an", extra_content: thought },
          { content: "</thought>ab" }
        ])
      }
    )
    expect({ content, reasoning }).toEqual({ content: "ab", reasoning: "plan" })
  })
})

test("a chat that sends the signature at its call sends it on unchanged", async () => {
  const { ask } = await startOddServer()
  const [caller] = callers
  const { sent } = await ask(caller!, signedCalls, {
    request: {
      messages: [
        { role: "user", content: question },
        { role: "assistant", content: null, tool_calls: calls },
        ...results.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text }))
      ]
    }
  })
  expect(sent["messages"]).toContainEqual({ role: "assistant", content: null, tool_calls: calls })
})

test("a signature at its call in a chat reaches Google's own API", async () => {
  const { ask } = await startOddServer()
  const [caller] = callers
  const { sent } = await ask(
    caller!,
    { whole: { candidates: [{ content: { parts: [{ text: "Hi" }] }, finishReason: "STOP" }] } },
    {
      provider: "gemini",
      request: {
        messages: [
          { role: "user", content: question },
          { role: "assistant", content: null, tool_calls: calls },
          ...results.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text }))
        ]
      }
    }
  )
  expect(JSON.stringify(sent)).toContain(`"thoughtSignature":"${signature}"`)
})
