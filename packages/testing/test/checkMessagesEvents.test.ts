import { describe, expect, it } from "@effect/vitest"
import { checkMessagesEvents } from "@signalbox/testing"

type Json = Readonly<Record<string, unknown>>

const usage = { input_tokens: 1, output_tokens: 0 }
const start = {
  type: "message_start",
  message: {
    id: "m",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage
  }
}
const startBlock = (
  index = 0,
  content_block: Json = { type: "text", text: "", citations: null }
) => ({
  type: "content_block_start",
  index,
  content_block
})
const delta = (index = 0, said: Json = { type: "text_delta", text: "a" }) => ({
  type: "content_block_delta",
  index,
  delta: said
})
const stopBlock = (index = 0) => ({ type: "content_block_stop", index })
const finish = {
  type: "message_delta",
  delta: { stop_reason: "end_turn", stop_sequence: null },
  usage: { output_tokens: 1 }
}
const stop = { type: "message_stop" }
const thinking = { type: "thinking", thinking: "", signature: "" }
const call = { type: "tool_use", id: "a", name: "f", input: {} }
const error = { type: "error", error: { type: "api_error", message: "no" } }

const check = (events: ReadonlyArray<Json>) =>
  checkMessagesEvents(events.map((data) => ({ event: String(data["type"]), data })))

describe("checkMessagesEvents", () => {
  it.each([
    ["nothing said", [start, finish, stop]],
    [
      "all that can be said",
      [
        start,
        startBlock(0, thinking),
        { type: "ping" },
        delta(0, { type: "thinking_delta", thinking: "a" }),
        delta(0, { type: "signature_delta", signature: "a" }),
        stopBlock(0),
        startBlock(1, { type: "redacted_thinking", data: "a" }),
        stopBlock(1),
        startBlock(2),
        delta(2),
        delta(2, { type: "citations_delta", citation: {} }),
        stopBlock(2),
        startBlock(3, call),
        delta(3, { type: "input_json_delta", partial_json: '{"x' }),
        stopBlock(3),
        finish,
        stop
      ]
    ],
    ["an error at once", [error]],
    ["an error in a block", [start, startBlock(), delta(), error]]
  ])("accepts %s", (_, events) => {
    expect(check(events)).toEqual([])
  })

  it.each([
    ["nothing", []],
    ["no end", [start, finish]],
    ["no message_start", [finish, stop]],
    ["two message_starts", [start, start, finish, stop]],
    ["a start without usage", [{ ...start, message: { ...start.message, usage: null } }, error]],
    [
      "a start with output",
      [{ ...start, message: { ...start.message, usage: { ...usage, output_tokens: 1 } } }, error]
    ],
    ["a start with content", [{ ...start, message: { ...start.message, content: [{}] } }, error]],
    ["a ping before the start", [{ type: "ping" }, start, finish, stop]],
    ["no message_delta", [start, stop]],
    ["two message_deltas", [start, finish, finish, stop]],
    ["a message_delta without usage", [start, { ...finish, usage: undefined }, stop]],
    ["an unknown reason", [start, { ...finish, delta: { stop_reason: "stop" } }, stop]],
    [
      "a refusal without details",
      [start, { ...finish, delta: { stop_reason: "refusal", stop_sequence: null } }, stop]
    ],
    ["something after the end", [start, finish, stop, { type: "ping" }]],
    ["something after an error", [error, start]],
    ["an error without message", [{ type: "error", error: { type: "api_error" } }]],
    ["an unknown event", [start, { type: "new" }, finish, stop]],
    ["a first index of 1", [start, startBlock(1), stopBlock(1), finish, stop]],
    ["an index twice", [start, startBlock(), stopBlock(), startBlock(), stopBlock(), finish, stop]],
    ["two open blocks", [start, startBlock(), startBlock(1), stopBlock(1), finish, stop]],
    ["an open block at the end", [start, startBlock(), finish, stop]],
    ["a delta without a block", [start, delta(), finish, stop]],
    ["a delta of another block", [start, startBlock(), delta(1), stopBlock(), finish, stop]],
    ["a stop without a block", [start, stopBlock(), finish, stop]],
    ["a block after the finish", [start, finish, startBlock(), stopBlock(), stop]],
    [
      "text at the start of a block",
      [
        start,
        startBlock(0, { type: "text", text: "a", citations: null }),
        stopBlock(),
        finish,
        stop
      ]
    ],
    ["an unknown block", [start, startBlock(0, { type: "new" }), stopBlock(), finish, stop]],
    [
      "input at the start of a call",
      [start, startBlock(0, { ...call, input: null }), stopBlock(), finish, stop]
    ],
    ["a delta of another kind", [start, startBlock(0, call), delta(), stopBlock(), finish, stop]],
    [
      "an unknown delta",
      [start, startBlock(), delta(0, { type: "new" }), stopBlock(), finish, stop]
    ],
    [
      "an empty delta",
      [start, startBlock(), delta(0, { type: "text_delta", text: null }), stopBlock(), finish, stop]
    ],
    [
      "a delta after the signature",
      [
        start,
        startBlock(0, thinking),
        delta(0, { type: "signature_delta", signature: "a" }),
        delta(0, { type: "thinking_delta", thinking: "a" }),
        stopBlock(),
        finish,
        stop
      ]
    ],
    [
      "input that is no object",
      [
        start,
        startBlock(0, call),
        delta(0, { type: "input_json_delta", partial_json: "[1]" }),
        stopBlock(),
        finish,
        stop
      ]
    ]
  ])("rejects %s", (_, events) => {
    expect(check(events)).not.toEqual([])
  })

  it("requires the name of each event", () => {
    const events = [start, finish, stop]
    for (const event of [undefined, "message"]) {
      expect(checkMessagesEvents(events.map((data) => ({ event, data })))).toHaveLength(3)
    }
    expect(checkMessagesEvents([{ event: "message_start", data: "text" }])).not.toEqual([])
  })
})
