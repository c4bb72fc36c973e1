import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, expect, layer } from "@effect/vitest"
import { startRecordingServer } from "@signalbox/testing/recording"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import type { OutgoingHttpHeaders } from "node:http"
import * as Settings from "../../../../src/instance/Settings.ts"
import { ExternalContentClient } from "../../../../src/engine/upstreams/transport/ExternalContentClient.ts"
import {
  type ContentRequest,
  getContent
} from "../../../../src/engine/upstreams/transport/getContent.ts"

const apiKey = Redacted.make("sk-very-secret")
const headers = { "x-secret-header": "of the upstream itself" }

const read = (request: Omit<ContentRequest, "apiKey">) =>
  Effect.flatMap(getContent({ apiKey, headers, ...request }), (content) =>
    Effect.map(Stream.mkString(Stream.decodeText(content.bytes)), (text) => ({ ...content, text }))
  )

/** A server that always responds with these headers and this body. */
const serveContent = (answer: OutgoingHttpHeaders, body = "film", status = 200) =>
  startRecordingServer((_, response) => {
    response.writeHead(status, answer)
    response.end(body)
  })

const film = { "content-type": "video/webm; codecs=vp9", "content-length": "4" }

layer(NodeHttpClient.layerUndici)("getContent", (it) => {
  it.effect("sends one request with the key, and describes the content", () =>
    Effect.gen(function* () {
      const server = yield* serveContent({ ...film, "accept-ranges": "bytes" })
      const content = yield* read({ url: `${server.url}/film` })
      expect(content).toMatchObject({
        contentType: "video/webm",
        length: 4,
        contentRange: undefined,
        acceptsRanges: true,
        text: "film"
      })
      assert.strictEqual(server.requests.length, 1)
      const [request] = server.requests
      assert.strictEqual(request!.headers["authorization"], "Bearer sk-very-secret")
      assert.isUndefined(request!.headers["range"])
    })
  )

  it.effect.each([
    [undefined],
    ["application/octet-stream"],
    ["binary/octet-stream"],
    ["Video/MP4"]
  ])("reports the type %s as video/mp4", ([type]) =>
    Effect.gen(function* () {
      const server = yield* serveContent(type === undefined ? {} : { "content-type": type })
      assert.strictEqual((yield* read({ url: server.url })).contentType, "video/mp4")
    })
  )

  const nonsense: ReadonlyArray<readonly [string, number, OutgoingHttpHeaders]> = [
    ["a page", 200, { "content-type": "text/html" }],
    ["an HTML type with a video parameter", 200, { "content-type": "text/html; video/mp4" }],
    ["an image that can hold scripts", 200, { "content-type": "image/svg+xml" }],
    ["bytes that are encoded", 200, { ...film, "content-encoding": "gzip" }],
    ["a range without Content-Range", 206, film],
    ["an empty range", 206, { ...film, "content-range": "bytes 5-2/10" }],
    ["a range beyond the end", 206, { ...film, "content-range": "bytes 0-3/2" }],
    ["a range of another length", 206, { ...film, "content-range": "bytes 0-8/10" }],
    ["another success", 203, film]
  ]
  it.effect.each(nonsense)("rejects %s", ([, status, answer]) =>
    Effect.gen(function* () {
      const server = yield* serveContent(answer, "film", status)
      const failure = yield* Effect.flip(read({ url: server.url, range: { first: 0 } }))
      expect(failure).toMatchObject({ kind: "invalid_answer", status })
    })
  )

  it.effect("rejects a range that was not requested", () =>
    Effect.gen(function* () {
      const server = yield* serveContent({ ...film, "content-range": "bytes 0-3/10" }, "film", 206)
      const failure = yield* Effect.flip(read({ url: server.url }))
      assert.strictEqual(failure.kind, "invalid_answer")
    })
  )

  it.effect("passes on the whole file when the server ignores the range", () =>
    Effect.gen(function* () {
      const server = yield* serveContent(film)
      const content = yield* read({ url: server.url, range: { first: 1, last: 2 } })
      expect(content).toMatchObject({ contentRange: undefined, acceptsRanges: false, text: "film" })
      assert.strictEqual(server.requests[0]!.headers["range"], "bytes=1-2")
    })
  )

  it.effect("follows neither a URL at another origin nor a redirect", () =>
    Effect.gen(function* () {
      const inner = yield* serveContent(film)
      const server = yield* serveContent({ location: `${inner.url}/metadata` }, "", 302)
      const failures = [
        yield* Effect.flip(read({ url: `${inner.url}/film`, origin: server.url })),
        yield* Effect.flip(read({ url: "file:///etc/passwd", origin: server.url })),
        yield* Effect.flip(read({ url: "nonsense", origin: server.url })),
        yield* Effect.flip(read({ url: `${server.url}/film`, origin: server.url }))
      ]
      expect(failures.map(({ kind }) => kind)).toEqual(failures.map(() => "invalid_answer"))
      assert.strictEqual(inner.requests.length, 0)
      assert.strictEqual(server.requests.length, 1)
    })
  )

  it.effect("requests a URL of the upstream's own origin directly, with the key", () =>
    Effect.gen(function* () {
      const server = yield* serveContent(film)
      yield* read({ url: `${server.url}/film`, origin: `${server.url}/v1` })
      assert.strictEqual(server.requests[0]!.headers["authorization"], "Bearer sk-very-secret")
    })
  )

  it.effect("fetches from other origins with the checked client, without key and headers", () =>
    Effect.gen(function* () {
      const inner = yield* serveContent(film)
      const server = yield* serveContent({ location: `${inner.url}/by-redirect` }, "", 307)
      const asked: Array<string> = []
      const client = HttpClient.mapRequest(yield* HttpClient.HttpClient, (request) => {
        asked.push(request.url)
        return request
      })
      const guarded = Effect.provideService(ExternalContentClient, client)
      const range = { suffix: 4 }
      yield* guarded(read({ url: `${server.url}/film`, range }))
      yield* guarded(read({ url: `${inner.url}/by-address`, origin: server.url, range }))
      expect(asked).toEqual([`${inner.url}/by-redirect`, `${inner.url}/by-address`])
      for (const request of inner.requests) {
        assert.isUndefined(request.headers["authorization"])
        assert.isUndefined(request.headers["x-secret-header"])
        assert.strictEqual(request.headers["range"], "bytes=-4")
      }
    })
  )

  it.effect("times out when the content stalls, and closes the connection", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer((_, response) => {
        response.writeHead(200, { "content-type": "video/mp4", "content-length": "100" })
        response.write("half")
      })
      const content = yield* getContent({ url: server.url, apiKey })
      const first = yield* Deferred.make<void>()
      const fiber = yield* content.bytes.pipe(
        Stream.tap(() => Deferred.succeed(first, undefined)),
        Stream.runDrain,
        Effect.flip,
        Effect.forkChild
      )
      yield* Deferred.await(first)
      yield* TestClock.adjust(Settings.defaults.streamIdleTimeoutMillis)
      expect(yield* Fiber.join(fiber)).toMatchObject({ kind: "timeout", phase: "body" })
      yield* server.requests[0]!.aborted
    })
  )

  it.effect("buffers no more of a large file than is read", () =>
    Effect.gen(function* () {
      const total = 256 * 1_024 * 1_024
      let written = 0
      const server = yield* startRecordingServer((_, response) => {
        response.writeHead(200, { "content-type": "video/mp4", "content-length": String(total) })
        const chunk = Buffer.alloc(65_536)
        const more = () => {
          while (written < total && !response.destroyed) {
            written += chunk.length
            if (!response.write(chunk)) {
              response.once("drain", more)
              return
            }
          }
        }
        more()
      })
      yield* Effect.scoped(
        Effect.flatMap(getContent({ url: server.url, apiKey }), ({ bytes }) =>
          Stream.runDrain(Stream.take(bytes, 4))
        )
      )
      yield* server.requests[0]!.aborted
      assert.isBelow(written, 32 * 1_024 * 1_024)
    })
  )
})
