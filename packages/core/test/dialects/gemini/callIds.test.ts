import { makeChatCall } from "../../../src/dialects/chat/makeChatCall.ts"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, layer } from "@effect/vitest"
import { sendJson, startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import type { AnswerEvent } from "../../../src/conversation/Answer.ts"
import type { Part } from "../../../src/conversation/Part.ts"
import { makeGeminiChat } from "../../../src/dialects/gemini/makeGeminiChat.ts"
import { toStream } from "../../../src/values/push/toStream.ts"
import { listDeltas } from "../readEvents.ts"
import { answer } from "./streams.ts"

const call = makeChatCall({
  model: "gemini-3-pro",
  messages: [{ role: "user", content: "Is all well?" }],
  parameters: {},
  contentBytes: 100
})

const parts = [{ functionCall: { name: "f", args: {} } }, { functionCall: { name: "f", args: {} } }]

const start = Effect.fnUntraced(function* (responseId: string | undefined) {
  const { responseId: _, ...rest } = answer(parts, {}, { finishReason: "STOP" })
  const json = responseId === undefined ? rest : { ...rest, responseId }
  const server = yield* startRecordingServer(({ url }, response) => {
    if (url?.includes("alt=sse") !== true) return sendJson(response, json)
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.end(`data: ${JSON.stringify(json)}\n\n`)
  })
  return makeGeminiChat({
    modelsUrl: server.url,
    apiKey: undefined,
    headers: {},
    maxImageTokens: 1_000
  })
})

const toIds = (said: ReadonlyArray<AnswerEvent | Part>): ReadonlyArray<string> =>
  said.flatMap((each) => (each.type !== "call" ? [] : ["call" in each ? each.call.id : each.id]))

/** Asks for a streamed turn and for a whole one. */
const ask = Effect.fnUntraced(function* (chat: ReturnType<typeof makeGeminiChat>) {
  const streamed = yield* Stream.runCollect(toStream(chat.stream(call)))
  const { choices } = yield* chat.complete(call)
  return [
    ...listDeltas(Array.from(streamed)).flatMap(({ events }) => toIds(events)),
    ...choices.flatMap(({ answer: { parts } }) => toIds(parts))
  ]
})

layer(NodeHttpClient.layerUndici)("ids of calls", (it) => {
  it.effect("are no ids of earlier turns when answers have none", () =>
    Effect.gen(function* () {
      const chat = yield* start(undefined)
      const first = yield* Random.withSeed(ask(chat), "one")
      const next = yield* Random.withSeed(ask(chat), "two")
      assert.lengthOf(first, 4)
      assert.strictEqual(new Set([...first, ...next]).size, 8)
      for (const id of first) assert.match(id, /^call_\w{1,60}$/)
      assert.deepStrictEqual(yield* Random.withSeed(ask(chat), "one"), first)
    })
  )

  it.effect("are made of the id of the answer, whole or streamed", () =>
    Effect.gen(function* () {
      const ids = ["call_resp7_0_0", "call_resp7_0_1"]
      assert.deepStrictEqual(yield* ask(yield* start("resp7")), [...ids, ...ids])
    })
  )
})
