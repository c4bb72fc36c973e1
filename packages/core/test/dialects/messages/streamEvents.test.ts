import { toStream } from "../../../src/values/push/toStream.ts"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, expect, layer } from "@effect/vitest"
import { startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { makeMessagesEventReader } from "../../../src/dialects/messages/makeMessagesEventReader.ts"
import { encodeNamedEvent } from "../../../src/dialects/NamedEvent.ts"
import { streamEvents } from "../../../src/upstreams/transport/streamEvents.ts"
import { readStream, writeStream } from "./streams.ts"

const events = writeStream({
  deltas: [
    { reasoning: "höm" },
    { content: "Grüße 😀" },
    { tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: '{"x":"é"}' } }] }
  ]
})

/** What a reader gets of the bytes of a server, in pieces of this size. */
const receive = Effect.fnUntraced(function* (bytes: Buffer, size: number) {
  const server = yield* startRecordingServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    const write = (at: number): void => {
      if (at >= bytes.length) response.end()
      else response.write(bytes.subarray(at, at + size), () => setImmediate(write, at + size))
    }
    write(0)
  })
  return yield* Stream.runCollect(
    toStream(
      streamEvents({
        url: server.url,
        apiKey: undefined,
        body: {},
        reader: () => makeMessagesEventReader()
      })
    )
  ).pipe(Effect.result)
})

layer(NodeHttpClient.layerUndici)("a stream of the Messages API", (it) => {
  it.effect("says the same however its bytes are split, even within a character", () =>
    Effect.gen(function* () {
      const bytes = Buffer.from(
        `: keepalive\n\n${events.map(encodeNamedEvent).join("event: ping\ndata: {}\n\n")}`
      )
      for (const size of [1, 3, 7, bytes.length]) {
        const received = yield* receive(bytes, size)
        expect(received).toMatchObject({ _tag: "Success", success: readStream(events).items })
      }
    })
  )

  it.effect("ends without an end when it breaks off, and with the error that it reports", () =>
    Effect.gen(function* () {
      const begin = events.slice(0, 4).map(encodeNamedEvent).join("")
      const broken = yield* receive(Buffer.from(begin), 99)
      expect(broken).toMatchObject({ _tag: "Success", success: [{ type: "delta" }] })
      const error = { type: "error", error: { type: "overloaded_error", message: "busy" } }
      for (const data of [error, error.error]) {
        const text = `${begin}event: error\ndata: ${JSON.stringify(data)}\n\n`
        const failed = yield* receive(Buffer.from(text), 99)
        expect(failed).toMatchObject({ _tag: "Failure", failure: { kind: "overloaded" } })
      }
      assert.isAbove(begin.length, 0)
    })
  )
})
