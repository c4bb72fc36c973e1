import { type ChatCallInput, makeChatCall } from "../../../src/dialects/chat/makeChatCall.ts"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, layer } from "@effect/vitest"
import { sendJson, startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import {
  makeMessagesChat,
  type MessagesEndpoint
} from "../../../src/dialects/messages/makeMessagesChat.ts"

const answer = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-opus-5",
  content: [{ type: "text", text: "All is well." }],
  stop_reason: "end_turn",
  usage: { input_tokens: 3, output_tokens: 4 }
}

const call: ChatCallInput = {
  model: "claude-opus-5",
  messages: [{ role: "user", content: "Is all well?" }],
  parameters: { temperature: 0.5 },
  contentBytes: 100
}

const send = (
  getEndpoint: (url: string) => Omit<MessagesEndpoint, "maxImageTokens">,
  request = call
) =>
  Effect.gen(function* () {
    const server = yield* startRecordingServer((_, response) => sendJson(response, answer))
    const chat = makeMessagesChat({ ...getEndpoint(server.url), maxImageTokens: 1_000 })
    yield* chat.complete(makeChatCall(request))
    const [received] = server.requests
    assert.isDefined(received)
    return received
  })

layer(NodeHttpClient.layerUndici)("makeMessagesChat", (it) => {
  it.effect("names the version in a header, the model and a maximum in the body", () =>
    Effect.gen(function* () {
      const { headers, json, url } = yield* send((root) => ({
        apiKey: Redacted.make("sk-ant-1"),
        keyHeader: "x-api-key",
        getUrl: () => `${root}/v1/messages`
      }))
      assert.strictEqual(url, "/v1/messages")
      assert.strictEqual(headers["x-api-key"], "sk-ant-1")
      assert.isUndefined(headers["authorization"])
      assert.strictEqual(headers["anthropic-version"], "2023-06-01")
      assert.deepStrictEqual(json, {
        model: "claude-opus-5",
        max_tokens: 128_000,
        messages: [{ role: "user", content: [{ type: "text", text: "Is all well?" }] }]
      })
    })
  )

  it.effect("names neither for an API whose URLs name the model and whose body the version", () =>
    Effect.gen(function* () {
      const { headers, json, url } = yield* send((root) => ({
        apiKey: undefined,
        signer: () => ({ headers: { authorization: "Bearer of-the-signer" } }),
        bodyVersion: "vertex-2023-10-16",
        maxOutputTokens: 9_000,
        getUrl: (model) => `${root}/${model}:rawPredict`
      }))
      assert.strictEqual(url, "/claude-opus-5:rawPredict")
      assert.strictEqual(headers["authorization"], "Bearer of-the-signer")
      assert.isUndefined(headers["anthropic-version"])
      assert.deepStrictEqual(json, {
        anthropic_version: "vertex-2023-10-16",
        max_tokens: 9_000,
        messages: [{ role: "user", content: [{ type: "text", text: "Is all well?" }] }]
      })
    })
  )

  it.effect("keeps the host's headers, and the cap of the call", () =>
    Effect.gen(function* () {
      const { headers, json } = yield* send(
        (root) => ({
          apiKey: Redacted.make("sk-ant-1"),
          headers: { "Anthropic-Version": "2026-10-21", "anthropic-beta": "a,b" },
          models: { "claude-opus-5": { takesSampling: true } },
          getUrl: () => `${root}/v1/messages`
        }),
        { ...call, maxOutputTokens: 77 }
      )
      assert.strictEqual(headers["authorization"], "Bearer sk-ant-1")
      assert.strictEqual(headers["anthropic-version"], "2026-10-21")
      assert.strictEqual(headers["anthropic-beta"], "a,b")
      assert.include(json, { max_tokens: 77, temperature: 0.5 })
    })
  )

  it.effect("fails for URLs of media where the provider takes none, and reserves by model", () =>
    Effect.gen(function* () {
      const chat = makeMessagesChat({
        apiKey: undefined,
        takesUrls: false,
        maxImageTokens: 1_000,
        getUrl: () => "http://127.0.0.1:1"
      })
      const image = { type: "image_url", image_url: { url: "https://example.com/a.png" } }
      const failure = yield* Effect.flip(
        chat.complete(makeChatCall({ ...call, messages: [{ role: "user", content: [image] }] }))
      )
      assert.strictEqual(failure.kind, "unsupported_parameter")
      const getMost = (model: string) =>
        chat.estimateWorstCase(makeChatCall({ ...call, model })).outputTokens
      assert.strictEqual(getMost("claude-opus-4-1"), 32_000)
      assert.strictEqual(getMost("claude-opus-5"), 128_000)
    })
  )
})
