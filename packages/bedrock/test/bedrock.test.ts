import { type ChatCallInput, makeChatCall } from "@signalbox/core/dialects"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, it } from "@effect/vitest"
import type { ChatCapability } from "@signalbox/core/upstream"
import { sendJson, startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { bedrock, type BedrockOptions } from "../src/index.ts"

const credentials = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret-key-of-aws" }
const region = "us-east-1"

const callOf = (model: string, rest: Partial<ChatCallInput> = {}) =>
  makeChatCall({
    model,
    messages: [{ role: "user", content: "Is it calm at sea?" }],
    parameters: {},
    contentBytes: 100,
    ...rest
  })

const startProvider = startRecordingServer(({ url }, response) =>
  sendJson(
    response,
    url?.startsWith("/anthropic") === true
      ? { type: "message", content: [{ type: "text", text: "Yes." }], stop_reason: "end_turn" }
      : { choices: [{ message: { content: "Yes." }, finish_reason: "stop" }] }
  )
)

const getChat = (options: BedrockOptions): ChatCapability => bedrock(options).chat ?? assert.fail()

describe("bedrock", () => {
  it.effect.each([
    ["anthropic.claude-opus-4-8", "/anthropic/v1/messages"],
    ["us.anthropic.claude-opus-4-8", "/anthropic/v1/messages"],
    ["us-gov.anthropic.claude-opus-4-8", "/anthropic/v1/messages"],
    ["openai.gpt-5.5", "/openai/v1/chat/completions"],
    ["google.gemma-4-27b", "/openai/v1/chat/completions"],
    ["xai.grok-5", "/openai/v1/chat/completions"],
    ["openai.gpt-oss-120b", "/v1/chat/completions"],
    ["mistral.mistral-large-3", "/v1/chat/completions"]
  ])("calls %s at %s, signed", ([model, path]) =>
    Effect.gen(function* () {
      const server = yield* startProvider
      const chat = getChat({ region, credentials, baseUrl: server.url })
      const reply = yield* chat.complete(callOf(model ?? ""))
      assert.deepStrictEqual(reply.choices[0]?.answer.parts, [{ type: "text", text: "Yes." }])
      const [request] = server.requests
      assert.strictEqual(request?.url, path)
      const authorization = request?.headers["authorization"]
      assert.match(
        String(authorization),
        /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/19700101\/us-east-1\/bedrock-mantle\/aws4_request, /
      )
      assert.strictEqual(JSON.parse(request?.text ?? "{}").model, model)
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it.effect("sends a customer's credential and an API key as they are, without signature", () =>
    Effect.gen(function* () {
      const server = yield* startProvider
      const credential = Redacted.make("customer-key")
      const signing = getChat({ region, credentials, baseUrl: server.url })
      const keyed = getChat({ region, apiKey: "host-key", baseUrl: server.url })
      for (const model of ["anthropic.claude-opus-4-8", "openai.gpt-5.5"]) {
        yield* signing.complete(callOf(model, { credential }))
        yield* keyed.complete(callOf(model))
      }
      assert.deepStrictEqual(
        server.requests.map(({ headers }) => headers["authorization"]),
        ["Bearer customer-key", "Bearer host-key", "Bearer customer-key", "Bearer host-key"]
      )
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it.effect("limits the answers of every model to its maxOutputTokens, also those of Claude", () =>
    Effect.gen(function* () {
      const server = yield* startProvider
      const chat = getChat({ region, credentials, baseUrl: server.url, maxOutputTokens: 2_000 })
      yield* chat.complete(callOf("anthropic.claude-opus-4-8"))
      assert.strictEqual(JSON.parse(server.requests[0]?.text ?? "{}").max_tokens, 2_000)
      for (const model of ["anthropic.claude-opus-4-8", "mistral.mistral-large-3"]) {
        assert.strictEqual(chat.estimateWorstCase(callOf(model)).outputTokens, 2_000)
      }
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it("reads the reasoning of Claude only", () => {
    const { reasoningFamily } = getChat({ region, credentials })
    if (typeof reasoningFamily !== "function") return assert.fail()
    assert.strictEqual(reasoningFamily("anthropic.claude-opus-4-8"), "anthropic")
    assert.isUndefined(reasoningFamily("openai.gpt-5.5"))
  })

  it.each([
    [{ region: "", credentials }, "region must be a region of AWS such as us-east-1"],
    [{ region }, "credentials are missing"],
    [{ region, credentials, apiKey: "k" }, "either apiKey or credentials"],
    [{ region, apiKey: "" }, "apiKey is empty"],
    [{ region, credentials: { ...credentials, secretAccessKey: "" } }, "is empty"],
    [{ region, credentials, baseUrl: "bedrock" }, "baseUrl must be an address"],
    [{ region, credentials, maxOutputTokens: 0.5 }, "maxOutputTokens must be a whole number"],
    [{ region, credentials, maxImageTokens: Number.NaN }, "maxImageTokens must be a whole number"]
  ] satisfies ReadonlyArray<readonly [BedrockOptions, string]>)(
    "refuses %j",
    (options, problem) => {
      assert.throws(() => bedrock(options), RangeError, problem)
    }
  )
})
