import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, expect, layer } from "@effect/vitest"
import { sendJson, startRecordingServer } from "@signalbox/testing/recording"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { inspect } from "node:util"
import { postJson } from "../../../../src/engine/upstreams/transport/jsonRequests.ts"
import {
  makeTokenSigner,
  type TokenProvider
} from "../../../../src/engine/upstreams/transport/makeTokenSigner.ts"

const toJwt = (payload: object): string =>
  ["{}", JSON.stringify(payload), "sig"]
    .map((part) => Buffer.from(part).toString("base64url"))
    .join(".")

/** Accepts only the tokens of `accepted`. */
const startProvider = (accepted: ReadonlySet<string>) =>
  startRecordingServer(({ headers }, response) => {
    const isAccepted = accepted.has(headers["authorization"]?.replace("Bearer ", "") ?? "")
    sendJson(response, isAccepted ? {} : { error: { message: "expired" } }, isAccepted ? 200 : 401)
  })

const count = (next: (calls: number) => ReturnType<TokenProvider>) => {
  let calls = 0
  return { calls: () => calls, getToken: () => next(++calls) }
}

layer(NodeHttpClient.layerUndici)("makeTokenSigner", (it) => {
  it.effect("gets one token for all requests, and the next before it expires", () =>
    Effect.gen(function* () {
      const start = yield* Clock.currentTimeMillis
      const { calls, getToken } = count((n) =>
        Promise.resolve({ token: Redacted.make(`token-${n}`), expiresAt: start + n * 3_600_000 })
      )
      const server = yield* startProvider(new Set(["token-1", "token-2"]))
      const signer = makeTokenSigner(getToken)
      const send = postJson({ url: server.url, apiKey: undefined, body: 1, signer })
      yield* Effect.all([send, send, send], { concurrency: 3 })
      assert.strictEqual(calls(), 1)
      yield* TestClock.adjust(3_600_000)
      yield* send
      assert.strictEqual(calls(), 2)
      assert.strictEqual(server.requests.at(-1)?.headers["authorization"], "Bearer token-2")
    })
  )

  it.effect("asks a provider that only has an expired token once in five seconds", () =>
    Effect.gen(function* () {
      const start = yield* Clock.currentTimeMillis
      const { calls, getToken } = count(() =>
        Promise.resolve({ token: "old-token", expiresAt: start - 1 })
      )
      const server = yield* startProvider(new Set())
      const signer = makeTokenSigner(getToken)
      const send = Effect.flip(postJson({ url: server.url, apiKey: undefined, body: 1, signer }))
      for (let storm = 0; storm < 5; storm++) {
        const failures = yield* Effect.all([send, send, send], { concurrency: 3 })
        for (const failure of failures) {
          expect(failure).toMatchObject({ kind: "credential_refused", status: 401 })
          assert.isUndefined(failure.isCredentialRenewed, "the next one would be refused too")
        }
      }
      assert.strictEqual(calls(), 1)
      yield* TestClock.adjust(5_000)
      yield* Effect.all([send, send, send], { concurrency: 3 })
      assert.strictEqual(calls(), 2)
      assert.strictEqual(server.requests.length, 18)
    })
  )

  it.effect("reads the expiry of a JWT", () =>
    Effect.gen(function* () {
      const now = (yield* Clock.currentTimeMillis) / 1_000
      const tokens = [toJwt({ exp: now + 7_200 }), toJwt({ exp: now + 14_400 })]
      const { calls, getToken } = count((n) => tokens[n - 1]!)
      const server = yield* startProvider(new Set(tokens))
      const signer = makeTokenSigner(getToken)
      const send = postJson({ url: server.url, apiKey: undefined, body: 1, signer })
      yield* send
      yield* TestClock.adjust(6_000_000)
      yield* send
      assert.strictEqual(calls(), 1)
      yield* TestClock.adjust(1_200_000)
      yield* send
      assert.strictEqual(calls(), 2)
    })
  )

  it.effect("says that a refused token was renewed, but not for one it has just got", () =>
    Effect.gen(function* () {
      const { calls, getToken } = count((n) => ({ token: `token-${n}`, expiresAt: 1e15 }))
      const server = yield* startProvider(new Set(["token-2"]))
      const signer = makeTokenSigner(getToken)
      const send = postJson({ url: server.url, apiKey: undefined, body: 1, signer })
      const early = yield* Effect.flip(send)
      expect(early).toMatchObject({ kind: "credential_refused", status: 401 })
      assert.isUndefined(early.isCredentialRenewed)
      yield* TestClock.adjust(30_000)
      assert.isTrue((yield* Effect.flip(send)).isCredentialRenewed)
      yield* send
      assert.strictEqual(calls(), 2)
      assert.strictEqual(server.requests.length, 3, "nothing is sent twice")
    })
  )

  it.effect("asks a provider that fails once a second, however many requests need a token", () =>
    Effect.gen(function* () {
      let lines = 0
      const logger = Logger.make(() => void (lines += 1))
      const { calls, getToken } = count(() => Promise.reject(new Error("down")))
      const server = yield* startProvider(new Set())
      const signer = makeTokenSigner(getToken)
      const send = Effect.flip(postJson({ url: server.url, apiKey: undefined, body: 1, signer }))
      const sendMany = Effect.forEach(Array(50), () => send, { concurrency: 5 }).pipe(
        Effect.provide(Logger.layer([logger]))
      )
      for (const failure of yield* sendMany) {
        expect(failure).toMatchObject({ kind: "credential_refused", phase: "connect" })
      }
      assert.deepStrictEqual([calls(), lines], [1, 1])
      yield* TestClock.adjust(1_000)
      yield* sendMany
      assert.deepStrictEqual([calls(), lines], [2, 2])
    })
  )

  it.effect.each([
    ["throws", () => assert.fail("no sk-very-secret")],
    ["rejects", () => Promise.reject(new Error("no sk-very-secret"))],
    ["returns nothing", () => ""]
  ] satisfies ReadonlyArray<readonly [string, TokenProvider]>)(
    "refuses when the provider %s, and logs why without secrets",
    ([, getToken]) =>
      Effect.gen(function* () {
        const logs: Array<unknown> = []
        const logger = Logger.make(({ cause, message }) => void logs.push([message, cause]))
        const server = yield* startProvider(new Set())
        const signer = makeTokenSigner(getToken)
        const failure = yield* Effect.flip(
          postJson({ url: server.url, apiKey: undefined, body: 1, signer })
        ).pipe(Effect.provide(Logger.layer([logger])))
        expect(failure).toMatchObject({ kind: "credential_refused", phase: "connect" })
        assert.strictEqual(server.requests.length, 0)
        const text = inspect([logs, failure], { depth: 30 })
        assert.include(text, "no access token could be obtained")
        assert.notInclude(text, "very-secret")
      })
  )
})
