import { assert, describe, expect, it } from "@effect/vitest"
import { checkResponsesEvents } from "@signalbox/testing"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import type { Conversation, Turn } from "../../../src/conversation/Conversation.ts"
import { makeResponsesEventReader } from "../../../src/dialects/responses/readEvents.ts"
import { makeResponsesEventWriter } from "../../../src/dialects/responses/writeEvents.ts"
import { writeResponsesRequest } from "../../../src/dialects/responses/writeRequest.ts"
import type { ChatDelta } from "../../../src/engine/upstreams/ChatCapability.ts"
import { listDeltas } from "../readEvents.ts"
import {
  end,
  facts,
  getOutput,
  getResponse,
  type Json,
  merge,
  type Piece,
  readStream,
  reparse,
  toBody,
  toDeltas,
  writeEvents
} from "./streams.ts"

const call = (index: number, fields: Json): Json => ({
  tool_calls: [{ index, ...fields }]
})
const start = (index: number, id: string, given = "", name = "f") =>
  call(index, { id, type: "function", function: { name, arguments: given } })
const more = (index: number, given: string) => call(index, { function: { arguments: given } })

const thought = (summary: string, index: number) => ({
  reasoning_details: [{ type: "reasoning.summary", summary, index, format: "unknown" }]
})

/** The output of a stream that keeps the order of events. */
const writeOutput = (...pieces: ReadonlyArray<Piece>): ReadonlyArray<Json> => {
  const events = writeEvents(pieces)
  assert.deepStrictEqual(checkResponsesEvents(toBody(events)), [])
  return getOutput(reparse(events))
}
const listTypes = (...pieces: ReadonlyArray<Piece>) =>
  reparse(writeEvents(pieces)).map((event) => String(event["type"]).replace("response.", ""))

const turn = (role: Turn["role"], ...parts: Turn["parts"]): Turn => ({ role, parts })
const text = (said: string) => ({ type: "text" as const, text: said })
const asked = (id: string) => ({ type: "call" as const, id, name: "f", arguments: "{}" })
const result = (callId: string, ...content: ReadonlyArray<ReturnType<typeof text>>) => ({
  type: "result" as const,
  callId,
  content
})
const writeTurns = (...turns: ReadonlyArray<Turn>) => {
  const conversation: Conversation = { turns, tools: [], sampling: {}, stop: [] }
  return Result.map(writeResponsesRequest(conversation, { model: "m" }), ({ input }) =>
    Array.isArray(input) ? input : []
  )
}

/** Events of a provider, which gives them numbers itself. */
const created = { type: "response.created", response: { id: "resp_u", model: "m", output: [] } }
const completed = (response: Json = {}) => ({
  type: "response.completed",
  response: { id: "resp_u", status: "completed", output: [], ...response }
})
const delta = (said: string, output_index = 0) => ({
  type: "response.output_text.delta",
  item_id: "msg_1",
  output_index,
  content_index: 0,
  delta: said
})
const added = (output_index: number, item: Json) => ({
  type: "response.output_item.added",
  output_index,
  item
})
const done = (output_index: number, item: Json) => ({
  type: "response.output_item.done",
  output_index,
  item
})
const functionCall = (given: string) => ({
  type: "function_call",
  id: "fc_1",
  call_id: "c1",
  name: "f",
  arguments: given
})
const eventTypes = [
  "response.created",
  "response.output_item.added",
  "response.output_item.done",
  "response.output_text.delta",
  "response.output_text.annotation.added",
  "response.refusal.delta",
  "response.reasoning_summary_text.delta",
  "response.reasoning_text.delta",
  "response.function_call_arguments.delta",
  "response.function_call_arguments.done",
  "response.custom_tool_call_input.delta",
  "response.completed",
  "response.incomplete",
  "response.failed",
  "error",
  "unknown"
] as const

const readAll = (...events: ReadonlyArray<Json>) => {
  const { failure, items } = readStream(events)
  return { failure, ends: items.filter(({ type }) => type === "end"), ...merge(listDeltas(items)) }
}

const given = (delta: string) => ({
  type: "response.function_call_arguments.delta",
  output_index: 0,
  delta
})

describe("a streamed answer", () => {
  it("takes a new id at a used index for a new call", () => {
    const pieces = [start(0, "a", "{}"), start(0, "b", "[1]"), "tool_calls"]
    expect(writeOutput(...pieces)).toMatchObject([
      { call_id: "a", arguments: "{}" },
      { call_id: "b", arguments: "[1]" }
    ])
  })

  it("takes a call with a new id at a used index of the output for a new call", () => {
    const calls = ["c1", "c2"].map((id) => ({
      ...functionCall(`["${id}"]`),
      id: `fc_${id}`,
      call_id: id
    }))
    const events = calls.flatMap((item) => [
      added(0, { ...item, arguments: "" }),
      given(item.arguments),
      done(0, item)
    ])
    const read = readAll(created, ...events, completed({ output: calls }))
    expect(read).toMatchObject({
      tool_calls: [
        { id: "c1", function: { arguments: '["c1"]' } },
        { id: "c2", function: { arguments: '["c2"]' } }
      ]
    })
  })

  it("keeps a call at the index of a text", () => {
    const item = functionCall('{"x":1}')
    const read = readAll(created, delta("a"), added(0, item), done(0, item), completed())
    expect(read).toMatchObject({ content: "a", tool_calls: [{ id: "c1" }] })
  })

  it("takes a piece without an id, or with the same one, for the same call", () => {
    const pieces = [start(0, "a", '{"x"'), more(0, ":"), start(0, "a", "1}"), "tool_calls"]
    expect(writeOutput(...pieces)).toMatchObject([{ call_id: "a", arguments: '{"x":1}' }])
  })

  it("adds a call empty, and its arguments in one delta when they come at once", () => {
    const events = reparse(writeEvents([start(0, "a", '{"x":1}'), "tool_calls"]))
    expect(events[2]).toMatchObject({ item: { arguments: "", status: "in_progress" } })
    expect(events[3]).toMatchObject({ delta: '{"x":1}' })
  })

  it("waits for the name of a call, and makes an id where none came with it", () => {
    const pieces = [more(0, "{"), call(0, { function: { name: "f" } }), more(0, "}"), "tool_calls"]
    expect(writeOutput(...pieces)).toMatchObject([{ name: "f", arguments: "{}" }])
    const late = [call(0, { function: { name: "f", arguments: "{" } }), start(0, "a", "}")]
    expect(writeOutput(...late)).toMatchObject([
      { call_id: expect.stringMatching(/^call_\w+_0$/), arguments: "{}" }
    ])
  })

  it("gives a call without arguments an empty object", () => {
    expect(writeOutput(start(0, "a"), "tool_calls")).toMatchObject([{ arguments: "{}" }])
    const item = functionCall("")
    expect(readAll(created, added(0, item), done(0, item), completed())).toMatchObject({
      tool_calls: [{ id: "c1", function: { name: "f", arguments: "{}" } }],
      finishReason: "tool_calls"
    })
  })

  it("passes arguments that the cap cut, and says that they are incomplete", () => {
    const events = writeEvents([start(0, "a", '{"x":'), "length"])
    expect(getResponse(reparse(events))).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output: [{ arguments: '{"x":', status: "incomplete" }]
    })
  })

  it("says nothing for empty pieces", () => {
    const empty = [{ content: "" }, { content: null, reasoning: "", tool_calls: [], refusal: "" }]
    assert.deepStrictEqual(
      listTypes(...empty, { content: "a" }, "stop"),
      listTypes({ content: "a" }, "stop")
    )
    assert.notProperty(readAll(created, delta(""), completed()), "content")
  })

  it("begins with the response alone", () => {
    const types = makeResponsesEventWriter(facts)
      .start()
      .map(({ type }) => type)
    assert.deepStrictEqual(types, ["response.created", "response.in_progress"])
  })

  it("keeps text, a call and text apart", () => {
    expect(
      writeOutput({ content: "a" }, start(0, "x"), { content: "b" }, "tool_calls")
    ).toMatchObject([
      { type: "message", content: [{ text: "a" }] },
      { type: "function_call" },
      { type: "message", content: [{ text: "b" }] }
    ])
  })

  it("keeps reasoning between calls in its place", () => {
    const pieces = [thought("a", 0), start(0, "x"), thought("b", 1), start(1, "y"), "tool_calls"]
    expect(writeOutput(...pieces).map(({ type }) => type)).toEqual([
      "reasoning",
      "function_call",
      "reasoning",
      "function_call"
    ])
  })

  it("passes the halves of a character in two pieces of arguments", () => {
    const pieces = [start(0, "a", '{"x":"\\ud83d'), more(0, '\\ude00"}'), "tool_calls"]
    expect(writeOutput(...pieces)).toMatchObject([{ arguments: '{"x":"\\ud83d\\ude00"}' }])
    const halves = ['"\ud83d', '\ude00"'].map((half) => ({
      type: "response.function_call_arguments.delta",
      output_index: 0,
      item_id: "fc_1",
      delta: half
    }))
    const read = readAll(created, added(0, functionCall("")), ...halves, completed())
    expect(read).toMatchObject({ tool_calls: [{ function: { arguments: '"😀"' } }] })
  })

  it("completes an answer that a stop sequence ended", () => {
    const response = getResponse(reparse(writeEvents([{ content: "a" }, "stop"])))
    expect(response).toMatchObject({ status: "completed", incomplete_details: null })
  })

  it("is incomplete when the cap is reached while it thinks, and no failure", () => {
    expect(writeOutput({ reasoning: "hm" }, "length")).toMatchObject([
      { type: "reasoning", status: "incomplete", summary: [{ text: "hm" }] }
    ])
    const response = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }
    const last = { ...completed(response), type: "response.incomplete" }
    const thought = { type: "response.reasoning_summary_text.delta", output_index: 0, delta: "hm" }
    const read = readAll(created, thought, last)
    expect(read).toMatchObject({ failure: undefined, reasoning: "hm", finishReason: "length" })
    assert.lengthOf(read.ends, 1)
  })

  it("is an empty message when it is refused before any text", () => {
    expect(writeOutput("content_filter")).toMatchObject([
      { type: "message", status: "incomplete", content: [] }
    ])
  })

  it("is an empty message when the provider says nothing", () => {
    expect(writeOutput("stop")).toMatchObject([{ type: "message", status: "completed" }])
  })

  it("fails with the items so far after an error", () => {
    const writer = makeResponsesEventWriter(facts)
    const said = writer.write({
      type: "delta",
      choices: toDeltas([{ content: "a" }])
    })
    const events = [
      ...said,
      ...writer.fail({
        status: 429,
        message: "slow down",
        retryAfterMillis: 1_500,
        errorType: "rate_limit_exceeded"
      })
    ]
    assert.deepStrictEqual(checkResponsesEvents(toBody(events)), [])
    expect(getResponse(reparse(events))).toMatchObject({
      status: "failed",
      error: { code: "rate_limit_exceeded", message: "slow down Please try again in 1.5s." },
      error_type: "rate_limit_exceeded",
      output: [{ status: "incomplete", content: [{ text: "a" }] }]
    })
  })

  it("fails when its last reason is an error", () => {
    const events = writeEvents([{ content: "a" }, "error"])
    assert.deepStrictEqual(checkResponsesEvents(toBody(events)), [])
    expect(getResponse(reparse(events))).toMatchObject({ error: { code: "server_error" } })
  })

  it.each([
    [
      "an error as its first event",
      [{ type: "error", code: "server_is_overloaded", message: "m", param: null }]
    ],
    ["an error in an envelope", [{ type: "error", error: { code: "server_is_overloaded" } }]],
    [
      "an error that the transport found",
      [{ error: { type: "error", code: "server_is_overloaded" } }]
    ],
    [
      "a failed response",
      [
        created,
        {
          type: "response.failed",
          response: { status: "failed", error: { code: "server_is_overloaded", message: "m" } }
        }
      ]
    ],
    [
      "a failure after some text",
      [
        created,
        delta("a"),
        { type: "response.failed", response: { error: { code: "server_is_overloaded" } } }
      ]
    ]
  ])("that a provider fails with %s is a failure", (_, events) => {
    assert.strictEqual(readAll(...events).failure?.kind, "overloaded")
  })

  it("ends with the usage, which comes after the reason of its end", () => {
    const events = reparse(writeEvents([{ content: "a" }, "stop", {}]))
    expect(events.at(-1)).toMatchObject({
      type: "response.completed",
      response: { usage: { input_tokens: 7, total_tokens: 12 } }
    })
    assert.isNull(getResponse(events.slice(0, 1))["usage"])
  })

  it("reports the usage of the last event alone", () => {
    const usage = { input_tokens: 5, output_tokens: 6 }
    const reported: Array<unknown> = []
    readStream(
      [{ ...created, usage: { input_tokens: 1, output_tokens: 1 } }, completed({ usage })],
      {
        onUsage: (each) => reported.push(each)
      }
    )
    assert.deepStrictEqual(reported, [{ inputTokens: 5, outputTokens: 6 }])
  })

  it("has no usage without counts", () => {
    const writer = makeResponsesEventWriter(facts)
    assert.isNull(getResponse(reparse(writer.end({})))["usage"])
  })

  it("is broken off without its last event, even with [DONE]", () => {
    const reader = makeResponsesEventReader()
    reader.read(created)
    reader.read(delta("a"))
    assert.isUndefined(reader.done())
    assert.isUndefined(reader.end?.())
  })

  it("counts deltas, not the whole texts that repeat them", () => {
    const item = { type: "message", id: "msg_1", content: [{ type: "output_text", text: "ab" }] }
    const whole = {
      type: "response.output_text.done",
      item_id: "msg_1",
      output_index: 0,
      text: "ab"
    }
    const called = functionCall("{}")
    const given = { type: "response.function_call_arguments.delta", output_index: 1, delta: "{}" }
    const read = readAll(
      created,
      added(0, { ...item, content: [] }),
      delta("a"),
      delta("b"),
      whole,
      done(0, item),
      added(1, functionCall("")),
      given,
      { ...given, type: "response.function_call_arguments.done", arguments: "{}" },
      done(1, called),
      completed({ output: [item, called] })
    )
    expect(read).toMatchObject({ content: "ab", tool_calls: [{ function: { arguments: "{}" } }] })
  })

  it.each<[string, ReadonlyArray<Json>]>([
    [
      "whole texts",
      [{ type: "response.output_text.done", item_id: "msg_1", output_index: 0, text: "ab" }]
    ],
    [
      "whole items",
      [done(0, { type: "message", id: "msg_1", content: [{ type: "output_text", text: "ab" }] })]
    ],
    ["the last event", []]
  ])("is read from %s where no deltas come", (_, events) => {
    const item = { type: "message", id: "msg_1", content: [{ type: "output_text", text: "ab" }] }
    const called = functionCall('{"x":1}')
    const read = readAll(created, ...events, completed({ output: [item, called] }))
    expect(read).toMatchObject({
      content: "ab",
      tool_calls: [{ id: "c1", function: { arguments: '{"x":1}' } }],
      finishReason: "tool_calls"
    })
    assert.lengthOf(read.ends, 1)
  })

  it("joins the pieces of what is encrypted, and has no item for empty reasoning", () => {
    const detail = { type: "reasoning.encrypted", format: "openai-responses-v1", index: 0 }
    const pieces = ["ab", "c"].map((data) => ({ reasoning_details: [{ ...detail, data }] }))
    expect(writeOutput(...pieces, "stop")).toMatchObject([{ encrypted_content: "abc" }])
    const empty = { reasoning_details: [{ type: "reasoning.text", text: "", index: 0 }] }
    expect(writeOutput(empty, { content: "a" }, "stop")).toMatchObject([{ type: "message" }])
  })

  it("shows the reasoning once that comes again in the details at the end", () => {
    const detail = { type: "reasoning.text", text: "hm", signature: "s", index: 0 }
    const pieces = [{ reasoning: "h" }, { reasoning: "m" }, { reasoning_details: [detail] }]
    const summaries = writeOutput(...pieces, { content: "a" }, "stop").map(({ summary }) => summary)
    assert.deepStrictEqual(JSON.stringify(summaries.flat()).match(/hm/g), ["hm"])
  })

  it("ignores events and items that it does not know", () => {
    const read = readAll(
      created,
      { type: "response.web_search_call.searching", output_index: 0, item_id: "ws_1" },
      done(0, { type: "web_search_call", id: "ws_1" }),
      { type: "keepalive" },
      delta("a", 1),
      completed({ output: [{ type: "web_search_call", id: "ws_1" }] })
    )
    expect(read).toMatchObject({ content: "a", failure: undefined })
    expect(read.ends).toMatchObject([{ type: "end" }])
  })

  it("puts the text of a custom tool into its input, whether it was called as a function or not", () => {
    const tools = [{ type: "custom" as const, name: "patch" }]
    const wrapped = [start(0, "a", '{"inp', "patch"), more(0, 'ut":"x\\ny"}')]
    const free = [
      call(0, { id: "a", type: "custom", custom: { name: "patch", input: "x" } }),
      call(0, { custom: { input: "\ny" } })
    ]
    for (const pieces of [wrapped, free]) {
      const events = writeEvents([...pieces, "tool_calls"], { tools })
      assert.deepStrictEqual(checkResponsesEvents(toBody(events)), [])
      expect(getOutput(reparse(events))).toMatchObject([
        { type: "custom_tool_call", call_id: "a", name: "patch", input: "x\ny" }
      ])
    }
  })

  it("keeps citations and logprobs", () => {
    const citation = { url: "https://a.test", title: "A", start_index: 0, end_index: 1 }
    const logprobs = [{ token: "a", logprob: -1, bytes: [97], top_logprobs: [] }]
    const writer = makeResponsesEventWriter(facts)
    const said: ChatDelta = {
      index: 0,
      events: [{ type: "text", text: "a" }],
      logprobs: { content: logprobs }
    }
    const annotation = { annotations: [{ type: "url_citation", url_citation: citation }] }
    const events = reparse([
      ...writer.write({ type: "delta", choices: [said, ...toDeltas([annotation])] }),
      ...writer.end(end)
    ])
    const annotations = [{ type: "url_citation", ...citation }]
    expect(getOutput(events)).toMatchObject([{ content: [{ text: "a", annotations, logprobs }] }])
    const { items } = readStream(events)
    expect(listDeltas(items).map((each) => each.logprobs ?? each.delta)).toEqual([
      { content: logprobs, refusal: null },
      annotation,
      {}
    ])
  })

  it("is read for any JSON of its events", () => {
    const place = fc.oneof(fc.nat(2), fc.jsonValue({ maxDepth: 1 }))
    const event = fc.record(
      {
        type: fc.constantFrom(...eventTypes),
        output_index: place,
        summary_index: place,
        item_id: fc.jsonValue({ maxDepth: 1 }),
        item: fc.oneof(
          fc.jsonValue(),
          fc.record({
            type: fc.constantFrom("message", "function_call", "custom_tool_call", "reasoning"),
            call_id: fc.jsonValue({ maxDepth: 1 }),
            name: fc.oneof(fc.string(), fc.constant("__proto__")),
            arguments: fc.jsonValue({ maxDepth: 1 }),
            content: fc.array(fc.jsonValue({ maxDepth: 1 })),
            summary: fc.array(fc.record({ text: fc.jsonValue({ maxDepth: 1 }) }))
          })
        ),
        delta: fc.oneof(fc.string(), fc.jsonValue()),
        response: fc.jsonValue(),
        error: fc.jsonValue()
      },
      { requiredKeys: ["type"] }
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), (events) => {
        const { failure, items } = readStream(events)
        assert.isTrue(failure === undefined || failure.kind.length > 0)
        assert.isAtMost(items.filter(({ type }) => type === "end").length, 1)
      }),
      { numRuns: scaleRuns(2_000) }
    )
  })

  it("has no more items than an answer may have", () => {
    const endless = Array.from({ length: 1_100 }, (_, at) =>
      done(at, { type: "message", id: `m${at}` })
    )
    assert.strictEqual(readAll(created, ...endless).failure?.kind, "invalid_answer")
  })
})

describe("a history", () => {
  it.each([
    ["without its call", [turn("user", text("hi")), turn("tool", result("x1"))]],
    ["before its call", [turn("tool", result("x1")), turn("assistant", asked("x1"))]]
  ])("with a result %s is refused by its id", (_, turns) => {
    const written = writeTurns(...turns)
    assert.isTrue(Result.isFailure(written) && written.failure.problem.includes("x1"))
  })

  it("has the results in the order of the calls, though they come in another", () => {
    const written = writeTurns(
      turn("assistant", asked("a"), asked("b")),
      turn("tool", result("b", text("2"))),
      turn("tool", result("a", text("1")))
    )
    expect(Result.getOrThrow(written)).toMatchObject([
      { call_id: "a" },
      { call_id: "b" },
      { call_id: "a", output: "1" },
      { call_id: "b", output: "2" }
    ])
  })

  it("says so where a call has no result", () => {
    const written = writeTurns(turn("assistant", asked("a")), turn("user", text("hi")))
    expect(Result.getOrThrow(written)).toMatchObject([
      { type: "function_call" },
      {
        type: "function_call_output",
        call_id: "a",
        output: expect.stringContaining("interrupted")
      },
      { role: "user" }
    ])
  })

  it("takes empty contents, and leaves empty answers out", () => {
    const written = writeTurns(
      turn("user", text("")),
      turn("assistant"),
      turn("assistant", text("")),
      turn("assistant", asked("a")),
      turn("tool", result("a"))
    )
    expect(Result.getOrThrow(written)).toMatchObject([
      { role: "user", content: "" },
      { type: "function_call" },
      { output: "" }
    ])
  })

  it("has images inside of results", () => {
    const image = {
      type: "image" as const,
      source: { type: "url" as const, url: "https://a.test/b" }
    }
    const written = writeTurns(
      turn("assistant", asked("a")),
      turn("tool", { type: "result", callId: "a", content: [text("see"), image] })
    )
    expect(Result.getOrThrow(written)[1]).toMatchObject({
      output: [{ type: "input_text" }, { type: "input_image", image_url: "https://a.test/b" }]
    })
  })

  it("says in the text that a call failed", () => {
    const failed = { ...result("a", text("no such file")), isError: true as const }
    const written = writeTurns(turn("assistant", asked("a")), turn("tool", failed))
    expect(Result.getOrThrow(written)[1]).toMatchObject({ output: "Error: no such file" })
  })

  it("keeps roles in a row, and the assistant at its begin and end", () => {
    const written = writeTurns(
      turn("assistant", text("a")),
      turn("user", text("b")),
      turn("user", text("c")),
      turn("assistant", text("d"))
    )
    expect(Result.getOrThrow(written).map(({ role }) => role)).toEqual([
      "assistant",
      "user",
      "user",
      "assistant"
    ])
  })
})
