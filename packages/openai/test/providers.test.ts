import { type ChatCallInput, makeChatCall } from "@signalbox/core/dialects"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { toStream } from "@signalbox/core/upstream"
import { sendJson, startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as exports from "../src/index.ts"
import { azureOpenai, mistral, ollama, openai, parameterLists, vllm } from "../src/index.ts"

const { cerebras, deepinfra, deepseek, fireworks, groq, lmstudio, moonshot, together, xai } =
  exports

const hosted = { cerebras, deepinfra, deepseek, fireworks, groq, mistral, moonshot, together, xai }
const local = { lmstudio, ollama, vllm }

const call: ChatCallInput = {
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
        const read = Array.from(yield* Stream.runCollect(toStream(chat.stream(makeChatCall(call)))))
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

  const key = { apiKey: "sk-test" }
  const upstreams = {
    azure: (baseUrl: string) => azureOpenai({ ...key, baseUrl }),
    cerebras: (baseUrl: string) => cerebras({ ...key, baseUrl }),
    fireworks: (baseUrl: string) => fireworks({ ...key, baseUrl }),
    groq: (baseUrl: string) => groq({ ...key, baseUrl }),
    mistral: (baseUrl: string) => mistral({ ...key, baseUrl }),
    together: (baseUrl: string) => together({ ...key, baseUrl }),
    vllm: (baseUrl: string) => vllm({ ...key, baseUrl }),
    xai: (baseUrl: string) => xai({ ...key, baseUrl })
  }

  /** What is left of the assistant's fields. */
  it.effect.each([
    ["azure", ["reasoning_content"]],
    ["cerebras", ["reasoning"]],
    ["fireworks", ["reasoning_content"]],
    ["groq", ["reasoning"]],
    ["mistral", []],
    ["together", ["reasoning", "reasoning_content"]],
    ["vllm", ["reasoning", "reasoning_content", "reasoning_details", "cache_control"]],
    ["xai", ["reasoning", "reasoning_content"]]
  ] as const)(
    "get no reasoning and no cache marks where they reject messages with them: %s",
    ([name, kept]) =>
      Effect.gen(function* () {
        const server = yield* startRecordingServer((_, response) =>
          sendJson(response, { choices: [{ message: { content: "Yes." }, finish_reason: "stop" }] })
        )
        const mark = { cache_control: { type: "ephemeral" } }
        const tool = { type: "function", function: { name: "f", cache_control: "a name" } }
        const said = {
          role: "assistant",
          content: "No.",
          reasoning: "Hm.",
          reasoning_content: "Hm.",
          reasoning_details: [{ type: "reasoning.text", text: "Hm.", signature: "s" }],
          ...mark
        }
        const text = { type: "text", text: "Why?" }
        const chat = upstreams[name](server.url).chat ?? assert.fail()
        yield* chat.complete(
          makeChatCall({
            ...call,
            messages: [said, { role: "user", content: [{ ...text, ...mark }, text] }],
            parameters: { tools: [{ ...tool, ...mark }], ...mark }
          })
        )
        const takesMarks = name === "vllm"
        const marked = takesMarks ? mark : {}
        const fields = Object.entries(said).filter(([field]) =>
          ["role", "content", ...kept].includes(field)
        )
        assert.deepStrictEqual(server.requests[0]?.json, {
          ...marked,
          tools: [{ ...tool, ...marked }],
          model: "small",
          messages: [
            Object.fromEntries(fields),
            { role: "user", content: [{ ...text, ...marked }, text] }
          ],
          stream: false
        })
        // The record names the parts that were left out.
        assert.strictEqual(chat.reasoningFamily === undefined, takesMarks)
      })
  )

  it("are distinguished from self-hosted servers with OpenAI's API, which may take all", () => {
    assert.isDefined(openai(key).chat?.reasoningFamily)
    assert.isUndefined(openai({ baseUrl: "http://127.0.0.1:8000/v1" }).chat?.reasoningFamily)
  })
})
