import { makeChatCall } from "@signalbox/core/dialects"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { type ChatEvent, toStream } from "@signalbox/core/upstream"
import { sendJson, startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { azureOpenai, type AzureOpenAiOptions } from "../src/index.ts"

const call = makeChatCall({
  model: "support-bot",
  messages: [{ role: "user", content: "Is all well?" }],
  parameters: { temperature: 0.5 },
  contentBytes: 100
})

const whole = {
  choices: [{ index: 0, message: { role: "assistant", content: "Yes." }, finish_reason: "stop" }],
  usage: { prompt_tokens: 3, completion_tokens: 2 }
}

/** An answer of Azure's content filter. */
const filtered = {
  error: {
    message: "The response was filtered due to the prompt triggering the content policy.",
    type: null,
    param: "prompt",
    code: "content_filter",
    status: 400,
    innererror: {
      code: "ResponsibleAIPolicyViolation",
      content_filter_result: { violence: { filtered: true, severity: "medium" } }
    }
  }
}

const severities = { violence: { filtered: false, severity: "safe" } }

const chunks = [
  {
    id: "",
    model: "",
    choices: [],
    prompt_filter_results: [{ prompt_index: 0, content_filter_results: severities }]
  },
  { id: "chatcmpl-1", model: "gpt-5", choices: [{ index: 0, delta: { content: "Yes" } }] },
  {
    id: "",
    model: "",
    choices: [
      {
        index: 0,
        finish_reason: null,
        content_filter_results: severities,
        content_filter_offsets: { check_offset: 0, start_offset: 0, end_offset: 3 }
      }
    ]
  },
  { choices: [{ index: 0, delta: {}, finish_reason: "content_filter" }] },
  { choices: [], usage: { prompt_tokens: 3, completion_tokens: 1 } }
]

type Answer = Parameters<typeof startRecordingServer>[0]

const start = (answer: Answer, options: AzureOpenAiOptions = {}) =>
  Effect.map(startRecordingServer(answer), (server) => {
    const azure = azureOpenai({ baseUrl: `${server.url}/openai/v1`, ...options })
    if (azure.chat === undefined) throw new Error("it does not chat")
    return { chat: azure.chat, requests: server.requests }
  })

layer(NodeHttpClient.layerUndici)("azureOpenai", (it) => {
  it.effect("sends the key, and that of a customer, in a header of its own", () =>
    Effect.gen(function* () {
      const { chat, requests } = yield* start((_, response) => sendJson(response, whole), {
        apiKey: "key-of-the-house"
      })
      yield* chat.complete(call)
      yield* chat.complete({ ...call, credential: Redacted.make("key-of-the-customer") })
      assert.deepStrictEqual(
        requests.map(({ headers, url }) => [url, headers["api-key"], headers["authorization"]]),
        [
          ["/openai/v1/chat/completions", "key-of-the-house", undefined],
          ["/openai/v1/chat/completions", "key-of-the-customer", undefined]
        ]
      )
      assert.deepInclude(requests[0]?.json, { model: "support-bot", temperature: 0.5 })
    })
  )

  it.effect("gets a token once, and none for a customer's own key", () =>
    Effect.gen(function* () {
      let asked = 0
      const { chat, requests } = yield* start((_, response) => sendJson(response, whole), {
        token: async () => {
          asked++
          return { token: "token-of-entra", expiresAt: Number.MAX_SAFE_INTEGER }
        }
      })
      yield* chat.complete(call)
      yield* chat.complete(call)
      yield* chat.complete({ ...call, credential: Redacted.make("key-of-the-customer") })
      assert.deepStrictEqual(
        requests.map(({ headers }) => [headers["authorization"], headers["api-key"]]),
        [
          ["Bearer token-of-entra", undefined],
          ["Bearer token-of-entra", undefined],
          [undefined, "key-of-the-customer"]
        ]
      )
      assert.strictEqual(asked, 1)
    })
  )

  it.effect("reads a stream with the results of the content filter", () =>
    Effect.gen(function* () {
      const { chat } = yield* start(
        (_, response) => {
          response.writeHead(200, { "content-type": "text/event-stream" })
          for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
          response.end("data: [DONE]\n\n")
        },
        { apiKey: "key-of-the-house" }
      )
      const events = Array.from(yield* Stream.runCollect(toStream(chat.stream(call))))
      assert.deepStrictEqual(events, [
        { type: "delta", choices: [{ index: 0, events: [{ type: "text", text: "Yes" }] }] },
        { type: "delta", choices: [{ index: 0, events: [], end: { reason: "content_filter" } }] },
        {
          type: "end",
          id: "chatcmpl-1",
          model: "gpt-5",
          usage: { inputTokens: 3, outputTokens: 1 }
        }
      ] satisfies ReadonlyArray<ChatEvent>)
    })
  )

  it.effect("takes a refused prompt for refused content, by both APIs", () =>
    Effect.gen(function* () {
      for (const api of ["chat", "responses"] as const) {
        const { chat, requests } = yield* start(
          (_, response) => {
            response.writeHead(400, { "content-type": "application/json" })
            response.end(JSON.stringify(filtered))
          },
          { apiKey: "key-of-the-house", api }
        )
        const failure = yield* Effect.flip(chat.complete(call))
        assert.strictEqual(failure.kind, "content_refused")
        assert.strictEqual(failure.status, 400)
        assert.include(failure.detail, "content policy")
        assert.strictEqual(
          requests[0]?.url,
          api === "chat" ? "/openai/v1/chat/completions" : "/openai/v1/responses"
        )
        assert.strictEqual(requests[0]?.headers["api-key"], "key-of-the-house")
      }
    })
  )
})

describe("azureOpenai", () => {
  it("is Azure, whose reasoning no other provider reads", () => {
    const upstream = azureOpenai({ resource: "contoso", apiKey: null, api: "responses" })
    assert.strictEqual(upstream.slug, "azure")
    assert.strictEqual(upstream.name, "Azure")
    assert.strictEqual(upstream.chat?.reasoningFamily, "azure")
    assert.isUndefined(upstream.videos)
    const named = azureOpenai({ resource: "contoso", apiKey: null, slug: "west", name: "West" })
    assert.strictEqual(named.slug, "west")
    assert.strictEqual(named.name, "West")
  })

  it.each(["", "contoso.openai.azure.com", "https://contoso", "a/b", "-a", "a".repeat(64), "a@b"])(
    "rejects the resource %j",
    (resource) => {
      assert.throws(() => azureOpenai({ resource, apiKey: "k" }), /resource must be one label/)
    }
  )

  it.each([
    [{ apiKey: "k" }, /pass resource, the first label/],
    [{ resource: "contoso" }, /apiKey is missing, and contoso\.openai\.azure\.com needs one/],
    [{ resource: "contoso", apiKey: "" }, /apiKey is empty/],
    [{ baseUrl: "https://gateway.example:8443/v1" }, /gateway\.example needs one/],
    [{ resource: "contoso", apiKey: "k", token: () => "t" }, /apiKey or token, not both/],
    [{ resource: "contoso", apiKey: "k", apiVersion: "1" }, /apiVersion is no option/],
    [{ baseUrl: "contoso", apiKey: "k" }, /baseUrl must be an address/]
  ])("rejects %j", (options, message) => {
    assert.throws(() => azureOpenai(options), message)
  })
})
