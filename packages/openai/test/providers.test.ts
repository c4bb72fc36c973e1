import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { type ChatCall, toStream } from "@signalbox/core/upstream"
import { sendJson, startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as exports from "../src/index.ts"
import { mistral, ollama, parameterLists, vllm } from "../src/index.ts"

const { cerebras, deepinfra, deepseek, fireworks, groq, together, xai } = exports

const hosted = { cerebras, deepinfra, deepseek, fireworks, groq, mistral, together, xai }
const local = { ollama, vllm }

const call: ChatCall = {
  model: "small",
  messages: [{ role: "user", content: "Is all well?" }],
  parameters: {},
  contentBytes: 100
}

const events = [
  { choices: [{ index: 0, delta: { content: "Yes." }, finish_reason: "stop" }] },
  { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } }
]

describe("providers", () => {
  it.each(Object.entries(hosted))("%s needs a key, and has a list of parameters", (slug, make) => {
    const upstream = make({ apiKey: "sk-test" })
    assert.strictEqual(upstream.slug, slug)
    assert.strictEqual(upstream.name.toLowerCase(), slug)
    assert.isDefined(upstream.chat)
    assert.isDefined(upstream.decisions)
    assert.isUndefined(upstream.videos)
    assert.throws(() => make(), new RegExp(`^${slug}: apiKey is missing`))
    assert.strictEqual(make({ apiKey: null, slug: "mine", name: "Mine" }).slug, "mine")
    assert.isTrue(Object.hasOwn(parameterLists, slug))
    assert.throws(() => make({ apiKey: "k", baseURL: "x" } as object), /did you mean baseUrl/)
  })

  it.each(Object.entries(local))("%s needs no key", (slug, make) => {
    assert.strictEqual(make().slug, slug)
    assert.isTrue(Object.hasOwn(parameterLists, slug))
  })

  it("only Mistral rejects every parameter that it does not know", () => {
    for (const [slug, make] of Object.entries({ ...hosted, ...local })) {
      const checks = make({ apiKey: "sk-test" }).chat?.checksParameters
      assert.strictEqual(checks, slug === "mistral" ? true : undefined, slug)
    }
  })
})

layer(NodeHttpClient.layerUndici)("providers", (it) => {
  it.effect("are asked for the usage of streams, except Mistral, which reports it unasked", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer((_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" })
        for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`)
        response.end("data: [DONE]\n\n")
      })
      const options = { apiKey: "sk-test", baseUrl: server.url }
      for (const upstream of [groq(options), mistral(options)]) {
        const chat = upstream.chat
        assert.isDefined(chat)
        const read = Array.from(yield* Stream.runCollect(toStream(chat.stream(call))))
        assert.deepInclude(read.at(-1), { usage: { inputTokens: 3, outputTokens: 2 } })
      }
      assert.deepStrictEqual(
        server.requests.map(({ json }) => json),
        [
          {
            model: "small",
            messages: call.messages,
            stream: true,
            stream_options: { include_usage: true }
          },
          { model: "small", messages: call.messages, stream: true }
        ]
      )
    })
  )

  it.effect("get no reasoning of other providers' answers where they reject messages with it", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer((_, response) =>
        sendJson(response, { choices: [{ message: { content: "Yes." }, finish_reason: "stop" }] })
      )
      const options = { apiKey: "sk-test", baseUrl: server.url }
      const said = { role: "assistant", content: "No." }
      const details = [{ type: "reasoning.text", text: "Hm.", signature: "s" }]
      const thought = { ...said, reasoning: "Hm.", reasoning_details: details }
      const messages = [...call.messages, thought, ...call.messages]
      for (const upstream of [groq(options), mistral(options), vllm(options)]) {
        yield* (upstream.chat ?? assert.fail()).complete({ ...call, messages })
      }
      assert.deepStrictEqual(
        server.requests.map(({ text }) => JSON.parse(text).messages[1]),
        [{ ...said, reasoning: "Hm." }, said, thought]
      )
      assert.isDefined(groq(options).chat?.reasoningFamily, "the record says what is left out")
      assert.isUndefined(vllm(options).chat?.reasoningFamily)
    })
  )
})
