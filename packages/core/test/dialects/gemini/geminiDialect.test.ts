import { makeChatCall } from "../../../src/dialects/chat/makeChatCall.ts"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, expect, layer } from "@effect/vitest"
import { startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { toGeminiFailure } from "../../../src/dialects/gemini/findGeminiFailure.ts"
import { encodeGeminiEvent, writeGeminiError } from "../../../src/dialects/gemini/writeEvents.ts"
import { makeGeminiEventReader } from "../../../src/dialects/gemini/readEvents.ts"
import { parseGeminiAnswer } from "../../../src/dialects/gemini/readAnswer.ts"
import { writeGeminiRequest } from "../../../src/dialects/gemini/writeRequest.ts"
import { type ChatDialect, makeDialectChat } from "../../../src/dialects/makeDialectChat.ts"
import { toStream } from "../../../src/values/push/toStream.ts"
import { writeEvents, writeReply } from "@signalbox/testing"
import { answer, counts, toEvents } from "./streams.ts"

const dialect: ChatDialect = {
  name: "gemini",
  passOn: Result.succeed,
  writeRequest: (conversation, { maxOutputTokens }) =>
    writeGeminiRequest(conversation, { maxOutputTokens }),
  parseAnswer: parseGeminiAnswer,
  makeEventReader: makeGeminiEventReader,
  toFailure: toGeminiFailure,
  reasoningFamily: "google"
}

const call = makeChatCall({
  model: "gemini-3-pro",
  messages: [{ role: "user", content: "Is all well?" }],
  parameters: { temperature: 0.5, tools: [{ type: "function", function: { name: "1st" } }] },
  contentBytes: 100
})

const parts = [{ text: "All is well." }, { functionCall: { name: "_1st", args: {} } }]
const called = { id: "call_resp1_0_0", function: { name: "1st", arguments: "{}" } }

const makeChat = Effect.fnUntraced(function* (status = 200) {
  const server = yield* startRecordingServer(({ url }, response) => {
    const isStreamed = url?.includes("alt=sse") === true
    response.writeHead(status, {
      "content-type": isStreamed ? "text/event-stream" : "application/json"
    })
    if (status !== 200) response.end(JSON.stringify(writeGeminiError({ status, message: "no" })))
    else if (isStreamed) {
      response.end(toEvents(parts, [3]).map(encodeGeminiEvent).join(""))
    } else {
      const end = { finishReason: "STOP" }
      response.end(JSON.stringify(answer(parts, { usageMetadata: counts }, end)))
    }
  })
  const chat = makeDialectChat({
    apiKey: Redacted.make("key"),
    keyHeader: "x-goog-api-key",
    maxImageTokens: 1_000,
    maxOutputTokens: 9_000,
    getUrl: (model, isStreamed) =>
      `${server.url}/v1beta/models/${model}:${isStreamed ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    dialect
  })
  return { chat, server }
})

layer(NodeHttpClient.layerUndici)("an upstream with Google's API", (it) => {
  it.effect("answers whole and streamed chats", () =>
    Effect.gen(function* () {
      const { chat, server } = yield* makeChat()
      const reply = yield* chat.complete(call)
      expect(writeReply(reply)).toMatchObject({
        choices: [{ message: { content: "All is well.", tool_calls: [called] } }],
        usage: { inputTokens: 12, outputTokens: 7 }
      })
      const events = yield* Stream.runCollect(toStream(chat.stream(call)))
      expect(events.at(-1)).toMatchObject({ type: "end", id: "resp1" })
      expect(writeEvents(events)).toContainEqual(
        expect.objectContaining({
          choices: [
            expect.objectContaining({ delta: { tool_calls: [expect.objectContaining(called)] } })
          ]
        })
      )
      assert.strictEqual(server.requests[0]?.headers["x-goog-api-key"], "key")
      expect(server.requests.map(({ json }) => json)).toEqual(
        [1, 2].map(() => ({
          contents: [{ role: "user", parts: [{ text: "Is all well?" }] }],
          tools: [{ functionDeclarations: [{ name: "_1st" }] }],
          generationConfig: { temperature: 0.5, maxOutputTokens: 9_000 }
        }))
      )
    })
  )

  it.effect("fails as the API says", () =>
    Effect.gen(function* () {
      const { chat } = yield* makeChat(429)
      const failure = yield* Effect.flip(chat.complete(call))
      expect(failure).toMatchObject({ kind: "rate_limited", status: 429, detail: "no" })
    })
  )
})
