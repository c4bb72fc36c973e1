import { type ChatCallInput, makeChatCall } from "../../src/dialects/chat/makeChatCall.ts"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, expect, layer } from "@effect/vitest"
import { sendJson, startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { ServerResponse } from "node:http"
import { inspect } from "node:util"
import { failTranslation } from "../../src/dialects/UntranslatableRequest.ts"
import {
  type ChatDialect,
  type DialectEndpoint,
  makeDialectChat
} from "../../src/dialects/makeDialectChat.ts"
import type { ChatCapability, ChatEvent } from "../../src/engine/upstreams/ChatCapability.ts"
import { UpstreamFailure } from "../../src/engine/upstreams/failures/UpstreamFailure.ts"
import { toStream } from "../../src/values/push/toStream.ts"

const key = "sk-very-secret-key"
const token = "token-of-the-signer"
const customerKey = "sk-of-the-customer"

/** Says the last text, and answers with the first of `said`. */
const dialect: ChatDialect = {
  name: "gemini",
  passOn: (body, call) =>
    body["url"] === undefined
      ? Result.succeed({ ...body, ...call })
      : failTranslation(["url"], "is not taken here"),
  writeRequest: (conversation, call) =>
    conversation.sampling.seed === undefined
      ? Result.succeed({ ...call, turns: conversation.turns.length })
      : failTranslation(["seed"], "cannot be said here"),
  parseAnswer: (json, { tools }) => Result.succeed(toReply(json, tools.length)),
  makeEventReader: ({ onUsage, tools }) => ({
    read: (json) => {
      onUsage?.({ inputTokens: 1, outputTokens: 2 })
      return toDelta(`${String(json["said"])} of ${tools.length}`)
    },
    done: () => ({ type: "end" })
  }),
  toFailure: (status, headers, body) =>
    new UpstreamFailure({
      kind: headers["x-kind"] === "spent" ? "credential_refused" : "bad_request",
      status,
      detail: body
    }),
  reasoningFamily: "ours"
}

const toReply = (json: unknown, tools: number) => ({
  choices: [
    {
      index: 0,
      answer: {
        parts: [{ type: "text" as const, text: `${JSON.stringify(json)} of ${tools}` }],
        end: { reason: "stop" }
      }
    }
  ]
})

const toDelta = (text: string): ChatEvent => ({
  type: "delta",
  choices: [{ index: 0, events: [{ type: "text", text }] }]
})

const call: ChatCallInput = {
  model: "acme/small",
  messages: [{ role: "user", content: "Is all well?" }],
  parameters: { tools: [{ type: "function", function: { name: "halt" } }] },
  contentBytes: 100
}

const start = Effect.fnUntraced(function* (
  answer: (response: ServerResponse, isStreamed: boolean) => void,
  options: Partial<DialectEndpoint> = {}
) {
  const server = yield* startRecordingServer(({ url }, response) =>
    answer(response, url?.endsWith("stream") === true)
  )
  const chat = makeDialectChat({
    dialect,
    getUrl: (model, isStreamed) =>
      `${server.url}/${encodeURIComponent(model)}/${isStreamed ? "stream" : "complete"}`,
    apiKey: Redacted.make(key),
    maxImageTokens: 1_000,
    maxOutputTokens: 500,
    ...options
  })
  return { server, chat }
})

const answerWell = (response: ServerResponse, isStreamed: boolean): void => {
  if (isStreamed) {
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.end('data: {"said":"all"}\n\ndata: [DONE]\n\n')
  } else sendJson(response, { said: "all" })
}

/** The whole answer, and the events. */
const ask = (chat: ChatCapability, input: ChatCallInput = call) => {
  const request = makeChatCall(input)
  return Effect.all([
    Effect.result(chat.complete(request)),
    Effect.result(Stream.runCollect(toStream(chat.stream(request))))
  ])
}

layer(NodeHttpClient.layerUndici)("makeDialectChat", (it) => {
  it.effect("translates a call and its answer, whole and streamed", () =>
    Effect.gen(function* () {
      const { chat, server } = yield* start(answerWell)
      const usages: Array<unknown> = []
      const [whole, events] = yield* ask(chat, { ...call, onUsage: (usage) => usages.push(usage) })
      assert.deepStrictEqual(whole, Result.succeed(toReply({ said: "all" }, 1)))
      assert.deepStrictEqual(events, Result.succeed([toDelta("all of 1"), { type: "end" }]))
      assert.deepStrictEqual(usages, [{ inputTokens: 1, outputTokens: 2 }])
      assert.deepStrictEqual(
        server.requests.map(({ json, url }) => [url, json]),
        [
          [
            "/acme%2Fsmall/complete",
            { model: "acme/small", isStreamed: false, maxOutputTokens: 500, turns: 1 }
          ],
          [
            "/acme%2Fsmall/stream",
            { model: "acme/small", isStreamed: true, maxOutputTokens: 500, turns: 1 }
          ]
        ]
      )
      assert.strictEqual(chat.reasoningFamily, "ours")
    })
  )

  it.effect("passes on a request of its own dialect, with what the endpoint takes", () =>
    Effect.gen(function* () {
      const { chat, server } = yield* start(answerWell)
      const native = { dialect: "gemini", body: { written: true } } as const
      const [whole] = yield* ask(chat, {
        ...call,
        native,
        parameters: { ...call.parameters, service_tier: "flex" },
        supportedParameters: new Set(["tools"])
      })
      const said = { said: "all" }
      assert.deepStrictEqual(whole, Result.succeed({ ...toReply(said, 0), native: said }))
      assert.deepStrictEqual(server.requests[0]?.json, {
        written: true,
        model: "acme/small",
        isStreamed: false,
        maxOutputTokens: 500,
        supportedParameters: {},
        serviceTier: "flex"
      })
    })
  )

  it.effect("takes the cap of the call, else of the model, and reserves the same", () =>
    Effect.gen(function* () {
      const { chat, server } = yield* start(answerWell, { maxOutputTokens: ({ length }) => length })
      yield* ask(chat)
      yield* ask(chat, { ...call, maxOutputTokens: 70 })
      assert.deepStrictEqual(
        server.requests.map(({ json }) => (json as { maxOutputTokens: number }).maxOutputTokens),
        [10, 10, 70, 70]
      )
      assert.strictEqual(chat.estimateWorstCase(makeChatCall(call)).outputTokens, 10)
      assert.strictEqual(
        chat.estimateWorstCase(makeChatCall({ ...call, maxOutputTokens: 70 })).outputTokens,
        70
      )
    })
  )

  it.effect.each([
    [{}, "authorization", `Bearer ${key}`],
    [{ keyHeader: "x-api-key" }, "x-api-key", key]
  ] as const)("sends the key in its header: %j", ([options, header, value]) =>
    Effect.gen(function* () {
      const { chat, server } = yield* start(answerWell, options)
      yield* ask(chat)
      for (const { headers } of server.requests) {
        assert.strictEqual(headers[header], value)
        if (header !== "authorization") assert.isUndefined(headers["authorization"])
      }
      assert.lengthOf(server.requests, 2)
    })
  )

  it.effect.each([undefined, "x-api-key"])(
    "sends a credential of the call like the key, and instead of key and signer, in %s",
    (keyHeader) =>
      Effect.gen(function* () {
        let signed = 0
        const { chat, server } = yield* start(answerWell, {
          keyHeader,
          signer: () => {
            signed++
            return { headers: { "x-token": token } }
          }
        })
        yield* ask(chat)
        assert.strictEqual(signed, 2)
        yield* ask(chat, { ...call, credential: Redacted.make(customerKey) })
        assert.strictEqual(signed, 2)
        const header = keyHeader ?? "authorization"
        const write = (secret: string) => (keyHeader === undefined ? `Bearer ${secret}` : secret)
        assert.deepStrictEqual(
          server.requests.map(({ headers }) => [headers[header], headers["x-token"]]),
          [
            [write(key), token],
            [write(key), token],
            [write(customerKey), undefined],
            [write(customerKey), undefined]
          ]
        )
      })
  )

  it.effect("lets the dialect say what an error response means", () =>
    Effect.gen(function* () {
      const { chat } = yield* start((response) => {
        response.writeHead(429, { "X-Kind": "spent", "content-type": "application/json" })
        response.end('{"oops":1}')
      })
      for (const result of yield* ask(chat)) {
        expect(result).toMatchObject({
          failure: { kind: "credential_refused", status: 429, detail: '{"oops":1}' }
        })
      }
    })
  )

  it.effect.each([
    [{ parameters: { seed: 7 } }, "seed cannot be said here"],
    [{ parameters: { temperature: "hot" } }, "temperature must be a number"],
    [{ native: { dialect: "gemini", body: { url: "x" } } }, "url is not taken here"]
  ] as const)("sends nothing of a call that the dialect cannot express: %j", ([given, detail]) =>
    Effect.gen(function* () {
      const { chat, server } = yield* start(answerWell)
      for (const result of yield* ask(chat, { ...call, ...given })) {
        expect(result).toMatchObject({
          failure: { kind: "unsupported_parameter", detail: expect.stringContaining(detail) }
        })
      }
      assert.lengthOf(server.requests, 0)
    })
  )

  it.effect.each([undefined, "x-api-key"])(
    "redacts the key and the signature from answers and errors, with the key in %s",
    (keyHeader) =>
      Effect.gen(function* () {
        const said = [key, token, customerKey].join(" and ")
        let status = 200
        const { chat } = yield* start(
          (response, isStreamed) => {
            if (status !== 200) return sendJson(response, { said }, status)
            if (!isStreamed) return sendJson(response, { said })
            response.writeHead(200, { "content-type": "text/event-stream" })
            response.end(`data: ${JSON.stringify({ said })}\n\ndata: [DONE]\n\n`)
          },
          { keyHeader, signer: () => ({ headers: { "x-token": token } }) }
        )
        const results: Array<unknown> = []
        const ownResults: Array<unknown> = []
        for (status of [200, 400]) {
          results.push(...(yield* ask(chat)))
          const own = { ...call, credential: Redacted.make(customerKey) }
          ownResults.push(...(yield* ask(chat, own)))
        }
        const text = inspect(results, { depth: 9 })
        assert.notInclude(text, key)
        assert.notInclude(text, token)
        assert.include(text, " and ")
        const ownText = inspect(ownResults, { depth: 9 })
        assert.notInclude(ownText, customerKey)
        assert.include(ownText, " and ")
      })
  )
})
