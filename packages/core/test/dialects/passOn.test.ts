import { makeChatCall } from "../../src/dialects/chat/makeChatCall.ts"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, it } from "@effect/vitest"
import { startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type { Dialect } from "../../src/conversation/Dialect.ts"
import { makeGeminiChat } from "../../src/dialects/gemini/makeGeminiChat.ts"
import { makeMessagesChat } from "../../src/dialects/messages/makeMessagesChat.ts"
import { replaceFields } from "../../src/dialects/RequestChanges.ts"
import { makeResponsesChat } from "../../src/dialects/responses/makeResponsesChat.ts"
import type { ChatCapability } from "../../src/engine/upstreams/ChatCapability.ts"

const limits = { apiKey: undefined, headers: {}, maxImageTokens: 1, maxOutputTokens: 100 }

const chats: Readonly<Record<Exclude<Dialect, "chat">, (url: string) => ChatCapability>> = {
  messages: (url) => makeMessagesChat({ ...limits, getUrl: () => url }),
  responses: (url) => makeResponsesChat({ ...limits, url }),
  gemini: (url) => makeGeminiChat({ ...limits, modelsUrl: url })
}

/** Cache marks, signatures and unknown fields, in the order of the caller. */
const bodies: Readonly<Record<Exclude<Dialect, "chat">, string>> = {
  messages:
    '{"system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral","ttl":"1h"}}],"model":"theirs","messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"sig=="},{"type":"new_block","x":[1]}]}],"max_tokens":5,"new_field":{"__proto__":1}}',
  responses:
    '{"input":[{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"e=="}],"model":"theirs","store":false,"new_field":null,"stream":false}',
  gemini:
    '{"contents":[{"role":"model","parts":[{"functionCall":{"name":"f","args":{}},"thoughtSignature":"s=="}]}],"safetySettings":[{"category":"x"}],"new_field":0.1}'
}

describe("a request in the dialect of the upstream", () => {
  it.effect.each(Object.keys(chats) as ReadonlyArray<keyof typeof chats>)(
    "of %s is sent as it was written, but for the model",
    (name) =>
      Effect.gen(function* () {
        const server = yield* startRecordingServer((_, response) => response.writeHead(500).end())
        const chat = chats[name](server.url)
        const call = {
          model: "ours",
          messages: [{ role: "user", content: "what the router read" }],
          parameters: {},
          contentBytes: 100,
          native: { dialect: name, body: JSON.parse(bodies[name]) }
        }
        yield* Effect.flip(chat.complete(makeChatCall(call)))
        assert.strictEqual(server.requests[0]?.text, bodies[name].replace('"theirs"', '"ours"'))
      }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it.effect("of another dialect is translated from the chat", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer((_, response) => response.writeHead(500).end())
      const native = { dialect: "responses" as const, body: JSON.parse(bodies.responses) }
      const messages = [{ role: "user", content: "what the router read" }]
      yield* Effect.flip(
        chats
          .messages(server.url)
          .complete(makeChatCall({ model: "ours", messages, contentBytes: 100, native }))
      )
      assert.include(server.requests[0]?.text, "what the router read")
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )
})

const makeChats = (url: string) => ({
  messages: makeMessagesChat({ ...limits, getUrl: () => url, takesUrls: false }),
  gemini: makeGeminiChat({ ...limits, modelsUrl: url })
})

describe("a request with the URL of an image", () => {
  const withUrl = {
    messages: {
      max_tokens: 5,
      messages: [
        {
          role: "user",
          content: [{ type: "image", source: { type: "url", url: "https://x.y/a.png" } }]
        }
      ]
    },
    gemini: { contents: [{ parts: [{ fileData: { fileUri: "https://x.y/a.png" } }] }] }
  }

  it.effect.each(["messages", "gemini"] as const)(
    "is not sent to an endpoint of %s that takes none",
    (dialect) =>
      Effect.gen(function* () {
        const server = yield* startRecordingServer((_, response) => response.writeHead(500).end())
        const failure = yield* Effect.flip(
          makeChats(server.url)[dialect].complete(
            makeChatCall({
              model: "gemini-2.5-pro",
              messages: [],
              parameters: {},
              contentBytes: 100,
              native: { dialect, body: withUrl[dialect] }
            })
          )
        )
        assert.strictEqual(failure.kind, "unsupported_parameter")
        assert.lengthOf(server.requests, 0)
      }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )
})

describe("replaceFields", () => {
  it("changes nothing else, not even the order of fields", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string(), fc.jsonValue()), { maxLength: 6 }),
        fc.array(fc.tuple(fc.string(), fc.jsonValue()), { maxLength: 6 }),
        fc.jsonValue(),
        (before, after, value) => {
          const toBody = (model: unknown) =>
            Object.fromEntries([
              ...before.filter(([name]) => name !== "model"),
              ["model", model],
              ...after.filter(([name]) => name !== "model")
            ])
          const replaced = replaceFields(toBody("theirs"), { model: value })
          assert.strictEqual(JSON.stringify(replaced), JSON.stringify(toBody(value)))
        }
      )
    )
  })

  it("adds, removes and keeps the names of callers as data", () => {
    const body = JSON.parse('{"__proto__":1,"a":2,"b":3}')
    assert.strictEqual(
      JSON.stringify(replaceFields(body, { a: undefined, c: 4, d: undefined })),
      '{"__proto__":1,"b":3,"c":4}'
    )
  })
})
