import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, expect, layer } from "@effect/vitest"
import { sendJson, startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { createHmac } from "node:crypto"
import { inspect } from "node:util"
import * as Settings from "../../../../src/instance/Settings.ts"
import { UpstreamFailure } from "../../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import { getContent } from "../../../../src/engine/upstreams/transport/getContent.ts"
import {
  getJson,
  postForm,
  postJson
} from "../../../../src/engine/upstreams/transport/jsonRequests.ts"
import type { Signer, UnsignedRequest } from "../../../../src/engine/upstreams/transport/Signer.ts"
import { streamEvents } from "../../../../src/engine/upstreams/transport/streamEvents.ts"
import { toStream } from "../../../../src/values/push/toStream.ts"

const apiKey = Redacted.make("sk-very-secret")
const token = "a-token-of-the-signer"

const sign = (body: Uint8Array): string => createHmac("sha256", "key").update(body).digest("hex")

const signWithToken: Signer = () => ({
  headers: {
    authorization: `Bearer ${token}`,
    "x-amz-security-token": "session-token-of-it"
  },
  nonSecretHeaders: { "x-date": "20300101T000000Z" }
})

const makeVerbatimReader = () => ({ read: (json: unknown) => json, done: () => undefined })

/** Answers with the request. */
const startEcho = startRecordingServer(({ headers, text }, response) =>
  sendJson(response, { headers, text })
)

layer(NodeHttpClient.layerUndici)("a signer", (it) => {
  it.effect("sees the request as it is sent, once, and its headers replace others", () =>
    Effect.gen(function* () {
      const seen: Array<UnsignedRequest> = []
      const server = yield* startEcho
      yield* postJson({
        url: `${server.url}/v1/x?y=1`,
        apiKey,
        headers: { "X-Extra": "1" },
        nonSecretHeaders: { "Idempotency-Key": "k" },
        body: { hello: "wörld" },
        signer: (request) => {
          seen.push(request)
          return {
            headers: { Authorization: `HMAC ${sign(request.body)}` },
            nonSecretHeaders: { "X-Date": "today" }
          }
        }
      })
      assert.strictEqual(seen.length, 1)
      assert.strictEqual(seen[0]?.method, "POST")
      assert.strictEqual(seen[0]?.url, `${server.url}/v1/x?y=1`)
      assert.deepStrictEqual(seen[0]?.headers, {
        authorization: "Bearer sk-very-secret",
        "content-type": "application/json",
        "idempotency-key": "k",
        "x-extra": "1"
      })
      const [request] = server.requests
      assert.strictEqual(request?.text, '{"hello":"wörld"}')
      expect(request?.headers).toMatchObject({
        authorization: `HMAC ${sign(Buffer.from('{"hello":"wörld"}'))}`,
        "content-type": "application/json",
        "idempotency-key": "k",
        "x-date": "today",
        "x-extra": "1"
      })
    })
  )

  it.effect("sees the bytes of a form, and no bytes of a GET", () =>
    Effect.gen(function* () {
      const bodies: Array<Uint8Array> = []
      const signer: Signer = ({ body, headers }) => {
        bodies.push(body)
        return { headers: {}, nonSecretHeaders: { "x-type": headers["content-type"] ?? "none" } }
      }
      const server = yield* startEcho
      const file = { name: "a.txt", contentType: "text/plain", bytes: Buffer.from("text") }
      yield* postForm({ url: server.url, apiKey, form: { file, field: "value" }, signer })
      yield* getJson({ url: server.url, apiKey, signer })
      const [form, get] = server.requests
      assert.match(String(form?.headers["content-type"]), /^multipart\/form-data; boundary=/)
      assert.strictEqual(form?.headers["x-type"], form?.headers["content-type"])
      assert.strictEqual(Buffer.from(bodies[0] ?? []).toString(), form?.text)
      assert.strictEqual(bodies[1]?.length, 0)
      assert.strictEqual(get?.headers["x-type"], "none")
    })
  )

  it.effect.each([
    ["a value", () => ({ headers: { authorization: token } })],
    ["a promise", async () => ({ headers: { authorization: token } })],
    ["an effect", () => Effect.succeed({ headers: { authorization: token } })],
    [
      "a slow effect",
      () => Effect.andThen(Effect.yieldNow, Effect.succeed({ headers: { authorization: token } }))
    ]
  ] satisfies ReadonlyArray<readonly [string, Signer]>)("may return %s", ([, signer]) =>
    Effect.gen(function* () {
      const server = yield* startEcho
      yield* postJson({ url: server.url, apiKey: undefined, body: 1, signer })
      assert.strictEqual(server.requests[0]?.headers["authorization"], token)
    })
  )

  it.effect("has its secrets redacted from answers and errors, with and without a scheme", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer(({ headers, url }, response) => {
        const { authorization, "x-amz-security-token": session, "x-date": date } = headers
        const message = [authorization, authorization?.slice(7), session, date].join(", ")
        sendJson(response, { error: { message } }, url === "/error" ? 401 : 200)
      })
      const request = { apiKey: undefined, body: 1, signer: signWithToken }
      const answer = yield* postJson({ ...request, url: server.url })
      const message = "[redacted], [redacted], [redacted], 20300101T000000Z"
      assert.deepStrictEqual(answer, { error: { message } })
      const failure = yield* Effect.flip(postJson({ ...request, url: `${server.url}/error` }))
      expect(failure).toMatchObject({ kind: "credential_refused", detail: message })
    })
  )

  it.effect("signs streams and files", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer(({ headers, method }, response) => {
        const isStream = method === "POST"
        response.setHeader("content-type", isStream ? "text/event-stream" : "video/mp4")
        response.end(isStream ? `data: {"key":"${headers["authorization"]}"}\n\n` : "film")
      })
      const request = { url: server.url, apiKey, signer: signWithToken }
      const events = yield* Stream.runCollect(
        toStream(streamEvents({ ...request, body: 1, reader: makeVerbatimReader }))
      )
      assert.deepStrictEqual(events, [{ key: "[redacted]" }])
      yield* Effect.scoped(getContent(request))
      for (const { headers } of server.requests) {
        assert.strictEqual(headers["authorization"], `Bearer ${token}`)
      }
      assert.strictEqual(server.requests.length, 2)
    })
  )

  const failing: ReadonlyArray<readonly [string, Signer]> = [
    [
      "throws",
      () => {
        throw new Error(`no ${Redacted.value(apiKey)}`)
      }
    ],
    ["rejects", () => Promise.reject(new Error(`no ${Redacted.value(apiKey)}`))],
    ["dies", () => Effect.die(new Error(`no ${Redacted.value(apiKey)}`))]
  ]
  it.effect.each(failing)("that %s is a defect, and nothing is sent", ([, signer]) =>
    Effect.gen(function* () {
      const logs: Array<unknown> = []
      const logger = Logger.make(({ cause, message }) => void logs.push([message, cause]))
      const server = yield* startEcho
      const failure = yield* Effect.flip(
        postJson({ url: server.url, apiKey, body: 1, signer })
      ).pipe(Effect.provide(Logger.layer([logger])))
      expect(failure).toMatchObject({ kind: "defect", phase: "connect" })
      assert.strictEqual(server.requests.length, 0)
      const text = inspect([logs, failure], { depth: 30 })
      assert.include(text, "could not be signed")
      assert.notInclude(text, "very-secret")
    })
  )

  it.effect("fails with its own failure", () =>
    Effect.gen(function* () {
      const own = new UpstreamFailure({ kind: "credential_refused", detail: "the role is gone" })
      const server = yield* startEcho
      for (const signer of [() => Effect.fail(own), () => Promise.reject(own)]) {
        const failure = yield* Effect.flip(postJson({ url: server.url, apiKey, body: 1, signer }))
        assert.strictEqual(failure, own)
      }
      assert.strictEqual(server.requests.length, 0)
    })
  )

  it.effect("has as long as the headers of an answer", () =>
    Effect.gen(function* () {
      const server = yield* startEcho
      const fiber = yield* Effect.forkChild(
        Effect.flip(postJson({ url: server.url, apiKey, body: 1, signer: () => Effect.never })),
        { startImmediately: true }
      )
      yield* TestClock.adjust(Settings.defaults.headersTimeoutMillis - 1)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(fiber)).toMatchObject({ kind: "timeout", phase: "connect" })
    })
  )
})
