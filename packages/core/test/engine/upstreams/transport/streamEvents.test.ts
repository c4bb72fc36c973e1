import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, expect, layer } from "@effect/vitest"
import { startRecordingServer } from "@signalbox/testing/recording"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as Tracer from "effect/Tracer"
import * as fc from "fast-check"
import * as Settings from "../../../../src/instance/Settings.ts"
import type { EventReader } from "../../../../src/engine/upstreams/transport/EventDecoder.ts"
import { streamEvents } from "../../../../src/engine/upstreams/transport/streamEvents.ts"
import { toStream } from "../../../../src/values/push/toStream.ts"
import { UpstreamFailure } from "../../../../src/engine/upstreams/failures/UpstreamFailure.ts"

const apiKey = Redacted.make("sk-very-secret")

/** Records its input and its end. */
const verbatim = (): EventReader<unknown> => ({ read: (json) => json, done: () => "done" })

/** Reads until an event that marks itself as the last one. */
const untilLast = (): EventReader<unknown> => {
  let isDone = false
  return {
    read: (json) => {
      isDone = json["last"] === true
      return json
    },
    done: () => "done",
    isDone: () => isDone,
    end: () => "ended"
  }
}

const toPairs = (): EventReader<unknown> => ({ read: ({ a, b }) => [a, b], done: () => "done" })

/** Knows the errors of its dialect. */
const toOverloaded = (): EventReader<unknown> => ({
  read: ({ error }) => new UpstreamFailure({ kind: "overloaded", detail: JSON.stringify(error) }),
  done: () => "done"
})

const events = (url: string) =>
  toStream(streamEvents({ url, apiKey, body: { hello: "wörld" }, reader: verbatim }))

/** The chunks of a stream, and its failure if it failed. */
const readChunks = Effect.fnUntraced(function* (url: string) {
  const chunks: Array<ReadonlyArray<unknown>> = []
  const failure = yield* Stream.runForEachArray(events(url), (chunk) =>
    Effect.sync(() => chunks.push(chunk))
  ).pipe(
    Effect.as(undefined),
    Effect.catch((failure: UpstreamFailure) => Effect.succeed(failure))
  )
  return { chunks, events: chunks.flat(), failure }
})

/**
 * A server that writes these bytes piece by piece, and then closes the connection unless set to
 * `stay`.
 */
const serveEvents = (pieces: ReadonlyArray<string | Uint8Array>, stay = false) =>
  startRecordingServer((_, response) => {
    response.writeHead(200, { "content-type": "Text/Event-Stream; charset=utf-8" })
    for (const piece of pieces) response.write(piece)
    if (!stay) response.end()
  })

layer(NodeHttpClient.layerUndici)("postEvents", (it) => {
  it.effect("sends one JSON body with the key, its headers and the trace of its span", () =>
    Effect.gen(function* () {
      const server = yield* serveEvents(["data: {}\n\n"])
      const tracer = Tracer.make({ span: (options) => new Tracer.NativeSpan(options) })
      yield* readChunks(server.url).pipe(Effect.withSpan("outer"), Effect.withTracer(tracer))
      const [request] = server.requests
      assert.strictEqual(server.requests.length, 1)
      assert.strictEqual(request!.method, "POST")
      assert.strictEqual(request!.text, '{"hello":"wörld"}')
      expect(request!.headers).toMatchObject({
        accept: "text/event-stream",
        authorization: "Bearer sk-very-secret",
        "content-type": "application/json"
      })
      expect(request!.headers["traceparent"]).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/)
      assert.isUndefined(request!.headers["b3"])
    })
  )

  it.effect("emits events that arrive together in one chunk", () =>
    Effect.gen(function* () {
      const server = yield* serveEvents(['data: {"a":1}\n\ndata: {"a":2}\n\ndata: [DONE]\n\n'])
      const { chunks } = yield* readChunks(server.url)
      assert.deepStrictEqual(chunks, [[{ a: 1 }, { a: 2 }, "done"]])
    })
  )

  it.effect(
    "ignores comments, names, retries, ids and blank lines, and accepts all line endings",
    () =>
      Effect.gen(function* () {
        const text =
          ': OPENROUTER PROCESSING\n\nretry: 10\n\nid: 7\r\nevent: delta\r\ndata: {"a":\r\ndata: 1}\r\n\r\n' +
          '\n\n\ndata:{"a":2}\r\rdata: [DONE]\n\n'
        const server = yield* serveEvents([text])
        const { failure, events } = yield* readChunks(server.url)
        assert.deepStrictEqual(events, [{ a: 1 }, { a: 2 }, "done"])
        assert.isUndefined(failure)
      })
  )

  it.effect("reads nothing after [DONE]", () =>
    Effect.gen(function* () {
      const server = yield* serveEvents([
        'data: [DONE]\n\ndata: {"a":1}\n\n',
        'data: {"error":"late"}\n\n'
      ])
      const { failure, events } = yield* readChunks(server.url)
      assert.deepStrictEqual(events, ["done"])
      assert.isUndefined(failure)
    })
  )

  it.effect("reads nothing after the event that its reader takes for the last", () =>
    Effect.gen(function* () {
      const server = yield* serveEvents(
        ['data: {"a":1}\n\ndata: {"last":true}\n\n', 'data: {"error":"late"}\n\n'],
        true
      )
      const stream = toStream(
        streamEvents({ url: server.url, apiKey, body: {}, reader: untilLast })
      )
      const fiber = yield* Effect.forkChild(Stream.runCollect(stream))
      while (fiber.pollUnsafe() === undefined) yield* TestClock.adjust(1_000)
      assert.deepStrictEqual(yield* Fiber.join(fiber), [{ a: 1 }, { last: true }])
    })
  )

  it.effect("tells a reader that the body ended before the last event", () =>
    Effect.gen(function* () {
      for (const [text, expected] of [
        ['data: {"a":1}\n\n', [{ a: 1 }, "ended"]],
        ['data: {"a":1}\n\ndata: [DONE]', [{ a: 1 }, "done"]],
        ["", ["ended"]]
      ] as const) {
        const server = yield* serveEvents([text])
        const stream = toStream(
          streamEvents({ url: server.url, apiKey, body: {}, reader: untilLast })
        )
        assert.deepStrictEqual(yield* Stream.runCollect(stream), [...expected])
      }
    })
  )

  it.effect("accepts [DONE] without a blank line at the end, but no other incomplete event", () =>
    Effect.gen(function* () {
      for (const end of ["data: [DONE]", "data: [DONE]\n"]) {
        const server = yield* serveEvents(['data: {"a":1}\n\n', end])
        assert.deepStrictEqual((yield* readChunks(server.url)).events, [{ a: 1 }, "done"])
      }
      for (const end of [
        'data: {"a":2}',
        'data: {"a":2}\n',
        'data: {"a":',
        'data: {"error":"x"}'
      ]) {
        const server = yield* serveEvents(['data: {"a":1}\n\n', end])
        const { failure, events } = yield* readChunks(server.url)
        assert.deepStrictEqual(events, [{ a: 1 }])
        assert.isUndefined(failure)
      }
    })
  )

  it.effect("emits everything before a failure, even if both arrive together", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer((_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" })
        response.end('data: {"a":1}\n\ndata: {"a":2}\n\ndata: nonsense\n\ndata: {"a":3}\n\n')
      })
      const { failure, events } = yield* readChunks(server.url)
      assert.deepStrictEqual(events, [{ a: 1 }, { a: 2 }])
      expect(failure).toMatchObject({ kind: "invalid_answer", detail: "an event is not JSON" })
    })
  )

  it.effect("stops at the failure of its reader", () =>
    Effect.gen(function* () {
      const server = yield* serveEvents(['data: {"a":1}\n\ndata: {"a":2}\n\ndata: [DONE]\n\n'])
      const seen: Array<unknown> = []
      const failure = yield* Effect.flip(
        Stream.runDrain(
          toStream(
            streamEvents({
              url: server.url,
              apiKey,
              body: {},
              reader: () => ({
                read: (json) => {
                  seen.push(json)
                  return new UpstreamFailure({ kind: "content_refused" })
                },
                done: () => undefined
              })
            })
          )
        )
      )
      assert.strictEqual(failure.kind, "content_refused")
      assert.deepStrictEqual(seen, [{ a: 1 }])
    })
  )

  it.effect("emits all items that its reader makes of one event", () =>
    Effect.gen(function* () {
      const server = yield* serveEvents(['data: {"a":1,"b":2}\n\n'])
      const stream = toStream(streamEvents({ url: server.url, apiKey, body: {}, reader: toPairs }))
      assert.deepStrictEqual(yield* Stream.runCollect(stream), [1, 2])
    })
  )

  it.effect("lets its reader convert an event with the name error", () =>
    Effect.gen(function* () {
      const server = yield* serveEvents(['event: error\ndata: {"code":"c","message":"m"}\n\n'])
      const stream = toStream(
        streamEvents({ url: server.url, apiKey, body: {}, reader: toOverloaded })
      )
      const failure = yield* Effect.flip(Stream.runDrain(stream))
      assert.strictEqual(failure.detail, '{"code":"c","message":"m"}')
    })
  )

  it.effect("limits the size of an event, including comments", () =>
    Effect.gen(function* () {
      const small = `data: "${"x".repeat(90)}"\n\n`
        .replace('"x', '{"x":"x')
        .replace('x"\n', 'x"}\n')
      const settings = Settings.make({ maxUpstreamBodyBytes: 200 })
      const within = Effect.provideService(Settings.Settings, settings)
      const server = yield* serveEvents(Array.from({ length: 100 }, () => small))
      const { failure, events } = yield* within(readChunks(server.url))
      assert.isUndefined(failure)
      assert.strictEqual(events.length, 100)
      for (const start of [": ", "data: ", "data: 1\ndata: "]) {
        const endless = yield* serveEvents(
          [small, start, "y".repeat(70_000), "z".repeat(70_000)],
          true
        )
        const { failure, events } = yield* within(readChunks(endless.url))
        assert.strictEqual(events.length, 1)
        expect(failure).toMatchObject({
          kind: "invalid_answer",
          detail: "an event is larger than 200 bytes"
        })
        yield* endless.requests[0]!.aborted
      }
    })
  )

  it.effect("limits the size of a stream", () =>
    Effect.gen(function* () {
      const event = `data: {"x":"${"x".repeat(86)}"}\n\n`
      const within = Effect.provideService(
        Settings.Settings,
        Settings.make({ maxStreamBytes: 10 * event.length })
      )
      const exact = yield* serveEvents(Array.from({ length: 10 }, () => event))
      assert.isUndefined((yield* within(readChunks(exact.url))).failure)
      for (const each of [event, `: ${"x".repeat(94)}\n\n`]) {
        const endless = yield* serveEvents([...Array.from({ length: 10 }, () => event), each], true)
        const { failure, events } = yield* within(readChunks(endless.url))
        assert.isAtMost(events.length, 10)
        expect(failure).toMatchObject({
          kind: "invalid_answer",
          detail: `the stream is larger than ${10 * event.length} bytes`
        })
        yield* endless.requests[0]!.aborted
      }
    })
  )

  it.effect("redacts a key in a field name, escaped or not", () =>
    Effect.gen(function* () {
      const server = yield* serveEvents([
        'data: {"sk-very-secret":{"sk-v\\u0065ry-secret":"It is sk-ve"}}\n\n',
        'data: {"sk-very-secret":{"sk-v\\u0065ry-secret":"ry-secret."}}\n\n'
      ])
      const name = "[redacted]"
      assert.deepStrictEqual((yield* readChunks(server.url)).events, [
        { [name]: { [name]: "It is [redacted]" } },
        { [name]: { [name]: "." } }
      ])
    })
  )

  it.effect("redacts a key that is split across events", () =>
    Effect.gen(function* () {
      const pieces = ["It is sk-ve", "ry-", "secr", "et.", " Its first half is sk-very", ""]
      const server = yield* serveEvents([
        ...pieces.map((content) => `data: ${JSON.stringify({ content })}\n\n`),
        "data: [DONE]\n\n"
      ])
      assert.deepStrictEqual((yield* readChunks(server.url)).events, [
        { content: "It is [redacted]" },
        { content: "" },
        { content: "" },
        { content: "." },
        { content: " Its first half is sk-very" },
        { content: "" },
        "done"
      ])
    })
  )

  it.effect("emits the held-back events when the stream fails or ends", () =>
    Effect.gen(function* () {
      const held = 'data: {"content":"sk-very"}\n\n'
      const failing = yield* serveEvents([held, "event: error\ndata: {}\n\n"], true)
      const failed = yield* readChunks(failing.url)
      assert.deepStrictEqual(failed.events, [{ content: "sk-very" }])
      assert.strictEqual(failed.failure?.kind, "server_error")
      const wrong = yield* serveEvents([held, 'data: {"error":{"message":"no"}}\n\n'], true)
      const first = Stream.runCollect(Stream.take(events(wrong.url), 2))
      assert.deepStrictEqual(yield* first, [{ content: "sk-very" }, { error: { message: "no" } }])
      const severed = yield* serveEvents([held])
      assert.deepStrictEqual((yield* readChunks(severed.url)).events, [{ content: "sk-very" }])
    })
  )

  it.effect("emits the held-back events when the connection breaks", () =>
    Effect.gen(function* () {
      const torn = yield* startRecordingServer((_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" })
        response.write('data: {"content":"sk-very"}\n\n', () => response.destroy())
      })
      const { failure, events } = yield* readChunks(torn.url)
      assert.deepStrictEqual(events, [{ content: "sk-very" }])
      assert.strictEqual(failure?.kind, "unreachable")
    })
  )

  it.effect("does not wait long for a server that keeps the connection open after [DONE]", () =>
    Effect.gen(function* () {
      const server = yield* serveEvents(['data: {"a":1}\n\ndata: [DONE]\n\n'], true)
      const last = yield* Deferred.make<unknown>()
      const running = Stream.runForEachArray(events(server.url), (chunk) =>
        chunk.at(-1) === "done" ? Deferred.succeed(last, chunk) : Effect.void
      )
      const fiber = yield* Effect.forkChild(running)
      assert.deepStrictEqual(yield* Deferred.await(last), [{ a: 1 }, "done"])
      while (fiber.pollUnsafe() === undefined) yield* TestClock.adjust(1_000)
      yield* Fiber.join(fiber)
      yield* server.requests[0]!.aborted
    })
  )

  it.effect("reads the same events however the bytes are split", () =>
    Effect.gen(function* () {
      const text =
        'data: {"content":"wéll 🎬"}\r\n\r\n: ping\n\ndata: {"content":"\\ud83c\\udfac"}\n\ndata: [DONE]\n\n'
      const bytes = Buffer.from(text)
      const whole = [{ content: "wéll 🎬" }, { content: "🎬" }, "done"]
      const divisions = fc.sample(
        fc.uniqueArray(fc.nat(bytes.length), { maxLength: 20 }).map((at) => at.toSorted(ascending)),
        40
      )
      for (const division of divisions) {
        const pieces = [0, ...division].map((from, i) =>
          bytes.subarray(from, division[i] ?? bytes.length)
        )
        const server = yield* startRecordingServer((_, response) => {
          response.writeHead(200, { "content-type": "text/event-stream" })
          // Each piece is a separate packet, because joined pieces would not test the splitting.
          const write = (i: number): void => {
            if (i === pieces.length) response.end()
            else response.write(pieces[i]!, () => setImmediate(write, i + 1))
          }
          write(0)
        })
        assert.deepStrictEqual((yield* readChunks(server.url)).events, whole)
      }
    })
  )
})

const ascending = (self: number, that: number): number => self - that
