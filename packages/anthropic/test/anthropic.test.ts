import { type ChatCallInput, makeChatCall } from "@signalbox/core/dialects"
import { assert, describe, expect, it } from "@effect/vitest"
import { fault, reply, ScriptedUpstream, type Step } from "@signalbox/testing"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Redacted from "effect/Redacted"
import { inspect } from "node:util"
import { anthropic, type AnthropicOptions } from "../src/index.ts"

const call: ChatCallInput = {
  model: "claude-opus-5",
  messages: [{ role: "user", content: "Is all well?" }],
  parameters: {},
  contentBytes: 60
}

const startServer = Effect.acquireRelease(
  Effect.promise(() => ScriptedUpstream.start()),
  (server) => Effect.promise(() => server.close())
)

/** The request and the result of a call, by an upstream with a key and these options. */
const send = Effect.fnUntraced(function* (
  given: Partial<ChatCallInput> = {},
  options: AnthropicOptions = {},
  step: Step = reply.chat("All is well.")
) {
  const server = yield* startServer
  server.always(step)
  const { chat } = anthropic({ baseUrl: server.url, apiKey: "sk-ant-of-the-house", ...options })
  assert.isDefined(chat)
  const result = yield* Effect.result(chat.complete(makeChatCall({ ...call, ...given }))).pipe(
    Effect.provide(FetchHttpClient.layer)
  )
  return { result, request: server.requests[0], body: server.requests[0]?.body }
})

const lookUp = {
  type: "function",
  function: { name: "look_up", parameters: { type: "object", properties: { word: {} } } }
}

describe("anthropic", () => {
  it("is Anthropic itself by default", () => {
    const upstream = anthropic({ apiKey: null })
    assert.strictEqual(upstream.slug, "anthropic")
    assert.strictEqual(upstream.name, "Anthropic")
    const other = anthropic({ apiKey: null, slug: "foundry", name: "Our Foundry" })
    assert.strictEqual(other.slug, "foundry")
    assert.strictEqual(other.name, "Our Foundry")
  })

  it("does not show its key", () => {
    const upstream = anthropic({ apiKey: "sk-ant-secret" })
    assert.notInclude(JSON.stringify(upstream) + inspect(upstream, { depth: 9 }), "sk-ant-secret")
  })

  it.each([
    { maxImageTokens: -1 },
    { maxFileTokens: Number.POSITIVE_INFINITY },
    { maxOutputTokens: 0 },
    { maxOutputTokens: 1.5 },
    { models: { ours: { maxOutputTokens: -1 } } }
  ])("rejects %j", (options) => {
    assert.throws(() => anthropic({ apiKey: null, ...options }), RangeError, "must be a whole")
  })

  it.each([
    [
      { baseURL: "http://127.0.0.1:8000" },
      "anthropic: baseURL is no option; did you mean baseUrl?"
    ],
    [{ apiKey: 5 }, "anthropic: apiKey must be of type string"],
    ["sk-1", "anthropic takes one object of options: apiKey, "]
  ])("rejects %j instead of calling Anthropic itself", (options, message) => {
    // Callers without types get an error too.
    assert.throws(() => anthropic(options as AnthropicOptions), message)
  })

  it.each([{}, { apiKey: "" }, { baseUrl: "https://api.anthropic.com/v1/" }])(
    "rejects a missing key for Anthropic itself: %j",
    (options) => {
      assert.throws(
        () => anthropic(options),
        RangeError,
        "and api.anthropic.com needs one; is the variable that holds it set?"
      )
    }
  )

  it("needs no key with customers' credentials, or at another base URL", () => {
    assert.strictEqual(anthropic({ apiKey: null }).slug, "anthropic")
    assert.strictEqual(anthropic({ baseUrl: "http://127.0.0.1:8000" }).slug, "anthropic")
  })

  it.each(["", "localhost:8000", "ftp://127.0.0.1", "http://", "/v1"])(
    "rejects the base URL %j",
    (baseUrl) => {
      assert.throws(() => anthropic({ baseUrl }), /^baseUrl must be an address/)
    }
  )

  it.effect.each(["", "/", "/v1", "/v1/", "/anthropic", "/anthropic/v1"])(
    "posts below the base URL that ends in %j",
    (path) =>
      Effect.gen(function* () {
        const server = yield* startServer
        const { chat } = anthropic({
          baseUrl: server.url + path,
          apiKey: Redacted.make("sk-ant-1")
        })
        yield* chat!.complete(makeChatCall(call)).pipe(Effect.provide(FetchHttpClient.layer))
        const [request] = server.requests
        const below = path.startsWith("/anthropic") ? "/anthropic" : ""
        assert.strictEqual(request?.path, `${below}/v1/messages`)
        assert.strictEqual(request?.headers["x-api-key"], "sk-ant-1")
        assert.strictEqual(request?.headers["anthropic-version"], "2023-06-01")
        assert.isUndefined(request?.headers["authorization"])
      })
  )

  it.effect("sends the key and the version as the host wants", () =>
    Effect.gen(function* () {
      const headers = { "Anthropic-Version": "2026-10-21", "anthropic-beta": "a-beta" }
      const other = yield* send({}, { keyHeader: "Api-Key", headers })
      expect(other.request?.headers).toMatchObject({
        "api-key": "sk-ant-of-the-house",
        "anthropic-version": "2026-10-21",
        "anthropic-beta": "a-beta"
      })
      const bearer = yield* send({}, { keyHeader: "Authorization" })
      expect(bearer.request?.headers).toMatchObject({ authorization: "Bearer sk-ant-of-the-house" })
      assert.isUndefined(bearer.request?.headers["x-api-key"])
    })
  )

  it.effect("sends the maximum of the model, or the configured one", () =>
    Effect.gen(function* () {
      const getMost = Effect.fnUntraced(function* (given: Partial<ChatCallInput>, options = {}) {
        const { body } = yield* send(given, options)
        return body
      })
      expect(yield* getMost({})).toMatchObject({ max_tokens: 128_000 })
      expect(yield* getMost({ model: "claude-opus-4-1" })).toMatchObject({ max_tokens: 32_000 })
      const models = { ours: { maxOutputTokens: 9_000 } }
      expect(yield* getMost({ model: "ours-2" }, { models })).toMatchObject({ max_tokens: 9_000 })
      expect(yield* getMost({}, { maxOutputTokens: 8_000 })).toMatchObject({ max_tokens: 8_000 })
      expect(yield* getMost({ maxOutputTokens: 70 })).toMatchObject({ max_tokens: 70 })
      expect(yield* getMost({ parameters: { max_completion_tokens: 60 } })).toMatchObject({
        max_tokens: 60
      })
    })
  )

  it.effect("says everything in the words of the API", () =>
    Effect.gen(function* () {
      const png = "iVBORw0KGgo="
      const { body } = yield* send({
        messages: [
          {
            role: "system",
            content: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }]
          },
          {
            role: "user",
            content: [
              { type: "text", text: "What is this?" },
              { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } },
              { type: "image_url", image_url: { url: "https://example.com/a.jpg" } },
              {
                type: "file",
                file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" }
              }
            ]
          },
          {
            role: "assistant",
            content: "Let me look.",
            reasoning_details: [
              {
                type: "reasoning.text",
                text: "Hm.",
                signature: "c2ln",
                format: "anthropic-claude-v1",
                index: 0
              }
            ],
            tool_calls: [
              { id: "a", type: "function", function: { name: "look_up", arguments: '{"word":1}' } },
              { id: "b", type: "function", function: { name: "look_up", arguments: "" } }
            ]
          },
          { role: "tool", tool_call_id: "b", content: "two" },
          { role: "tool", tool_call_id: "a", content: "one" }
        ],
        parameters: {
          tools: [lookUp],
          tool_choice: "required",
          parallel_tool_calls: false,
          reasoning: { effort: "high" },
          response_format: {
            type: "json_schema",
            json_schema: { name: "x", schema: { type: "object", properties: { n: {} } } }
          },
          stop: ["END"],
          seed: 7,
          temperature: 0.5
        }
      })
      assert.deepStrictEqual(body, {
        model: "claude-opus-5",
        max_tokens: 128_000,
        system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "What is this?" },
              { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
              { type: "image", source: { type: "url", url: "https://example.com/a.jpg" } },
              {
                type: "document",
                source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" },
                title: "a.pdf"
              }
            ]
          },
          {
            role: "assistant",
            content: [
              { type: "thinking", thinking: "Hm.", signature: "c2ln" },
              { type: "text", text: "Let me look." },
              { type: "tool_use", id: "a", name: "look_up", input: { word: 1 } },
              { type: "tool_use", id: "b", name: "look_up", input: {} }
            ]
          },
          {
            role: "user",
            content: [
              { type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "one" }] },
              { type: "tool_result", tool_use_id: "b", content: [{ type: "text", text: "two" }] }
            ]
          }
        ],
        tools: [{ name: "look_up", input_schema: { type: "object", properties: { word: {} } } }],
        tool_choice: { type: "any", disable_parallel_tool_use: true },
        thinking: { type: "adaptive", display: "summarized" },
        output_config: {
          effort: "high",
          format: {
            type: "json_schema",
            schema: { type: "object", properties: { n: {} }, additionalProperties: false }
          }
        },
        stop_sequences: ["END"]
      })
    })
  )

  it.effect("thinks and samples as the model can", () =>
    Effect.gen(function* () {
      const parameters = { reasoning: { effort: "high" }, max_tokens: 10_000 }
      const old = yield* send({ model: "claude-sonnet-4-5", parameters })
      expect(old.body).toMatchObject({ thinking: { type: "enabled", budget_tokens: 8_000 } })
      const off = { reasoning: { effort: "none" } }
      const newer = yield* send({ model: "claude-opus-5", parameters: off })
      expect(newer.body).toMatchObject({ thinking: { type: "disabled" } })
      const newest = yield* send({ model: "claude-opus-5-5", parameters: off })
      expect(newest.body).toMatchObject({ output_config: { effort: "low" } })
      expect(newest.body).not.toHaveProperty("thinking")
      const warm = { parameters: { temperature: 1.5, top_p: 0.5, top_k: 9 } }
      const sampled = yield* send({ model: "claude-sonnet-4-6", ...warm })
      expect(sampled.body).toMatchObject({ temperature: 1, top_k: 9 })
      // Models from 4.1 take one of the two.
      expect(sampled.body).not.toHaveProperty("top_p")
      const unsampled = yield* send({ model: "claude-opus-4-7", ...warm })
      expect(unsampled.body).not.toHaveProperty("temperature")
    })
  )

  it.effect("reports a refusal, and a stop that chat has a word for", () =>
    Effect.gen(function* () {
      const refused = yield* send({}, {}, fault.refusal())
      expect(refused.result).toMatchObject({
        success: {
          choices: [{ answer: { end: { reason: "content_filter", nativeReason: "refusal" } } }]
        }
      })
      const cut = yield* send({}, {}, reply.chat("Cut sho", { finishReason: "length" }))
      expect(cut.result).toMatchObject({
        success: {
          choices: [{ answer: { end: { reason: "length", nativeReason: "max_tokens" } } }]
        }
      })
    })
  )

  it.effect.each([
    [fault.status(429, { kind: "enforced_spend_limit_reached" }), "credential_refused"],
    [
      fault.status(400, { message: "Your credit balance is too low to access the Anthropic API." }),
      "credential_refused"
    ],
    [
      fault.status(400, { message: 'tool_choice: type "any" is not supported for this model.' }),
      "unsupported_parameter"
    ],
    [fault.status(413), "bad_request"],
    [fault.status(409), "server_error"]
  ] as const)("knows what the errors of the API mean: %j", ([step, kind]) =>
    Effect.gen(function* () {
      const { result } = yield* send({}, {}, step)
      expect(result).toMatchObject({ failure: { kind } })
    })
  )

  it.effect("waits as long as the limits that are used up", () =>
    Effect.gen(function* () {
      const headers = {
        "anthropic-ratelimit-requests-remaining": "9",
        "anthropic-ratelimit-requests-reset": "2999-01-01T00:00:00Z",
        "anthropic-ratelimit-input-tokens-remaining": "0",
        "anthropic-ratelimit-input-tokens-reset": "1970-01-01T00:00:30Z"
      }
      // The clock of the test stands at 1970.
      const { result } = yield* send({}, {}, fault.status(429, { headers }))
      expect(result).toMatchObject({ failure: { kind: "rate_limited", retryAfterMillis: 30_000 } })
    })
  )
})
