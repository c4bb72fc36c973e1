import { type ChatCallInput, makeChatCall } from "../../../src/dialects/chat/makeChatCall.ts"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { sendJson, startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import {
  makeResponsesChat,
  type ResponsesEndpoint
} from "../../../src/dialects/responses/makeResponsesChat.ts"
import { findResponsesModel } from "../../../src/dialects/responses/ResponsesModel.ts"
import * as NanoUsd from "../../../src/values/usage/NanoUsd.ts"
import { writeReply } from "@signalbox/testing"

const answer = {
  id: "resp_1",
  object: "response",
  status: "completed",
  model: "gpt-5-mini-2025-08-07",
  output: [
    { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "c2VhbGVk" },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "All is well." }] }
  ],
  usage: { input_tokens: 3, output_tokens: 4, cost: 0.000_012 }
}

const call: ChatCallInput = {
  model: "gpt-5-mini",
  messages: [{ role: "user", content: "Is all well?" }],
  parameters: { temperature: 0.5, stop: ["."], reasoning_effort: "low" },
  contentBytes: 100,
  maxOutputTokens: 77
}

const send = (options: Partial<ResponsesEndpoint> = {}, request = call) =>
  Effect.gen(function* () {
    const server = yield* startRecordingServer((_, response) => sendJson(response, answer))
    const chat = makeResponsesChat({
      apiKey: Redacted.make("sk-1"),
      maxImageTokens: 1_000,
      maxOutputTokens: 9_000,
      url: `${server.url}/v1/responses`,
      ...options
    })
    const reply = yield* chat.complete(makeChatCall(request))
    const [received] = server.requests
    assert.isDefined(received)
    return { chat, received, reply }
  })

layer(NodeHttpClient.layerUndici)("makeResponsesChat", (it) => {
  it.effect("stores nothing, and asks for encrypted reasoning of a model that reasons", () =>
    Effect.gen(function* () {
      const { chat, received, reply } = yield* send()
      assert.strictEqual(received.url, "/v1/responses")
      assert.strictEqual(received.headers["authorization"], "Bearer sk-1")
      assert.deepStrictEqual(received.json, {
        model: "gpt-5-mini",
        input: [{ type: "message", role: "user", content: "Is all well?" }],
        reasoning: { effort: "low", summary: "auto" },
        include: ["reasoning.encrypted_content"],
        stream: false,
        store: false
      })
      assert.strictEqual(chat.reasoningFamily, "openai")
      assert.deepStrictEqual(writeReply(reply).choices[0]?.message["reasoning_details"], [
        {
          type: "reasoning.encrypted",
          data: "c2VhbGVk",
          id: "rs_1",
          format: "openai-responses-v1",
          index: 0
        }
      ])
      assert.isUndefined(reply.cost)
      assert.strictEqual(chat.estimateWorstCase(makeChatCall(call)).outputTokens, 77)
      const short = { ...call, maxOutputTokens: 1 }
      assert.strictEqual(chat.estimateWorstCase(makeChatCall(short)).outputTokens, 16)
      const { maxOutputTokens: _, ...unlimited } = call
      assert.strictEqual(chat.estimateWorstCase(makeChatCall(unlimited)).outputTokens, 9_000)
    })
  )

  it.effect("keeps the parameters that both APIs have, and leaves out those of chat", () =>
    Effect.gen(function* () {
      const shared = {
        metadata: { shift: "night" },
        prompt_cache_key: "lighthouse",
        prompt_cache_retention: "24h",
        safety_identifier: "keeper-1",
        user: "keeper"
      }
      const parameters = { ...shared, store: true, prediction: {}, logit_bias: { 1: 1 }, n: 1 }
      const { received } = yield* send({}, { ...call, parameters })
      assert.deepInclude(received.json, { ...shared, store: false })
      assert.doesNotHaveAnyKeys(received.json, ["prediction", "logit_bias", "n"])
    })
  )

  it.effect("sends sampling instead of reasoning to a model that does not reason", () =>
    Effect.gen(function* () {
      const { received } = yield* send({ models: { "gpt-5-mini": { isReasoning: false } } })
      assert.isObject(received.json)
      assert.include(received.json, { temperature: 0.5 })
      assert.doesNotHaveAnyKeys(received.json, ["reasoning", "include"])
    })
  )

  it.effect("reads costs, and reasoning of the family that the endpoint names", () =>
    Effect.gen(function* () {
      const { chat, received, reply } = yield* send({
        keyHeader: "api-key",
        reasoningFormat: "azure-openai-responses-v1",
        parseCost: ({ cost }) => (cost === 0.000_012 ? NanoUsd.make(12_000n) : undefined)
      })
      assert.strictEqual(received.headers["api-key"], "sk-1")
      assert.isUndefined(received.headers["authorization"])
      assert.strictEqual(chat.reasoningFamily, "azure")
      assert.strictEqual(reply.cost, NanoUsd.make(12_000n))
    })
  )
})

const find = (name: string) => findResponsesModel(name).isReasoning

describe("findResponsesModel", () => {
  it("knows models by the beginning of their names, and what the host says first", () => {
    for (const name of [
      "gpt-5-mini",
      "openai.gpt-5.5",
      "openai/o3",
      "o4-mini",
      "codex-mini-latest"
    ]) {
      assert.isTrue(find(name), name)
    }
    for (const name of ["gpt-4.1", "ft:gpt-4o-2024-08-06:acme::1", "gpt-5-chat-latest"]) {
      assert.isFalse(find(name), name)
    }
    for (const name of ["ours", "openai.gpt-oss-120b", "", "__proto__"]) {
      assert.isUndefined(find(name), name)
    }
    const models = { ours: { isReasoning: true }, "gpt-5": { isReasoning: false } }
    assert.isTrue(findResponsesModel("ours-2", models).isReasoning)
    assert.isFalse(findResponsesModel("gpt-5-mini", models).isReasoning)
  })
})
