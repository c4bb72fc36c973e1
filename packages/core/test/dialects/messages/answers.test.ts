import { assert, describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import type { Tool } from "../../../src/conversation/Conversation.ts"
import { makeMessagesEventWriter } from "../../../src/dialects/messages/writeEvents.ts"
import { parseMessagesAnswer } from "../../../src/dialects/messages/readAnswer.ts"
import { writeMessagesAnswer } from "../../../src/dialects/messages/writeAnswer.ts"
import type { ChatReply } from "../../../src/engine/upstreams/ChatCapability.ts"
import { makeDeltaParser, parseChoice, writeReply } from "@signalbox/testing"
import { spokenParts, toBlocks } from "./streamArbitraries.ts"

type Json = Readonly<Record<string, unknown>>

const answer = (content: unknown, rest: Json = {}): Json => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-5",
  content,
  stop_reason: "end_turn",
  stop_sequence: null,
  stop_details: null,
  usage: { input_tokens: 10, output_tokens: 5 },
  ...rest
})

const facts = {
  id: "gen-1",
  model: "acme/m",
  created: 0,
  usage: { inputTokens: 1, outputTokens: 2 }
}

const parse = (json: unknown, tools: ReadonlyArray<Tool> = []): ChatReply =>
  Result.getOrThrow(parseMessagesAnswer(json, { tools }))

const parseFailure = (json: unknown) => {
  const parsed = parseMessagesAnswer(json)
  assert.isTrue(Result.isFailure(parsed))
  return Result.isFailure(parsed) ? parsed.failure : undefined
}

/** The end of an answer without a stop reason. */
const parseEnd = (content: ReadonlyArray<Json>) =>
  parse(answer(content, { stop_reason: null })).choices[0]?.answer.end

const callTool = (name: string, input: unknown) => ({ type: "tool_use", id: name, name, input })
const callWith = (args: string) => ({
  tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: args } }]
})

/** A reply of the chat dialect, which says no order. */
const reply = (message: Json, finishReason: string | null = "stop"): ChatReply => ({
  choices: [parseChoice({ index: 0, message, finishReason })]
})

/** The usage of an answer that wrote to the cache, `hour` tokens of it for an hour. */
const countHour = (hour: number) =>
  parse(
    answer([], {
      usage: {
        input_tokens: 10,
        cache_creation_input_tokens: 30,
        cache_creation: {
          ephemeral_5m_input_tokens: 30 - hour,
          ephemeral_1h_input_tokens: hour
        },
        output_tokens: 20
      }
    })
  ).usage

describe("parseMessagesAnswer", () => {
  it("reads what was said, thought and called", () => {
    const parsed = parse(
      answer(
        [
          { type: "thinking", thinking: "so", signature: "sig" },
          { type: "redacted_thinking", data: "secret" },
          { type: "text", text: "Let me ", citations: null },
          { type: "tool_use", id: "toolu_1", name: "f", input: { x: 1 } },
          { type: "text", text: "see." }
        ],
        { stop_reason: "tool_use" }
      )
    )
    const format = "anthropic-claude-v1"
    expect(writeReply(parsed)).toMatchObject({
      id: "msg_1",
      model: "claude-5",
      usage: { inputTokens: 10, outputTokens: 5 },
      choices: [
        {
          index: 0,
          finishReason: "tool_calls",
          nativeFinishReason: "tool_use",
          message: {
            role: "assistant",
            content: "Let me see.",
            reasoning: "so",
            reasoning_details: [
              { type: "reasoning.text", text: "so", signature: "sig", format, index: 0 },
              { type: "reasoning.encrypted", data: "secret", format, index: 1 }
            ],
            tool_calls: [
              { id: "toolu_1", type: "function", function: { name: "f", arguments: '{"x":1}' } }
            ]
          }
        }
      ]
    })
    expect(parsed.choices[0]?.answer.parts.map(({ type }) => type)).toEqual([
      "reasoning",
      "reasoning",
      "text",
      "call",
      "text"
    ])
  })

  it("returns the same blocks when it is written again", () => {
    fc.assert(
      fc.property(spokenParts, (parts) => {
        const content = toBlocks(parts)
        const written = writeMessagesAnswer(parse(answer(content)), facts)
        expect(JSON.parse(JSON.stringify(written["content"]))).toEqual(
          JSON.parse(JSON.stringify(content))
        )
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("tells other APIs of no search where the caller has sent what is cited", () => {
    const citation = {
      type: "search_result_location",
      source: "https://a.test",
      title: "A",
      cited_text: "x",
      search_result_index: 0,
      start_block_index: 0,
      end_block_index: 1
    }
    const parsed = parse(answer([{ type: "text", text: "x", citations: [citation] }]))
    expect(writeReply(parsed).choices[0]?.message).toEqual({ role: "assistant", content: "x" })
    expect(writeMessagesAnswer(parsed, facts)["content"]).toEqual([
      { type: "text", text: "x", citations: [citation] }
    ])
  })

  it("keeps citations and blocks that no other API knows", () => {
    const content = [
      { type: "server_tool_use", id: "s", name: "web_search", input: {} },
      { type: "web_search_tool_result", tool_use_id: "s", content: [] },
      {
        type: "text",
        text: "x",
        citations: [{ type: "web_search_result_location", url: "https://a.test" }]
      }
    ]
    const parsed = parse(answer(content))
    expect(writeReply(parsed).choices[0]?.message).toEqual({
      role: "assistant",
      content: "x",
      annotations: [{ type: "url_citation", url_citation: { url: "https://a.test" } }]
    })
    expect(writeMessagesAnswer(parsed, facts)["content"]).toEqual(content)
  })

  it.each([
    ["end_turn", {}, "stop"],
    ["stop_sequence", { stop_sequence: "END" }, "stop"],
    ["max_tokens", {}, "length"],
    ["model_context_window_exceeded", {}, "length"],
    [
      "refusal",
      { stop_details: { type: "refusal", category: null, explanation: "no" } },
      "content_filter"
    ],
    ["pause_turn", {}, "stop"]
  ])("keeps the end %s", (stop_reason, rest, finishReason) => {
    const json = answer([], { stop_reason, ...rest })
    const parsed = parse(json)
    expect(parsed.choices[0]?.answer.end).toMatchObject({
      reason: finishReason,
      nativeReason: stop_reason
    })
    expect(writeMessagesAnswer(parsed, facts)).toMatchObject({ stop_reason, ...rest })
  })

  it("takes calls without a stop reason for the reason", () => {
    const call = { type: "tool_use", id: "t", name: "f", input: {} }
    expect(parseEnd([call])).toEqual({ reason: "tool_calls" })
    expect(parseEnd([])).toEqual({ reason: "stop" })
  })

  it("gives calls the names of the caller back, and free text", () => {
    const parsed = parse(
      answer([
        callTool("get_weather_", {}),
        callTool("sh", { input: "ls" }),
        callTool("ns__f", null)
      ]),
      [
        { type: "function", name: "get weather!" },
        { type: "custom", name: "sh" },
        { type: "function", name: "f", namespace: { name: "ns" } }
      ]
    )
    expect(parsed.choices[0]?.answer.parts).toEqual([
      { type: "call", id: "get_weather_", name: "get weather!", arguments: "{}" },
      { type: "call", id: "sh", name: "sh", isCustom: true, arguments: "ls" },
      { type: "call", id: "ns__f", name: "f", namespace: "ns", arguments: "{}" }
    ])
  })

  it("counts cached input as input", () => {
    const { usage, usageDetails } = parse(
      answer([], {
        usage: {
          input_tokens: 10,
          cache_read_input_tokens: 60,
          cache_creation_input_tokens: 30,
          output_tokens: 20,
          output_tokens_details: { thinking_tokens: 5 },
          server_tool_use: { web_search_requests: 2, web_fetch_requests: 1 }
        }
      })
    )
    expect(usage).toEqual({
      inputTokens: 100,
      outputTokens: 20,
      cachedTokens: 60,
      cacheWriteTokens: 30,
      reasoningTokens: 5,
      webSearches: 2
    })
    expect(usageDetails).toEqual({
      prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
      completion_tokens_details: { reasoning_tokens: 5 }
    })
  })

  it("counts what the cache keeps for an hour", () => {
    const plain = { inputTokens: 40, outputTokens: 20, cacheWriteTokens: 30 }
    expect(countHour(10)).toEqual({ ...plain, cacheWrite1hTokens: 10 })
    expect(countHour(0)).toEqual(plain)
  })

  it.each([
    [undefined],
    [{ input_tokens: 1 }],
    [{ input_tokens: -1, output_tokens: 1 }],
    [{ input_tokens: 1.5, output_tokens: 1 }],
    [{ input_tokens: Number.MAX_SAFE_INTEGER, cache_read_input_tokens: 1, output_tokens: 1 }],
    ["many"]
  ])("reports no usage of %j", (usage) => {
    assert.isUndefined(parse(answer([], { usage })).usage)
  })

  it.each([
    [null, "invalid_answer"],
    [[], "invalid_answer"],
    [{}, "invalid_answer"],
    [{ type: "message", content: 7 }, "invalid_answer"],
    [{ type: "error", error: { type: "overloaded_error", message: "busy" } }, "overloaded"],
    [{ error: { type: "invalid_request_error", message: "prompt is too long" } }, "context_length"],
    [{ error: "something" }, "server_error"]
  ])("fails for %j", (json, kind) => {
    expect(parseFailure(json)?.kind).toBe(kind)
  })

  it("survives all JSON from a provider", () => {
    const odd = fc.jsonValue({ maxDepth: 3 })
    const block = fc.dictionary(
      fc.constantFrom("type", "text", "input", "name", "id", "thinking", "data"),
      fc.oneof(odd, fc.constantFrom("text", "tool_use", "thinking", "redacted_thinking"))
    )
    const json = fc.record(
      {
        content: fc.oneof(odd, fc.array(fc.oneof(odd, block))),
        stop_reason: odd,
        stop_details: odd,
        usage: fc.oneof(odd, fc.dictionary(fc.constantFrom("input_tokens", "output_tokens"), odd))
      },
      { requiredKeys: [] }
    )
    fc.assert(
      fc.property(json, (each) => {
        expect(() =>
          Result.map(parseMessagesAnswer(each), (parsed) => writeMessagesAnswer(parsed, facts))
        ).not.toThrow()
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })
})

describe("writeMessagesAnswer", () => {
  it("divides cache writes by their time if that is known", () => {
    const usage = {
      inputTokens: 40,
      outputTokens: 20,
      cacheWriteTokens: 30,
      cacheWrite1hTokens: 10
    }
    expect(
      writeMessagesAnswer(reply({ content: "Hi" }), { ...facts, usage })["usage"]
    ).toMatchObject({
      cache_creation_input_tokens: 30,
      cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 10 }
    })
  })

  it("writes every key that clients require", () => {
    expect(writeMessagesAnswer(reply({ content: "Hi" }), facts)).toEqual({
      id: "gen-1",
      type: "message",
      role: "assistant",
      model: "acme/m",
      content: [{ type: "text", text: "Hi", citations: null }],
      stop_reason: "end_turn",
      stop_sequence: null,
      stop_details: null,
      container: null,
      diagnostics: null,
      usage: {
        input_tokens: 1,
        cache_creation_input_tokens: null,
        cache_read_input_tokens: null,
        cache_creation: null,
        output_tokens: 2,
        output_tokens_details: null,
        server_tool_use: null,
        service_tier: null,
        inference_geo: null
      }
    })
  })

  it("puts thinking first, then text, then calls, where chat says no order", () => {
    const written = writeMessagesAnswer(
      reply({
        content: "text",
        reasoning: "thought",
        refusal: "refused",
        tool_calls: [
          { id: "a", type: "function", function: { name: "f", arguments: '{"x":1}' } },
          { id: "b", type: "function", function: { name: "g", arguments: "" } },
          { id: "c", type: "custom", custom: { name: "sh", input: "ls" } }
        ]
      }),
      facts
    )
    expect(written["content"]).toEqual([
      { type: "thinking", thinking: "thought", signature: "" },
      { type: "text", text: "text", citations: null },
      { type: "text", text: "refused", citations: null },
      { type: "tool_use", id: "a", name: "f", input: { x: 1 } },
      { type: "tool_use", id: "b", name: "g", input: {} },
      { type: "tool_use", id: "c", name: "sh", input: { input: "ls" } }
    ])
    expect(written["stop_reason"]).toBe("tool_use")
  })

  it("keeps arguments that are no object readable, so that the call is not run with half of them", () => {
    for (const args of ['{"x":"ab', "[1]", "nonsense"]) {
      const written = writeMessagesAnswer(reply(callWith(args), "length"), facts)
      expect(written).toMatchObject({
        stop_reason: "max_tokens",
        content: [{ type: "tool_use", input: { invalid_arguments: args } }]
      })
    }
  })

  it("leaves out empty texts", () => {
    expect(writeMessagesAnswer(reply({ content: "" }), facts)["content"]).toEqual([])
    const details = [{ type: "reasoning.text", text: "", format: "unknown" }]
    expect(writeMessagesAnswer(reply({ reasoning_details: details }), facts)["content"]).toEqual([])
    expect(writeMessagesAnswer(reply({ content: null }), facts)["content"]).toEqual([])
  })

  it("writes a message even without an answer", () => {
    expect(writeMessagesAnswer({ choices: [] }, facts)).toMatchObject({ content: [] })
  })

  it("gives calls the names of the caller back, which other dialects had to shorten", () => {
    const name = `mcp__${"x".repeat(80)}`
    const tools: ReadonlyArray<Tool> = [{ type: "function", name }]
    const message = {
      tool_calls: [
        { id: "a", type: "function", function: { name: name.slice(0, 64), arguments: "{}" } }
      ]
    }
    const written = writeMessagesAnswer(reply(message), { ...facts, tools })
    expect(written["content"]).toMatchObject([{ type: "tool_use", name }])
    const writer = makeMessagesEventWriter({ id: "gen-1", model: "m", inputTokens: 1, tools })
    const events = writer.write({
      type: "delta",
      choices: [makeDeltaParser()({ index: 0, delta: message, finishReason: null })]
    })
    expect(events[1]).toMatchObject({ content_block: { type: "tool_use", name } })
  })

  it("survives all JSON that a provider answers in chat", () => {
    const odd = fc.jsonValue({ maxDepth: 3 })
    const message = fc.dictionary(
      fc.constantFrom("content", "reasoning", "reasoning_details", "refusal", "tool_calls"),
      fc.oneof(
        odd,
        fc.array(fc.dictionary(fc.constantFrom("id", "type", "function", "text", "data"), odd))
      )
    )
    fc.assert(
      fc.property(message, (each) => {
        expect(() => writeMessagesAnswer(reply(each), facts)).not.toThrow()
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })
})
