import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, expect, layer } from "@effect/vitest"
import { startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { encodeGeminiEvent } from "../../src/dialects/gemini/writeEvents.ts"
import { makeGeminiEventReader } from "../../src/dialects/gemini/readEvents.ts"
import { makeMessagesEventReader } from "../../src/dialects/messages/readEvents.ts"
import { encodeNamedEvent } from "../../src/dialects/NamedEvent.ts"
import { makeResponsesEventReader } from "../../src/dialects/responses/readEvents.ts"
import type { ChatEvent } from "../../src/engine/upstreams/ChatCapability.ts"
import type { EventReader } from "../../src/engine/upstreams/transport/EventDecoder.ts"
import { streamEvents } from "../../src/engine/upstreams/transport/streamEvents.ts"
import { toStream } from "../../src/values/push/toStream.ts"
import * as gemini from "./gemini/streams.ts"
import * as messages from "./messages/streams.ts"
import * as responses from "./responses/streams.ts"
import { readEvents } from "./readEvents.ts"

interface StreamCase {
  readonly name: string
  readonly makeReader: () => EventReader<ChatEvent>
  readonly events: ReadonlyArray<Readonly<Record<string, unknown>>>
  /** All say what `events` say. */
  readonly bodies: ReadonlyArray<string>
  /** They break off. */
  readonly broken: ReadonlyArray<string>
  /** They report that the provider is overloaded. */
  readonly failed: ReadonlyArray<string>
}

const deltas = [
  { reasoning: "höm" },
  { content: "Grüße 😀" },
  { tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: '{"x":"é"}' } }] }
]

const makeGeminiCase = (): StreamCase => {
  const parts = [
    { text: "höm", thought: true },
    { text: "Grüße 😀" },
    { functionCall: { id: "a", name: "f", args: { x: "é" } } }
  ]
  const events = gemini.toEvents(parts, [2, 3])
  const body = events.map(encodeGeminiEvent).join("")
  const begin = events.slice(0, 2).map(encodeGeminiEvent).join("")
  const error = { code: 503, message: "busy", status: "UNAVAILABLE" }
  return {
    name: "Google's API",
    makeReader: makeGeminiEventReader,
    events,
    bodies: [body, body.replaceAll("\n", "\r\n")],
    // Google's edge reports errors without the prefix of events.
    broken: [begin, `${begin}${JSON.stringify({ error })}\n\n`],
    failed: [`${begin}${encodeGeminiEvent({ error })}`]
  }
}

const makeMessagesCase = (): StreamCase => {
  const events = messages.writeStream({ deltas })
  const begin = events.slice(0, 4).map(encodeNamedEvent).join("")
  const error = { type: "error", error: { type: "overloaded_error", message: "busy" } }
  return {
    name: "the Messages API",
    makeReader: makeMessagesEventReader,
    events,
    bodies: [`: keepalive\n\n${events.map(encodeNamedEvent).join("event: ping\ndata: {}\n\n")}`],
    broken: [begin],
    failed: [error, error.error].map(
      (data) => `${begin}event: error\ndata: ${JSON.stringify(data)}\n\n`
    )
  }
}

const makeResponsesCase = (): StreamCase => {
  const events = responses.writeEvents([...deltas, "tool_calls"])
  const body = responses.toBody(events)
  const begin = body.slice(0, body.indexOf("event: response.completed"))
  const error = JSON.stringify({ type: "error", code: "server_is_overloaded", message: "busy" })
  return {
    name: "the Responses API",
    makeReader: makeResponsesEventReader,
    events: responses.reparse(events),
    bodies: [
      body,
      body.replace("data: [DONE]\n\n", ""),
      `: hello\r\n\r\n${body.replaceAll("\n", "\r\n")}`
    ],
    broken: [begin],
    failed: [begin, ""].flatMap((said) => [
      `${said}event: error\ndata: ${error}\n\n`,
      `${said}data: ${error}\n\n`
    ])
  }
}

/** What a reader gets of the text of a server, in pieces of this many bytes. */
const receive = Effect.fnUntraced(function* (
  reader: () => EventReader<ChatEvent>,
  text: string,
  size: number
) {
  const bytes = Buffer.from(text)
  const server = yield* startRecordingServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    const write = (at: number): void => {
      if (at >= bytes.length) response.end()
      else response.write(bytes.subarray(at, at + size), () => setImmediate(write, at + size))
    }
    write(0)
  })
  const apiKey = Redacted.make("sk-very-secret")
  const events = streamEvents({ url: server.url, apiKey, body: {}, reader })
  return yield* Effect.result(Stream.runCollect(toStream(events)))
})

for (const { bodies, broken, events, failed, makeReader, name } of [
  makeGeminiCase(),
  makeMessagesCase(),
  makeResponsesCase()
]) {
  layer(NodeHttpClient.layerUndici)(`a stream of ${name}`, (it) => {
    it.effect("says the same however its bytes are split, even within a character", () =>
      Effect.gen(function* () {
        const { events: items } = readEvents(makeReader(), events)
        expect(items.map(({ type }) => type)).toContain("end")
        for (const body of bodies) {
          for (const size of [1, 2, 3, 7, Buffer.byteLength(body)]) {
            const received = yield* receive(makeReader, body, size)
            expect(received).toMatchObject({ _tag: "Success", success: items })
          }
        }
      })
    )

    it.effect("ends without an end when it breaks off", () =>
      Effect.gen(function* () {
        for (const text of broken) {
          const items = Result.getOrThrow(yield* receive(makeReader, text, 99))
          const types = items.map(({ type }) => type)
          assert.include(types, "delta")
          assert.notInclude(types, "end")
        }
      })
    )

    it.effect("fails with the error that it reports", () =>
      Effect.gen(function* () {
        for (const text of failed) {
          const received = yield* receive(makeReader, text, 99)
          expect(received).toMatchObject({ _tag: "Failure", failure: { kind: "overloaded" } })
        }
      })
    )
  })
}
