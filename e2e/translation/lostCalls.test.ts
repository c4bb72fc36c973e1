/** Calls that servers of the chat dialect write in their own ways reach the client of each API. */
import { describe, expect, test } from "vitest"
import type { Json } from "../dialects/NativeAnswer.ts"
import { callCases, functionCallCases } from "./callCases.ts"
import { callers, startOddServer, streamedChat, toBody, wholeChat } from "./OddServer.ts"
import { checkChatCalls } from "./checkChatCalls.ts"

const two = [1, 2].map((at) => ({ name: "look", arguments: { at } }))

const cases = [
  ...callCases.map(({ whole, ...rest }) => ({
    ...rest,
    message: whole === undefined ? undefined : { content: null, tool_calls: whole }
  })),
  ...functionCallCases
].map(({ deltas, message, ...rest }) => ({
  ...rest,
  message,
  deltas: deltas ?? (message === undefined ? [] : [{ ...message }])
}))

const parse = (call: Json): Json => ({
  name: call["name"],
  arguments: JSON.parse(String(call["arguments"]))
})

describe.each(callers)("by the API $name (stream: $isStreamed), calls", (caller) => {
  test.each(cases.filter(({ message }) => caller.isStreamed || message !== undefined))(
    "$name arrive",
    async ({ deltas, expected = two, finish = "tool_calls", message = {} }) => {
      const { ask } = await startOddServer()
      const {
        calls,
        finish: end,
        text
      } = await ask(caller, {
        whole: wholeChat(message, finish),
        events: streamedChat(deltas, finish)
      })
      expect(calls.map(parse)).toEqual(expected)
      expect(new Set(calls.map(({ id }) => id)).size).toBe(expected.length)
      for (const { id } of calls) expect(id).toEqual(expect.stringMatching(/./))
      expect(end).toBe("tool_calls")
      if (caller.name === "chat") checkChatCalls(text, caller.isStreamed)
    }
  )

  test("get ids of their own in each answer, which come back to the server", async () => {
    const { ask } = await startOddServer()
    const tool_calls = [{ type: "function", function: { name: "look", arguments: '{"at":1}' } }]
    const answer = {
      whole: wholeChat({ content: null, tool_calls }, "tool_calls"),
      events: streamedChat([{ tool_calls }], "tool_calls")
    }
    const first = await ask(caller, answer)
    const id = first.calls[0]?.["id"]
    const request = toBody(caller.api, [
      { role: "user", content: "Is it calm at sea?" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id, ...tool_calls[0] }]
      },
      { role: "tool", tool_call_id: id, content: "Waves of one metre." }
    ])
    const second = await ask(caller, answer, { request })
    expect(second.calls).toHaveLength(1)
    expect(second.calls[0]?.["id"]).not.toBe(id)
    expect(second.sent["messages"]).toMatchObject([
      { role: "user" },
      { role: "assistant", tool_calls: [{ id }] },
      { role: "tool", tool_call_id: id }
    ])
  })
})

/** The client's own reader of streams refuses calls that it cannot tell apart. */
test.each(callCases)("the reader of the openai client takes calls $name", async (each) => {
  const { deltas = [{ tool_calls: each.whole }], expected = two, finish = "tool_calls" } = each
  const { ask, server } = await startOddServer()
  const [caller] = callers
  const answer = { whole: wholeChat({ content: "Hi" }), events: streamedChat(deltas, finish) }
  await ask({ ...caller!, isStreamed: false }, answer)
  const completion = await server
    .makeClient()
    .chat.completions.stream({
      model: "proof/chat",
      messages: [{ role: "user", content: "Is it calm at sea?" }]
    })
    .finalChatCompletion()
  expect(
    completion.choices[0]?.message.tool_calls?.map((call) =>
      call.type === "function" ? parse({ ...call.function }) : call
    )
  ).toEqual(expected)
})

test("a server that says tool_calls, but calls nothing, ends with stop", async () => {
  const { ask } = await startOddServer()
  for (const caller of callers) {
    const { content, finish } = await ask(caller, {
      whole: wholeChat({ content: "Calm.", tool_calls: [] }, "tool_calls"),
      events: streamedChat([{ content: "Calm.", tool_calls: [] }], "tool_calls")
    })
    expect({ content, finish }).toEqual({ content: "Calm.", finish: "stop" })
  }
})
