import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, expect, layer } from "@effect/vitest"
import { startRecordingServer, sendJson } from "@signalbox/testing/recording"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import * as Tracer from "effect/Tracer"
import type { ServerResponse } from "node:http"
import { postForm, postJson } from "../../../../src/engine/upstreams/transport/jsonRequests.ts"
import * as Settings from "../../../../src/instance/Settings.ts"

const apiKey = Redacted.make("sk-very-secret")
const post = (url: string) => postJson({ url, apiKey, body: { hello: "wörld" } })

layer(NodeHttpClient.layerUndici)("postJson", (it) => {
  it.effect("sends one JSON body with the key and its headers, and returns the answer", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer((_, response) =>
        sendJson(response, { fine: [1, null] })
      )
      const answer = yield* postJson({
        url: `${server.url}/v1/x?y=1`,
        apiKey,
        headers: { "x-extra": "1", Authorization: "Bearer of another" },
        body: { hello: "wörld" }
      })
      assert.deepStrictEqual(answer, { fine: [1, null] })
      assert.strictEqual(server.requests.length, 1)
      const [request] = server.requests
      assert.strictEqual(request!.method, "POST")
      assert.strictEqual(request!.url, "/v1/x?y=1")
      assert.strictEqual(request!.text, '{"hello":"wörld"}')
      assert.strictEqual(request!.headers["authorization"], "Bearer sk-very-secret")
      assert.strictEqual(request!.headers["content-type"], "application/json")
      assert.strictEqual(request!.headers["x-extra"], "1")
    })
  )

  it.effect(
    "sends no authorization without a key, and no trace headers without a tracer of the host",
    () =>
      Effect.gen(function* () {
        const server = yield* startRecordingServer((_, response) => sendJson(response, {}))
        const traced = new Map<string, string>()
        const tracer = Tracer.make({
          span: (options) => {
            traced.set(options.name, "seen")
            return new Tracer.NativeSpan(options)
          }
        })
        const request = postJson({ url: server.url, apiKey: undefined, body: 1 })
        yield* request.pipe(Effect.withSpan("outer"))
        const withTracer = request.pipe(Effect.withSpan("outer"), Effect.withTracer(tracer))
        yield* withTracer.pipe(
          Effect.provideService(Settings.Settings, Settings.make({ sendTraceparent: false }))
        )
        for (const { headers } of server.requests) {
          assert.isUndefined(headers["authorization"])
          assert.isUndefined(headers["traceparent"])
          assert.isUndefined(headers["b3"])
        }
        assert.strictEqual(server.requests.length, 2)
        assert.include([...traced.keys()], "outer")
        assert.isTrue([...traced.keys()].some((name) => name.includes("POST")))
      })
  )

  it.effect("does not follow a redirect", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer((_, response) => {
        response.writeHead(307, { location: "/elsewhere" })
        response.end()
      })
      const failure = yield* Effect.flip(post(server.url))
      assert.strictEqual(failure.kind, "invalid_answer")
      assert.strictEqual(failure.status, 307)
      assert.strictEqual(server.requests.length, 1)
    })
  )

  it.effect("does not retry a failure, and reports its status, message and wait", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer((_, response) => {
        response.setHeader("retry-after", "7")
        sendJson(response, { error: { message: "slow down" } }, 429)
      })
      const failure = yield* Effect.flip(post(server.url))
      expect(failure).toMatchObject({
        kind: "rate_limited",
        status: 429,
        detail: "slow down",
        retryAfterMillis: 7_000
      })
      assert.strictEqual(server.requests.length, 1)
    })
  )

  it.effect("reads Retry-After dates against the clock", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2030-01-01T00:00:00Z"))
      const server = yield* startRecordingServer((_, response) => {
        response.setHeader("retry-after", "Tue, 01 Jan 2030 00:01:00 GMT")
        sendJson(response, {}, 503)
      })
      const failure = yield* Effect.flip(post(server.url))
      expect(failure).toMatchObject({ kind: "overloaded", retryAfterMillis: 60_000 })
    })
  )

  it.effect("never repeats a key that an upstream quotes in its error", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer((request, response) =>
        sendJson(
          response,
          { error: { message: `Incorrect key: ${request.headers["authorization"]}.` } },
          401
        )
      )
      const failure = yield* Effect.flip(post(server.url))
      assert.strictEqual(failure.kind, "credential_refused")
      assert.strictEqual(failure.detail, "Incorrect key: Bearer [redacted].")
    })
  )

  it.effect.each([
    ["", "the answer is empty"],
    ["<html>", "the answer is not JSON"],
    ['{"cut":', "the answer is not JSON"]
  ])("rejects the 200 body %j", ([body, detail]) =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer((_, response) => response.end(body))
      const failure = yield* Effect.flip(post(server.url))
      expect(failure).toMatchObject({ kind: "invalid_answer", status: 200, detail })
    })
  )

  it.effect("times out without headers, and closes the connection", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer(() => {})
      const fiber = yield* Effect.forkChild(Effect.flip(post(server.url)))
      yield* server.waitForRequests(1)
      yield* TestClock.adjust(Settings.defaults.headersTimeoutMillis - 1)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      const failure = yield* Fiber.join(fiber)
      expect(failure).toMatchObject({ kind: "timeout", phase: "headers" })
      yield* server.requests[0]!.aborted
    })
  )

  it.effect(
    "closes the connection when it is interrupted before the headers or within the body",
    () =>
      Effect.gen(function* () {
        const server = yield* startRecordingServer((request, response) => {
          if (request.url === "/body") {
            response.writeHead(200, { "content-length": "100" })
            response.write("{")
          }
        })
        const silent = yield* Effect.forkChild(post(server.url))
        yield* server.waitForRequests(1)
        yield* Fiber.interrupt(silent)
        yield* server.requests[0]!.aborted

        const stuck = yield* Effect.forkChild(post(`${server.url}/body`))
        yield* server.waitForRequests(2)
        yield* Fiber.interrupt(stuck)
        yield* server.requests[1]!.aborted
        const exit = yield* Fiber.await(stuck)
        assert.isTrue(Exit.isFailure(exit) && Cause.hasInterrupts(exit.cause))
      })
  )

  const larger = "x".repeat(2_000)
  const tooLarge: ReadonlyArray<[string, (response: ServerResponse) => void]> = [
    [
      "declared",
      (response) => {
        response.writeHead(200, { "content-length": "1000000" })
        response.write("x")
      }
    ],
    ["chunked", (response) => response.write(larger)],
    [
      "an error",
      (response) => {
        response.writeHead(500)
        response.write(larger)
      }
    ]
  ]
  it.effect.each(tooLarge)("stops reading an answer over the limit: %s", ([, write]) =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer((_, response) => write(response))
      const failure = yield* post(server.url).pipe(
        Effect.flip,
        Effect.provideService(Settings.Settings, Settings.make({ maxUpstreamBodyBytes: 1_000 }))
      )
      // The status of an error suffices without its body.
      expect(failure).toMatchObject(
        failure.status === 200
          ? { kind: "invalid_answer", detail: "the answer is larger than 1000 bytes" }
          : { kind: "server_error", status: 500 }
      )
      yield* server.requests[0]!.aborted
    })
  )

  it.effect("reads a chunked answer whose characters are split over chunks", () =>
    Effect.gen(function* () {
      const bytes = Buffer.from(JSON.stringify({ text: "€".repeat(3) }))
      const server = yield* startRecordingServer((_, response) => {
        for (const byte of bytes) response.write(Buffer.of(byte))
        response.end()
      })
      assert.deepStrictEqual(yield* post(server.url), { text: "€€€" })
    })
  )

  it.effect("reports a connection dropped within headers and within the body", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer((request, response) => {
        if (request.url !== "/") {
          response.writeHead(200, request.url === "/declared" ? { "content-length": "100" } : {})
          response.write('{"half":')
        }
        setImmediate(() => response.destroy())
      })
      const failures = yield* Effect.forEach(["/", "/declared", "/chunked"], (path) =>
        Effect.flip(post(server.url + path))
      )
      expect(failures.map(({ kind, phase }) => [kind, phase])).toEqual([
        ["unreachable", "headers"],
        ["unreachable", "body"],
        ["unreachable", "body"]
      ])
    })
  )

  it.effect("reports a refused connection by its code, without host or port", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.scoped(startRecordingServer(() => {}))
      const failure = yield* Effect.flip(post(url))
      expect(failure).toMatchObject({
        kind: "unreachable",
        phase: "connect",
        detail: "ECONNREFUSED"
      })
      assert.notInclude(JSON.stringify(failure), "127.0.0.1")
    })
  )

  it.effect("does not leak the key when a header cannot be sent", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer((_, response) => sendJson(response, {}))
      const failure = yield* Effect.flip(
        postJson({ url: server.url, apiKey: Redacted.make("sk-secret\r\nx: y"), body: {} })
      )
      expect(failure).toMatchObject({ kind: "unreachable", phase: "connect" })
      assert.notInclude(String(failure) + JSON.stringify(failure), "sk-secret")
      assert.strictEqual(server.requests.length, 0)
    })
  )

  it.effect.each(["nonsense", "http://", "ftp://127.0.0.1/"])(
    "reports that nothing was sent to the invalid URL %s",
    (url) =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(post(url))
        expect(failure).toMatchObject({ kind: "unreachable", phase: "connect" })
      })
  )
})

layer(NodeHttpClient.layerUndici)("postForm", (it) => {
  it.effect("sends fields and files under any name, and returns the answer", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer((_, response) =>
        sendJson(response, { fine: true })
      )
      const file = { name: "a.png", contentType: "image/png", bytes: Buffer.from("pixels") }
      const form = Object.fromEntries([
        ["__proto__", "text"],
        ["file", file]
      ])
      assert.deepStrictEqual(yield* postForm({ url: server.url, apiKey, form }), { fine: true })
      const [request] = server.requests
      assert.match(request!.headers["content-type"]!, /^multipart\/form-data; boundary=/)
      assert.strictEqual(request!.headers["authorization"], "Bearer sk-very-secret")
      assert.include(request!.text, 'name="__proto__"\r\n\r\ntext\r\n')
      assert.match(
        request!.text,
        /name="file"; filename="a.png"\r\nContent-Type: image\/png\r\n\r\npixels\r\n/i
      )
    })
  )

  it.effect("redacts a repeated key, but not repeated non-secret headers", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer((request, response) =>
        sendJson(response, [request.headers["authorization"], request.headers["idempotency-key"]])
      )
      const nonSecretHeaders = { "idempotency-key": "the-key-of-a-long-job" }
      const answer = yield* postForm({ url: server.url, apiKey, nonSecretHeaders, form: {} })
      assert.deepStrictEqual(answer, ["Bearer [redacted]", "the-key-of-a-long-job"])
    })
  )
})
