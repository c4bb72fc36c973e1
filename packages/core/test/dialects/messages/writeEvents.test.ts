import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { makeMessagesEventWriter, pingEvent } from "../../../src/dialects/messages/writeEvents.ts"
import { collectBlocks, getEnd, sendEvents, usage, writeDeltas, writeStream } from "./streams.ts"

const call = (index: number, id: string | undefined, name: string | undefined, args?: string) => ({
  tool_calls: [
    {
      index,
      ...(id === undefined ? undefined : { id, type: "function" }),
      function: {
        ...(name === undefined ? undefined : { name }),
        ...(args === undefined ? undefined : { arguments: args })
      }
    }
  ]
})
const customCall = (input: string) => ({
  tool_calls: [{ index: 0, id: "a", type: "custom", custom: { name: "sh", input } }]
})
const thought = (said: string, index: number) => ({
  reasoning: said,
  reasoning_details: [{ type: "reasoning.text", text: said, index }]
})
const signed = (signature: string, index: number) => ({
  reasoning_details: [{ type: "reasoning.text", signature, index }]
})
const say = (said: string) => ({ type: "text" as const, text: said })
const called = (id: string, name: string, said: string) => ({
  index: 0,
  events: [{ type: "call" as const, call: { id, name, isCustom: false }, text: said }]
})
const text = (said: string) => ({ type: "text", text: said, citations: null })
const toolUse = (id: unknown, name: string, input: string) => ({
  type: "tool_use",
  id,
  name,
  input
})

const toBlocks = (...deltas: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  collectBlocks(writeStream({ deltas }))

describe("makeMessagesEventWriter", () => {
  it("writes every event with its name, and every key that clients read", () => {
    expect(writeStream({ deltas: [{ content: "Hel" }, { content: "lo" }] })).toEqual([
      {
        type: "message_start",
        message: {
          id: "gen-1",
          type: "message",
          role: "assistant",
          model: "acme/m",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          stop_details: null,
          container: null,
          diagnostics: null,
          usage: expect.objectContaining({ input_tokens: 10, output_tokens: 0 })
        }
      },
      { type: "content_block_start", index: 0, content_block: text("") },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hel" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "lo" } },
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: {
          stop_reason: "end_turn",
          stop_sequence: null,
          stop_details: null,
          container: null
        },
        usage: expect.objectContaining({ input_tokens: 12, output_tokens: 7 })
      },
      { type: "message_stop" }
    ])
  })

  it("starts the message when asked, and once only", () => {
    const writer = makeMessagesEventWriter({ id: "gen-1", model: "m", inputTokens: 1 })
    expect(writer.start()).toHaveLength(1)
    expect(writer.start()).toHaveLength(0)
    expect(writer.end({}).map(({ type }) => type)).toEqual(["message_delta", "message_stop"])
  })

  it("takes a new id at a used index for a new call", () => {
    expect(toBlocks(call(0, "a", "f", '{"x":1}'), call(0, "b", "g", '{"y":2}'))).toEqual([
      toolUse("a", "f", '{"x":1}'),
      toolUse("b", "g", '{"y":2}')
    ])
  })

  it("adds a piece without an id to the latest call of its index", () => {
    expect(
      toBlocks(
        call(0, "a", "f", ""),
        call(0, undefined, undefined, '{"x":'),
        call(0, undefined, undefined, "1}")
      )
    ).toEqual([toolUse("a", "f", '{"x":1}')])
  })

  it("adds a piece that repeats the id to the same call", () => {
    expect(toBlocks(call(0, "a", "f", '{"x":'), call(0, "a", "f", "1}"))).toEqual([
      toolUse("a", "f", '{"x":1}')
    ])
  })

  it("waits for the id and the name of a call", () => {
    expect(
      toBlocks(
        call(0, undefined, undefined, '{"x":'),
        call(0, "a", undefined, "1"),
        call(0, undefined, "f", "}")
      )
    ).toEqual([toolUse("a", "f", '{"x":1}')])
  })

  it("makes an id for a call that never gets one, and leaves out one without a name", () => {
    expect(toBlocks(call(0, undefined, "f", "{}"), call(1, "b", undefined, "{}"))).toEqual([
      toolUse(expect.stringMatching(/^call_\w+_0$/), "f", "{}")
    ])
  })

  it("starts with empty input when whole arguments come in the first piece", () => {
    const events = writeStream({ deltas: [call(0, "a", "f", '{"x":1}')] })
    expect(events.slice(1, 3)).toEqual([
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "tool_use", id: "a", name: "f", input: {} }
      },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json: '{"x":1}' }
      }
    ])
  })

  it("sends no input for a call without arguments", () => {
    expect(toBlocks(call(0, "a", "f", ""), call(1, "b", "g"))).toEqual([
      toolUse("a", "f", ""),
      toolUse("b", "g", "")
    ])
  })

  it("takes null and other JSON that is no object for what it is", () => {
    const events = writeDeltas([called("a", "f", "null"), called("b", "g", "[1")])
    expect(collectBlocks(events)).toEqual([
      toolUse("a", "f", "{}"),
      toolUse("b", "g", '{"invalid_arguments":"[1"}')
    ])
  })

  it("takes arguments that are repeated as a whole once", () => {
    expect(
      toBlocks(
        call(0, "a", "f", '{"x":'),
        call(0, "a", "f", '[1]}{"x":[1]}'),
        call(0, "a", "f", '{"x":[1]}'),
        call(1, "b", "g", "{}\n")
      )
    ).toEqual([toolUse("a", "f", '{"x":[1]}'), toolUse("b", "g", "{}")])
  })

  it("keeps the arguments of calls that come by turns", () => {
    expect(
      toBlocks(
        call(0, "a", "f", ""),
        call(1, "b", "g", ""),
        call(0, undefined, undefined, '{"x":"}'),
        call(1, undefined, undefined, '{"y":'),
        { content: "now" },
        call(0, undefined, undefined, '"}'),
        call(1, undefined, undefined, "2}")
      )
    ).toEqual([toolUse("a", "f", '{"x":"}"}'), toolUse("b", "g", '{"y":2}'), text("now")])
  })

  it("passes on arguments that the cap cut, and says why", () => {
    const events = writeStream({
      deltas: [call(0, "a", "f", '{"x":"ab')],
      finishReason: "length"
    })
    expect(collectBlocks(events)).toEqual([toolUse("a", "f", '{"x":"ab')])
    expect(getEnd(events)).toMatchObject({ stop_reason: "max_tokens" })
  })

  it("passes on two halves of a character in two pieces of arguments", () => {
    const halves = ['{"x":"\ud83d', '\ude00"}']
    const [block] = toBlocks(...halves.map((half) => call(0, "a", "f", half)))
    expect(JSON.parse(String(block?.["input"]))).toEqual({ x: "😀" })
  })

  it("makes no block of empty texts, null and what has no place here", () => {
    const events = writeStream({
      deltas: [
        {},
        { content: "", reasoning: null, tool_calls: [], refusal: "" },
        { content: null, reasoning_details: [{ type: "reasoning.text", text: "" }, null, 7] },
        { content: [{ type: "new" }], tool_calls: "none", audio: { data: "" } }
      ]
    })
    expect(events.map(({ type }) => type)).toEqual([
      "message_start",
      "message_delta",
      "message_stop"
    ])
  })

  it("makes three blocks of text, call and text", () => {
    expect(
      toBlocks({ content: "a" }, call(0, "c", "f", "{}"), { content: "b" }, { content: "c" })
    ).toEqual([text("a"), toolUse("c", "f", "{}"), text("bc")])
  })

  it("gives thinking between calls blocks of its own, in order", () => {
    expect(
      toBlocks(
        thought("one", 0),
        thought(" two", 0),
        signed("sig-0", 0),
        call(0, "a", "f", "{}"),
        thought("three", 2),
        signed("sig-2", 2),
        call(1, "b", "g", "{}")
      )
    ).toEqual([
      { type: "thinking", thinking: "one two", signature: "sig-0" },
      toolUse("a", "f", "{}"),
      { type: "thinking", thinking: "three", signature: "sig-2" },
      toolUse("b", "g", "{}")
    ])
  })

  it("sends a signature without text, and thinking without signature", () => {
    expect(
      toBlocks(
        { reasoning_details: [{ type: "reasoning.text", signature: "sig", index: 0 }] },
        { reasoning: "hm" },
        { reasoning_content: "m" }
      )
    ).toEqual([
      { type: "thinking", thinking: "", signature: "sig" },
      { type: "thinking", thinking: "hmm", signature: "" }
    ])
  })

  it("takes reasoning that is repeated for its signature once", () => {
    const detail = { type: "reasoning.text", text: "hmm", signature: "sig", index: 0 }
    expect(
      toBlocks({ reasoning: "hm" }, { reasoning: "m" }, { reasoning_details: [detail] })
    ).toEqual([{ type: "thinking", thinking: "hmm", signature: "sig" }])
    expect(
      toBlocks(
        { reasoning: "hmm" },
        { content: "x" },
        { reasoning_details: [{ ...detail, signature: undefined }] }
      )
    ).toEqual([{ type: "thinking", thinking: "hmm", signature: "" }, text("x")])
  })

  it("sends redacted thinking whole", () => {
    expect(
      toBlocks(
        { reasoning_details: [{ type: "reasoning.encrypted", data: "ab", index: 0 }] },
        { reasoning_details: [{ type: "reasoning.encrypted", data: "cd", index: 0 }] },
        { content: "x" }
      )
    ).toEqual([{ type: "redacted_thinking", data: "abcd" }, text("x")])
  })

  it("ends thinking that the cap cut like any block", () => {
    const events = writeStream({ deltas: [{ reasoning: "so" }], finishReason: "length" })
    expect(collectBlocks(events)).toEqual([{ type: "thinking", thinking: "so", signature: "" }])
    expect(getEnd(events)).toMatchObject({ stop_reason: "max_tokens" })
  })

  it("says what a model says when it refuses, and that it did", () => {
    const refused = { deltas: [], finishReason: "content_filter" }
    const events = writeStream({ ...refused, end: { end: { explanation: "no" } } })
    expect(collectBlocks(events)).toEqual([])
    expect(getEnd(events)).toMatchObject({
      stop_reason: "refusal",
      stop_details: { type: "refusal", category: null, explanation: "no" }
    })
    expect(getEnd(writeStream(refused))).toMatchObject({
      stop_details: { type: "refusal", category: null, explanation: null }
    })
    expect(toBlocks({ refusal: "I can't." })).toEqual([text("I can't.")])
  })

  it.each([
    ["stop", [], {}, "end_turn"],
    ["stop", [call(0, "a", "f")], {}, "tool_use"],
    ["tool_calls", [call(0, "a", "f")], {}, "tool_use"],
    ["function_call", [], {}, "end_turn"],
    ["length", [call(0, "a", "f")], {}, "max_tokens"],
    [
      "length",
      [],
      { nativeFinishReason: "model_context_window_exceeded" },
      "model_context_window_exceeded"
    ],
    ["content_filter", [], {}, "refusal"],
    ["stop", [], { nativeFinishReason: "pause_turn" }, "pause_turn"],
    ["stop", [], { nativeFinishReason: "STOP" }, "end_turn"],
    ["odd", [], {}, "end_turn"],
    [null, [], {}, "end_turn"]
  ])("ends %s with the reason of the API", (finishReason, deltas, end, expected) => {
    expect(getEnd(writeStream({ deltas, finishReason, end }))).toMatchObject({
      stop_reason: expected,
      stop_sequence: null
    })
  })

  it("names the stop sequence where that is known", () => {
    const events = writeStream({ deltas: [], end: { end: { stopSequence: "END" } } })
    expect(getEnd(events)).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: "END" })
  })

  it("waits for the usage after the finish reason, and counts cached input apart", () => {
    const writer = makeMessagesEventWriter({ id: "gen-1", model: "m", inputTokens: 1 })
    const ended = writer.write({
      type: "delta",
      choices: [{ index: 0, events: [say("a")], end: { reason: "stop" } }]
    })
    expect(ended.some(({ type }) => type === "message_delta")).toBe(false)
    const events = sendEvents([
      ...ended,
      ...writer.end({
        usage: {
          inputTokens: 100,
          outputTokens: 20,
          cachedTokens: 60,
          cacheWriteTokens: 30,
          reasoningTokens: 5,
          webSearches: 2
        },
        usageFields: { cost: 0.5, is_byok: false },
        serviceTier: "default"
      })
    ])
    expect(getEnd(events)["usage"]).toEqual({
      input_tokens: 10,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 30,
      cache_creation: null,
      output_tokens: 20,
      output_tokens_details: { thinking_tokens: 5 },
      server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 },
      service_tier: "standard",
      inference_geo: null,
      cost: 0.5,
      is_byok: false
    })
    expect(writer.end({})).toEqual([])
  })

  it("never counts less than no input", () => {
    const events = writeStream({
      deltas: [],
      usage: { usage: { ...usage, cachedTokens: 8, cacheWriteTokens: 8 } }
    })
    expect(getEnd(events)["usage"]).toMatchObject({ input_tokens: 0 })
  })

  it("estimates the usage of an answer without counts", () => {
    const events = writeStream({ deltas: [{ content: "twelve chars" }], usage: {} })
    expect(getEnd(events)["usage"]).toMatchObject({ input_tokens: 10, output_tokens: 3 })
  })

  it("ends with an error after some text, and says nothing more", () => {
    const writer = makeMessagesEventWriter({ id: "gen-1", model: "m", inputTokens: 1 })
    const events = [
      ...writer.write({
        type: "delta",
        choices: [{ index: 0, events: [say("a")] }]
      }),
      ...writer.fail({ status: 529, message: "busy", errorType: "provider_overloaded" }),
      ...writer.end({}),
      ...writer.fail({ status: 500, message: "again" })
    ]
    expect(sendEvents(events).at(-1)).toEqual({
      type: "error",
      error: { type: "overloaded_error", message: "busy", error_type: "provider_overloaded" }
    })
  })

  it("writes the first of several answers", () => {
    const writer = makeMessagesEventWriter({ id: "gen-1", model: "m", inputTokens: 1 })
    const events = [
      ...writer.start(),
      pingEvent,
      ...writer.write({
        type: "delta",
        choices: [
          { index: 1, events: [say("other")], end: { reason: "length" } },
          { index: 0, events: [say("mine")] }
        ]
      }),
      ...writer.end({})
    ]
    expect(collectBlocks(sendEvents(events))).toEqual([text("mine")])
    expect(getEnd(events)).toMatchObject({ stop_reason: "end_turn" })
  })

  it("makes free text the only argument of a function", () => {
    const [block] = toBlocks(customCall('echo "'), customCall("\n\ud83d"), customCall('\ude00"'))
    expect(JSON.parse(String(block?.["input"]))).toEqual({ input: 'echo "\n😀"' })
  })

  it("keeps the order of all events of a provider, and loses no text and no argument", () => {
    const word = fc.stringMatching(/^[a-z]{0,3}$/)
    const detail = fc.record(
      {
        type: fc.constantFrom("reasoning.text", "reasoning.summary", "reasoning.encrypted", "new"),
        text: word,
        summary: word,
        data: word,
        signature: word,
        id: fc.constantFrom("a", "b"),
        format: fc.constantFrom("anthropic-claude-v1", "openai-responses-v1", "unknown"),
        index: fc.nat(2)
      },
      { requiredKeys: ["type"] }
    )
    const toolCall = fc.record(
      {
        index: fc.nat(2),
        id: fc.constantFrom("a", "b", "c", ""),
        function: fc.record(
          {
            name: fc.constantFrom("f", "g", ""),
            arguments: fc.constantFrom("", "{", '"x":1', "}")
          },
          { requiredKeys: [] }
        )
      },
      { requiredKeys: [] }
    )
    const delta = fc.record(
      {
        content: fc.oneof(word, fc.jsonValue({ maxDepth: 0 })),
        refusal: word,
        reasoning: word,
        reasoning_details: fc.array(fc.oneof(detail, fc.jsonValue({ maxDepth: 1 }))),
        tool_calls: fc.array(fc.oneof(toolCall, fc.jsonValue({ maxDepth: 1 })))
      },
      { requiredKeys: [] }
    )
    fc.assert(
      fc.property(fc.array(delta), (deltas) => {
        const blocks = collectBlocks(writeStream({ deltas }))
        const said = deltas.flatMap(({ content, refusal }) =>
          [content, refusal].filter((each) => typeof each === "string")
        )
        const written = blocks.filter(({ type }) => type === "text").map((each) => each["text"])
        expect(written.join("")).toBe(said.join(""))
      }),
      { numRuns: scaleRuns(3_000) }
    )
  })

  it("keeps all arguments of calls that come by turns", () => {
    const calls = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 })), {
      minLength: 1,
      maxLength: 4
    })
    const turns = fc.array(fc.record({ at: fc.nat(3), size: fc.integer({ min: 1, max: 6 }) }))
    fc.assert(
      fc.property(calls, turns, (inputs, order) => {
        const rest = inputs.map((input) => JSON.stringify(input))
        const deltas = inputs.map((_, index) => call(index, `id-${index}`, "f", ""))
        for (const { at, size } of [...order, ...rest.map((_, at) => ({ at, size: Infinity }))]) {
          const index = at % inputs.length
          const piece = rest[index]!.slice(0, size)
          rest[index] = rest[index]!.slice(size)
          deltas.push(call(index, undefined, undefined, piece))
        }
        const blocks = collectBlocks(writeStream({ deltas }))
        expect(blocks.map(({ id }) => id)).toEqual(inputs.map((_, index) => `id-${index}`))
        expect(blocks.map(({ input }) => JSON.parse(String(input)))).toEqual(
          JSON.parse(JSON.stringify(inputs))
        )
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })
})
