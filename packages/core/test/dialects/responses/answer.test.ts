import { assert, describe, expect, it } from "@effect/vitest"
import { OpenResponsesResult$inboundSchema } from "@openrouter/sdk/models"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import type { Part } from "../../../src/conversation/Part.ts"
import type { Tool } from "../../../src/conversation/Conversation.ts"
import { parseResponsesAnswer } from "../../../src/dialects/responses/readAnswer.ts"
import { parseResponsesRequest } from "../../../src/dialects/responses/parseRequest.ts"
import type { ResponseFacts } from "../../../src/dialects/responses/responseObject.ts"
import { parseResponsesUsage } from "../../../src/dialects/responses/responsesUsage.ts"
import { writeResponsesAnswer } from "../../../src/dialects/responses/writeAnswer.ts"
import { fromUsdNumber } from "../../../src/values/usage/NanoUsd.ts"
import { writeReply } from "@signalbox/testing"
import { end, facts, type Json } from "./streams.ts"

const respond = (output: ReadonlyArray<unknown>, rest: Json = {}) => ({
  id: "resp_9",
  object: "response",
  status: "completed",
  model: "acme/m-2026",
  service_tier: "flex",
  output,
  usage: {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
    output_tokens: 6,
    output_tokens_details: { reasoning_tokens: 3 },
    total_tokens: 16
  },
  ...rest
})
const parse = (json: unknown, tools?: ReadonlyArray<Tool>) =>
  Result.getOrThrow(parseResponsesAnswer(json, tools === undefined ? {} : { tools }))
/** The choices in the form of chat. */
const parseMessages = (json: unknown, tools?: ReadonlyArray<Tool>) =>
  writeReply(parse(json, tools)).choices
const findFailure = (json: unknown) => {
  const parsed = parseResponsesAnswer(json)
  return Result.isFailure(parsed) ? parsed.failure : undefined
}
const said = (...content: ReadonlyArray<unknown>) => ({
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content
})
const write = (
  parts: ReadonlyArray<Part>,
  more: Partial<ResponseFacts> = {},
  reason: "content_filter" | "error" | "length" | "stop" = "stop"
): Json =>
  JSON.parse(
    JSON.stringify(
      writeResponsesAnswer(
        { choices: [{ index: 0, answer: { parts, end: { reason } } }] },
        { ...facts, ...more },
        end
      )
    )
  )
const call = (id: string, name: string, given = "{}"): Part => ({
  type: "call",
  id,
  name,
  arguments: given
})
const signature = (value: string) => ({ format: "google-gemini-v1", value })
const text = (said: string): Part => ({ type: "text", text: said })

describe("parseResponsesAnswer", () => {
  it("reads what was said, thought and called, in its order and in that of a chat", () => {
    const reply = parse(
      respond([
        {
          type: "reasoning",
          id: "rs_1",
          summary: [{ type: "summary_text", text: "so" }],
          encrypted_content: "abc"
        },
        said({ type: "output_text", text: "a", annotations: [] }),
        { type: "web_search_call", id: "ws_1", status: "completed" },
        {
          type: "function_call",
          id: "fc_1",
          call_id: "c1",
          name: "f",
          arguments: "",
          namespace: "box"
        },
        said({ type: "output_text", text: "b" }),
        { type: "custom_tool_call", id: "ctc_1", call_id: "c2", name: "p", input: "x" }
      ])
    )
    const format = "openai-responses-v1"
    expect(reply).toEqual({
      id: "resp_9",
      model: "acme/m-2026",
      serviceTier: "flex",
      serverCalls: { calls: 1, webSearches: 1 },
      usage: {
        inputTokens: 10,
        outputTokens: 6,
        cachedTokens: 4,
        cacheWriteTokens: 2,
        reasoningTokens: 3,
        webSearches: 1
      },
      usageDetails: {
        prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
        completion_tokens_details: { reasoning_tokens: 3 }
      },
      choices: [
        {
          index: 0,
          answer: {
            end: { reason: "tool_calls", nativeReason: "completed" },
            parts: [
              { type: "reasoning", format, id: "rs_1", text: "so", isSummary: true },
              { type: "reasoning", format, id: "rs_1", encrypted: "abc" },
              text("a"),
              {
                type: "opaque",
                dialect: "responses",
                raw: { type: "web_search_call", id: "ws_1", status: "completed" }
              },
              { type: "call", id: "c1", name: "f", arguments: "{}", namespace: "box" },
              text("b"),
              { type: "call", id: "c2", name: "p", arguments: "x", isCustom: true }
            ]
          }
        }
      ]
    })
    expect(writeReply(reply).choices).toEqual([
      {
        index: 0,
        finishReason: "tool_calls",
        nativeFinishReason: "completed",
        message: {
          role: "assistant",
          content: expect.anything(),
          reasoning: "so",
          reasoning_details: [
            { type: "reasoning.summary", summary: "so", id: "rs_1", format, index: 0 },
            { type: "reasoning.encrypted", data: "abc", id: "rs_1", format, index: 1 }
          ],
          tool_calls: [
            { id: "c1", type: "function", function: { name: "f", arguments: "{}" } },
            { id: "c2", type: "custom", custom: { name: "p", input: "x" } }
          ]
        }
      }
    ])
  })

  it("joins texts, and keeps citations and logprobs", () => {
    const citation = { url: "https://a.test", title: "A", start_index: 0, end_index: 1 }
    const logprobs = [{ token: "a", logprob: -1, bytes: [97], top_logprobs: [] }]
    const [choice] = parseMessages(
      respond([
        said({
          type: "output_text",
          text: "a",
          annotations: [
            { type: "url_citation", ...citation },
            { type: "file_path", file_id: "f" }
          ],
          logprobs
        }),
        said({ type: "output_text", text: "b" })
      ])
    )
    assert.strictEqual(choice?.message["content"], "ab")
    expect(choice?.message["annotations"]).toEqual([
      { type: "url_citation", url_citation: citation }
    ])
    expect(choice?.logprobs).toEqual({ content: logprobs, refusal: null })
  })

  it.each<[Json, string, string]>([
    [{}, "stop", "completed"],
    [
      { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
      "length",
      "max_output_tokens"
    ],
    [
      { status: "incomplete", incomplete_details: { reason: "content_filter" } },
      "content_filter",
      "content_filter"
    ],
    [{ status: "incomplete", incomplete_details: { reason: "steered" } }, "stop", "steered"],
    [{ status: "incomplete", incomplete_details: null }, "stop", "incomplete"]
  ])("ends %j with %s", (rest, finishReason, nativeFinishReason) => {
    const answer = respond([said({ type: "output_text", text: "a" })], rest)
    expect(parseMessages(answer)[0]).toMatchObject({ finishReason, nativeFinishReason })
  })

  it("reads a refusal", () => {
    const [choice] = parseMessages(respond([said({ type: "refusal", refusal: "no" })]))
    expect(choice?.message).toMatchObject({ content: null, refusal: "no" })
  })

  it("gives tools the names of the caller back", () => {
    const call = { type: "function_call", call_id: "c", name: "my_tool", arguments: "{}" }
    const [choice] = parseMessages(respond([call]), [{ type: "function", name: "my.tool" }])
    expect(choice?.message["tool_calls"]).toMatchObject([{ function: { name: "my.tool" } }])
  })

  it.each<[string, unknown, string]>([
    ["no object", [], "invalid_answer"],
    ["no output", { status: "completed" }, "invalid_answer"],
    ["an answer that is not over", respond([], { status: "in_progress" }), "invalid_answer"],
    [
      "a failure",
      respond([], { status: "failed", error: { code: "rate_limit_exceeded", message: "slow" } }),
      "rate_limited"
    ],
    ["an error without a status", { error: { message: "oops" } }, "server_error"]
  ])("fails for %s", (_, json, kind) => {
    assert.strictEqual(findFailure(json)?.kind, kind)
  })

  it("keeps the usage of a failure", () => {
    const failure = findFailure(respond([], { status: "failed", error: { code: "server_error" } }))
    assert.strictEqual(failure?.usage?.outputTokens, 6)
  })

  it("takes any JSON, with keys of any name", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.jsonValue(),
            fc.record({
              type: fc.constantFrom("message", "reasoning", "function_call", "__proto__"),
              content: fc.jsonValue(),
              summary: fc.jsonValue(),
              name: fc.jsonValue(),
              call_id: fc.jsonValue()
            })
          )
        ),
        (output) => {
          assert.isTrue(Result.isSuccess(parseResponsesAnswer({ output, usage: output[0] })))
        }
      ),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("reads a cost, and the searches that the provider counts", () => {
    const parsed = parseResponsesUsage(
      {
        usage: { input_tokens: 1, output_tokens: 2, cost: 0.5 },
        tool_usage: { web_search: { num_requests: 3 } }
      },
      ({ cost }) => (typeof cost === "number" ? fromUsdNumber(cost) : undefined)
    )
    assert.strictEqual(parsed.usage?.webSearches, 3)
    assert.strictEqual(parsed.cost, fromUsdNumber(0.5))
    assert.deepStrictEqual(parseResponsesUsage({ usage: { input_tokens: "many" } }), {})
  })
})

describe("writeResponsesAnswer", () => {
  it("writes every key, and the settings of the request", () => {
    const request = {
      temperature: 0.5,
      top_p: null,
      instructions: "brief",
      metadata: { a: "b" },
      tools: [{ type: "function", name: "f", parameters: null }],
      tool_choice: "required",
      reasoning: { effort: "low", summary: "auto" },
      text: { format: { type: "json_object" }, verbosity: "low" },
      parallel_tool_calls: false,
      truncation: "auto",
      max_output_tokens: 99
    }
    expect(write([text("hi")], { request })).toEqual({
      id: "resp_1",
      object: "response",
      created_at: 1_700_000_000,
      completed_at: 1_700_000_001,
      status: "completed",
      background: false,
      error: null,
      incomplete_details: null,
      instructions: "brief",
      max_output_tokens: 99,
      max_tool_calls: null,
      metadata: { a: "b" },
      model: "acme/m",
      output: [
        {
          type: "message",
          id: "msg_10",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: "hi", annotations: [], logprobs: [] }]
        }
      ],
      parallel_tool_calls: false,
      previous_response_id: null,
      prompt_cache_key: null,
      reasoning: { effort: "low", summary: "auto" },
      safety_identifier: null,
      service_tier: "default",
      store: false,
      temperature: 0.5,
      top_p: 1,
      frequency_penalty: 0,
      presence_penalty: 0,
      text: { format: { type: "json_object" }, verbosity: "low" },
      tool_choice: "required",
      tools: [{ type: "function", name: "f", description: null, parameters: null, strict: null }],
      top_logprobs: 0,
      truncation: "auto",
      usage: {
        input_tokens: 7,
        input_tokens_details: { cached_tokens: 3, cache_write_tokens: 0 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 2 },
        total_tokens: 12,
        cost: 0.01,
        is_byok: false
      }
    })
  })

  it("translates the names of costs", () => {
    const costs = {
      upstream_inference_cost: 3,
      upstream_inference_prompt_cost: 1,
      upstream_inference_completions_cost: 2
    }
    const response = writeResponsesAnswer(
      { choices: [{ index: 0, answer: { parts: [text("hi")], end: { reason: "stop" } } }] },
      facts,
      {
        ...end,
        usageFields: { cost_details: costs },
        responseFields: { openrouter_metadata: null }
      }
    )
    assert.isNull(response["openrouter_metadata"])
    expect(response["usage"]).toMatchObject({
      cost_details: {
        upstream_inference_cost: 3,
        upstream_inference_input_cost: 1,
        upstream_inference_output_cost: 2
      }
    })
  })

  it.each<["content_filter" | "error" | "length", Json]>([
    [
      "length",
      { status: "incomplete", incomplete_details: { reason: "max_output_tokens" }, error: null }
    ],
    ["content_filter", { status: "incomplete", incomplete_details: { reason: "content_filter" } }],
    [
      "error",
      {
        status: "failed",
        error: { code: "server_error", message: "The provider reports an error." }
      }
    ]
  ])("ends %s, and its last item too", (reason, expected) => {
    const response = write(
      [text("hi"), { type: "call", id: "c", name: "f", arguments: "{" }],
      {},
      reason
    )
    expect(response).toMatchObject({
      ...expected,
      output: [{ status: "completed" }, { status: "incomplete", arguments: "{" }]
    })
    assert.isTrue(OpenResponsesResult$inboundSchema.safeParse(response).success)
  })

  it("answers with the tools of the request: their names, namespaces and free texts", () => {
    const tools: ReadonlyArray<Tool> = [
      { type: "function", name: "my.tool" },
      { type: "function", name: "run", namespace: { name: "box" } },
      { type: "custom", name: "patch" }
    ]
    const { output } = write(
      [
        call("a", "my_tool"),
        call("b", "box__run"),
        call("c", "patch", '{"input":"*** Begin"}'),
        call("d", "patch", "cut off"),
        call("e", "elsewhere")
      ],
      { tools }
    )
    expect(output).toMatchObject([
      { type: "function_call", call_id: "a", name: "my.tool" },
      { type: "function_call", call_id: "b", name: "run", namespace: "box" },
      { type: "custom_tool_call", call_id: "c", name: "patch", input: "*** Begin" },
      { type: "custom_tool_call", call_id: "d", name: "patch", input: "cut off" },
      { type: "function_call", call_id: "e", name: "elsewhere" }
    ])
  })

  it("shows reasoning only to those that want it", () => {
    const parts: ReadonlyArray<Part> = [
      { type: "reasoning", format: "anthropic-claude-v1", text: "so", signature: "sig" },
      text("hi")
    ]
    const types = (request: Json) => {
      const { output } = write(parts, { request })
      return Array.isArray(output)
        ? output.map((item: Json) => [item["type"], item["summary"]])
        : []
    }
    const shown = [{ type: "summary_text", text: "so" }]
    const include = ["reasoning.encrypted_content"]
    expect(types({})).toEqual([
      ["reasoning", shown],
      ["message", undefined]
    ])
    expect(types({ reasoning: { summary: "auto" } })).toEqual([
      ["reasoning", shown],
      ["message", undefined]
    ])
    expect(types({ reasoning: { effort: "low" } })).toEqual([["message", undefined]])
    expect(types({ reasoning: { effort: "low" }, include })).toEqual([
      ["reasoning", []],
      ["message", undefined]
    ])
  })

  it("gets reasoning of every provider back from the next request", () => {
    const reasoning = fc
      .record(
        {
          format: fc.constantFrom("anthropic-claude-v1", "unknown", "azure-openai-responses-v1"),
          text: fc.string({ minLength: 1 }),
          signature: fc.string({ minLength: 1 }),
          encrypted: fc.string({ minLength: 1 }),
          id: fc.uuid()
        },
        { requiredKeys: ["format"] }
      )
      // What says nothing has no item.
      .filter(({ encrypted, signature, text }) => (text ?? signature ?? encrypted) !== undefined)
      .map((fields): Part => ({ type: "reasoning", ...fields }))
    fc.assert(
      fc.property(
        fc.array(reasoning, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        (parts, isShown) => {
          const request = {
            ...facts.request,
            reasoning: isShown ? { summary: "auto" } : { effort: "low" }
          }
          const { output } = write([...parts, text("hi")], { request })
          const parsed = Result.getOrThrow(parseResponsesRequest({ input: output }))
          expect(parsed.turns[0]?.parts).toEqual([...parts, text("hi")])
        }
      ),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("keeps the signatures that Google puts on calls and texts", () => {
    const parts: ReadonlyArray<Part> = [
      { type: "text", text: "hi", signature: signature("a") },
      { type: "call", id: "c", name: "f", arguments: "{}", signature: signature("b") }
    ]
    const { output } = write(parts)
    const parsed = Result.getOrThrow(parseResponsesRequest({ input: output }))
    expect(parsed.turns[0]?.parts).toEqual(parts)
  })
})
