import { assert, describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { makeMessagesEventReader } from "../../../src/dialects/messages/readEvents.ts"
import type { TokenUsage } from "../../../src/values/usage/TokenUsage.ts"
import { fromUsdNumber } from "../../../src/values/usage/NanoUsd.ts"
import type { WrittenEvent } from "@signalbox/testing"
import { listDeltas } from "../readEvents.ts"
import { pieceSizes, spokenParts, toDeltas } from "./streamArbitraries.ts"
import { readStream, writeStream } from "./streams.ts"

type Json = Readonly<Record<string, unknown>>

const start = (usage: Json = { input_tokens: 10, output_tokens: 1 }) => ({
  type: "message_start",
  message: { id: "msg_1", model: "claude-5", content: [], usage }
})
const block = (index: number, content_block: Json) => ({
  type: "content_block_start",
  index,
  content_block
})
const delta = (index: number, said: Json) => ({ type: "content_block_delta", index, delta: said })
const stopBlock = (index: number) => ({ type: "content_block_stop", index })
const finish = (stop_reason: string, rest: Json = {}, usage: Json = { output_tokens: 5 }) => ({
  type: "message_delta",
  delta: { stop_reason, ...rest },
  usage
})
const stop = { type: "message_stop" }

/** A call whose input came at its start. */
const wholeCall = (index: number, input: unknown) => [
  block(index, { type: "tool_use", id: `t${index}`, name: "f", input }),
  stopBlock(index)
]
const call = (index: number, name: string, ...pieces: ReadonlyArray<string>) => [
  block(index, { type: "tool_use", id: `t${index}`, name, input: {} }),
  ...pieces.map((partial_json) => delta(index, { type: "input_json_delta", partial_json })),
  stopBlock(index)
]

const use = (index: number, name: string, input: Json = {}) =>
  block(index, { type: "tool_use", id: `t${index}`, name, input })
const piece = (index: number, partial_json: string) =>
  delta(index, { type: "input_json_delta", partial_json })

const say = (said: Json): WrittenEvent => ({
  type: "delta",
  choices: [{ index: 0, delta: said, finishReason: null }]
})

describe("makeMessagesEventReader", () => {
  it("keeps the signature of a thought that a provider says at once", () => {
    const { items } = readStream([
      start(),
      block(0, { type: "thinking", thinking: "so", signature: "sig" }),
      stopBlock(0),
      finish("end_turn"),
      stop
    ])
    const common = { type: "reasoning.text", format: "anthropic-claude-v1", index: 0 }
    expect(items.slice(0, 2)).toEqual([
      say({ reasoning: "so", reasoning_details: [{ ...common, text: "so" }] }),
      say({ reasoning_details: [{ ...common, signature: "sig" }] })
    ])
  })

  it("says what each event says, and nothing for those that say nothing", () => {
    const { failure, items } = readStream([
      start(),
      { type: "ping" },
      block(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "thinking_delta", thinking: "so" }),
      delta(0, { type: "thinking_delta", thinking: "" }),
      delta(0, { type: "signature_delta", signature: "sig" }),
      stopBlock(0),
      block(1, { type: "redacted_thinking", data: "secret" }),
      stopBlock(1),
      block(2, { type: "text", text: "", citations: null }),
      delta(2, { type: "text_delta", text: "Hi" }),
      delta(2, {
        type: "citations_delta",
        citation: { type: "web_search_result_location", url: "https://a.test" }
      }),
      stopBlock(2),
      block(3, { type: "server_tool_use", id: "s", name: "web_search", input: {} }),
      delta(3, { type: "input_json_delta", partial_json: '{"query":"x"}' }),
      stopBlock(3),
      block(4, { type: "tool_use", id: "toolu_1", name: "f", input: {} }),
      delta(4, { type: "input_json_delta", partial_json: "" }),
      delta(4, { type: "input_json_delta", partial_json: '{"x":' }),
      delta(4, { type: "input_json_delta", partial_json: "1}" }),
      stopBlock(4),
      { type: "new_event", index: 4 },
      finish("tool_use"),
      stop
    ])
    assert.isUndefined(failure)
    const format = "anthropic-claude-v1"
    expect(items).toEqual([
      say({
        reasoning: "so",
        reasoning_details: [{ type: "reasoning.text", text: "so", format, index: 0 }]
      }),
      say({
        reasoning_details: [{ type: "reasoning.text", signature: "sig", format, index: 0 }]
      }),
      say({
        reasoning_details: [{ type: "reasoning.encrypted", data: "secret", format, index: 1 }]
      }),
      say({ content: "Hi" }),
      say({ annotations: [{ type: "url_citation", url_citation: { url: "https://a.test" } }] }),
      say({
        tool_calls: [
          { index: 0, id: "toolu_1", type: "function", function: { name: "f", arguments: "" } }
        ]
      }),
      say({ tool_calls: [{ index: 0, function: { arguments: '{"x":' } }] }),
      say({ tool_calls: [{ index: 0, function: { arguments: "1}" } }] }),
      {
        type: "delta",
        choices: [
          { index: 0, delta: {}, finishReason: "tool_calls", nativeFinishReason: "tool_use" }
        ]
      },
      {
        type: "end",
        id: "msg_1",
        model: "claude-5",
        usage: { inputTokens: 10, outputTokens: 5 },
        serverCalls: { calls: 1, webSearches: 1 }
      }
    ])
  })

  it("reads again what the writer wrote", () => {
    fc.assert(
      fc.property(spokenParts, pieceSizes, (parts, sizes) => {
        const deltas = toDeltas(parts, sizes)
        const { failure, items } = readStream(writeStream({ deltas }))
        assert.isUndefined(failure)
        expect(mergeDeltas(items)).toEqual(mergeDeltas(deltas.map(say)))
        expect(items.at(-1)).toMatchObject({
          type: "end",
          usage: { inputTokens: 12, outputTokens: 7 }
        })
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("says {} for a call without any arguments, and the input that came at its start", () => {
    const { items } = readStream([
      start(),
      ...wholeCall(0, {}),
      ...wholeCall(1, { x: 1 }),
      ...wholeCall(2, null),
      ...wholeCall(3, "text")
    ])
    expect(
      items.map((item) => (item.type === "delta" ? item.choices[0]!.delta["tool_calls"] : item))
    ).toEqual(
      ["{}", '{"x":1}', "{}", "{}"].flatMap((args, index) => [
        [expect.objectContaining({ index, id: `t${index}` })],
        [{ index, function: { arguments: args } }]
      ])
    )
  })

  it.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["pause_turn", "stop"],
    ["compaction", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["refusal", "content_filter"],
    ["something_new", "stop"]
  ])("ends %s as %s", (native, finishReason) => {
    const { items } = readStream([start(), finish(native), stop])
    expect(items[0]).toEqual({
      type: "delta",
      choices: [{ index: 0, delta: {}, finishReason, nativeFinishReason: native }]
    })
  })

  it("ends with calls, under every name for that", () => {
    const { items } = readStream([start(), ...wholeCall(0, {}), finish("end_turn")])
    expect(items.at(-1)).toMatchObject({ choices: [{ finishReason: "tool_calls" }] })
  })

  it("keeps the stop sequence and why a model refused", () => {
    const { items } = readStream([
      start(),
      finish("stop_sequence", { stop_sequence: "END", stop_details: null }),
      finish("refusal", { stop_details: { type: "refusal", explanation: "no" } })
    ])
    expect(items).toMatchObject([
      { choices: [{ end: { stopSequence: "END" } }] },
      { choices: [{ end: { explanation: "no" } }] }
    ])
  })

  it("replaces counts that come again, keeps the others, and never adds", () => {
    const usages: Array<TokenUsage | undefined> = []
    const reader = makeMessagesEventReader({
      onUsage: (usage) => usages.push(usage),
      parseCost: ({ cost }) => (typeof cost === "number" ? fromUsdNumber(cost) : undefined)
    })
    const { items } = readStream(
      [
        start({
          input_tokens: 10,
          cache_read_input_tokens: 60,
          cache_creation_input_tokens: 30,
          output_tokens: 1,
          service_tier: "standard"
        }),
        block(0, { type: "text", text: "x" }),
        finish(
          "end_turn",
          {},
          {
            input_tokens: null,
            cache_read_input_tokens: 61,
            output_tokens: 9,
            output_tokens_details: { thinking_tokens: 4 },
            server_tool_use: { web_search_requests: 2 },
            cost: 0.5
          }
        ),
        stop
      ],
      reader
    )
    const final = {
      inputTokens: 101,
      outputTokens: 9,
      cachedTokens: 61,
      cacheWriteTokens: 30,
      reasoningTokens: 4,
      webSearches: 2
    }
    expect(items.at(-1)).toMatchObject({
      usage: final,
      usageDetails: {
        prompt_tokens_details: { cached_tokens: 61, cache_write_tokens: 30 },
        completion_tokens_details: { reasoning_tokens: 4 }
      },
      cost: fromUsdNumber(0.5),
      serviceTier: "default"
    })
    expect(usages).toEqual([expect.objectContaining({ outputTokens: 1 }), undefined, final])
  })

  it("fails with the error in the stream, and with the usage so far", () => {
    const error = { type: "overloaded_error", message: "Overloaded" }
    for (const event of [{ type: "error", error }, { error }]) {
      const { failure, items } = readStream([start(), block(0, { type: "text", text: "a" }), event])
      assert.lengthOf(items, 1)
      expect(failure).toMatchObject({
        kind: "overloaded",
        detail: "Overloaded",
        usage: { inputTokens: 10, outputTokens: 1 }
      })
    }
    expect(readStream([{ type: "error", error }]).failure).toMatchObject({ kind: "overloaded" })
    expect(readStream([{ type: "error" }]).failure).toMatchObject({ kind: "server_error" })
  })

  it("completes a stream with message_stop only", () => {
    const reader = makeMessagesEventReader()
    const { items } = readStream([start(), block(0, { type: "text", text: "a" })], reader)
    assert.lengthOf(items, 1)
    assert.isFalse(reader.isDone?.())
    assert.isUndefined(reader.end)
    expect(reader.done()).toMatchObject({ kind: "invalid_answer" })
    expect(readStream([start(), stop]).failure).toMatchObject({ kind: "invalid_answer" })
  })

  it("takes [DONE] after a finish for the end", () => {
    const reader = makeMessagesEventReader()
    readStream([start(), finish("end_turn")], reader)
    expect(reader.done()).toMatchObject({ type: "end" })
  })

  it("gives calls the names of the caller back, and free text", () => {
    const reader = makeMessagesEventReader({
      tools: [
        { type: "function", name: "get weather!" },
        { type: "function", name: "f", namespace: { name: "ns" } },
        { type: "custom", name: "sh" }
      ]
    })
    const { items } = readStream(
      [
        start(),
        ...call(0, "get_weather_", "{}"),
        ...call(1, "ns__f", "{}"),
        ...call(2, "sh", '{"inp', 'ut":"ls\\n"}'),
        ...call(3, "sh", '{"input":"cut'),
        ...call(4, "unknown", "{}")
      ],
      reader
    )
    const heads = items.flatMap((item) =>
      item.type === "delta" ? (item.choices[0]!.delta["tool_calls"] as ReadonlyArray<Json>) : []
    )
    expect(heads.filter(({ id }) => id !== undefined)).toMatchObject([
      { id: "t0", function: { name: "get weather!" } },
      { id: "t1", function: { name: "f" }, namespace: "ns" },
      { id: "t2", type: "custom", custom: { name: "sh", input: "ls\n" } },
      { id: "t3", type: "custom", custom: { name: "sh", input: '{"input":"cut' } },
      { id: "t4", function: { name: "unknown" } }
    ])
  })

  it("says calls whose blocks were cut off by the cap", () => {
    const tools = [{ type: "custom" as const, name: "sh" }]
    const cut = [
      use(0, "sh"),
      use(1, "sh"),
      use(2, "f"),
      use(3, "f", { a: 1 }),
      use(4, "sh", { input: "ls" })
    ]
    const events = [
      start(),
      ...cut,
      piece(0, '{"input":"l'),
      piece(2, '{"b'),
      finish("max_tokens"),
      stop
    ]
    for (const ending of [events, events.filter(({ type }) => type !== "message_delta")]) {
      const { events: said, failure } = readStream(ending, makeMessagesEventReader({ tools }))
      assert.isUndefined(failure)
      const deltas = listDeltas(said)
      const calls = new Map<string, string>()
      for (const event of deltas.flatMap(({ events: each }) => each)) {
        if (event.type !== "call") continue
        calls.set(event.call.id, (calls.get(event.call.id) ?? "") + event.text)
      }
      assert.deepStrictEqual(
        cut.map((_, index) => calls.get(`t${index}`)),
        ['{"input":"l', "", '{"b', '{"a":1}', "ls"]
      )
      assert.strictEqual(said.at(-1)?.type, "end")
      const ends = deltas.map(({ end }) => end?.reason)
      assert.isTrue(ends.slice(0, -1).every((reason) => reason === undefined))
      if (ending === events) assert.strictEqual(ends.at(-1), "length")
    }
  })

  it("survives all JSON from a provider", () => {
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom("text", "tool_use", "thinking", "text_delta", "input_json_delta")
    )
    const event = fc.record(
      {
        type: fc.constantFrom(
          "message_start",
          "content_block_start",
          "content_block_delta",
          "content_block_stop",
          "message_delta",
          "message_stop",
          "ping"
        ),
        index: odd,
        message: odd,
        content_block: fc.oneof(odd, fc.dictionary(fc.constantFrom("type", "id", "name"), odd)),
        delta: fc.oneof(odd, fc.dictionary(fc.constantFrom("type", "text", "stop_reason"), odd)),
        usage: odd
      },
      { requiredKeys: ["type"] }
    )
    fc.assert(
      fc.property(fc.array(event), (events) => {
        expect(() => readStream(events)).not.toThrow()
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })
})

/** Joins the pieces, which may have any size, and ignores the numbers of details. */
const mergeDeltas = (items: ReadonlyArray<WrittenEvent>): ReadonlyArray<unknown> => {
  const merged: Array<Record<string, unknown>> = []
  const places = new Map<unknown, number>()
  for (const item of items) {
    if (item.type !== "delta") continue
    for (const { delta } of item.choices) {
      const details = (delta["reasoning_details"] ?? []) as ReadonlyArray<Json>
      const calls = (delta["tool_calls"] ?? []) as ReadonlyArray<Json>
      const { content } = delta
      if (typeof content === "string") merge(merged, "content", { text: content })
      for (const { index, ...detail } of details) {
        if (!places.has(index)) places.set(index, places.size)
        merge(merged, `detail ${places.get(index)}`, detail)
      }
      for (const call of calls) {
        const { arguments: text, name } = call["function"] as Json
        merge(merged, `call ${String(call["index"])}`, {
          ...(call["id"] === undefined ? undefined : { id: call["id"], name }),
          text
        })
      }
    }
  }
  return merged
}

const merge = (merged: Array<Record<string, unknown>>, key: string, said: Json): void => {
  const last = merged.at(-1)
  if (last?.["key"] !== key) {
    merged.push({ key, ...said })
    return
  }
  const { text: before = "" } = last
  const { text: after } = said
  const isText = typeof before === "string" && typeof after === "string"
  Object.assign(last, said, isText ? { text: before + after } : undefined)
}
