import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, expect, layer } from "@effect/vitest"
import { startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { encodeGeminiEvent } from "../../../src/dialects/gemini/makeGeminiEventWriter.ts"
import { makeGeminiEventReader } from "../../../src/dialects/gemini/makeGeminiEventReader.ts"
import { streamEvents } from "../../../src/upstreams/transport/streamEvents.ts"
import { toStream } from "../../../src/values/push/toStream.ts"
import { readStream, toEvents } from "./streams.ts"

const events = toEvents(
  [
    { text: "höm", thought: true },
    { text: "Grüße 😀" },
    { functionCall: { id: "a", name: "f", args: { x: "é" } } }
  ],
  [2, 3]
)

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
        reader: () => makeGeminiEventReader()
      })
    )
  ).pipe(Effect.result)
})

layer(NodeHttpClient.layerUndici)("a stream of Google's API", (it) => {
  it.effect("says the same however its bytes are split, and ends with the body", () =>
    Effect.gen(function* () {
      const text = events.map(encodeGeminiEvent).join("")
      for (const body of [text, text.replaceAll("\n", "\r\n")]) {
        const bytes = Buffer.from(body)
        for (const size of [1, 3, 7, bytes.length]) {
          const received = yield* receive(bytes, size)
          expect(received).toMatchObject({ _tag: "Success", success: readStream(events).items })
        }
      }
    })
  )

  it.effect("ends without an end when it breaks off, and with the error that it reports", () =>
    Effect.gen(function* () {
      const begin = events.slice(0, 2).map(encodeGeminiEvent).join("")
      const broken = yield* receive(Buffer.from(begin), 99)
      assert.strictEqual(broken._tag, "Success")
      expect(JSON.stringify(broken)).not.toContain('"end"')
      const error = { code: 503, message: "busy", status: "UNAVAILABLE" }
      const failed = yield* receive(Buffer.from(`${begin}${encodeGeminiEvent({ error })}`), 99)
      expect(failed).toMatchObject({ _tag: "Failure", failure: { kind: "overloaded" } })
      // Google's edge reports errors without the prefix of events.
      const bare = yield* receive(Buffer.from(`${begin}${JSON.stringify({ error })}\n\n`), 99)
      assert.strictEqual(bare._tag, "Success")
      expect(JSON.stringify(bare)).not.toContain('"end"')
    })
  )
})
