import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import * as Settings from "../../../src/instance/Settings.ts"
import type { AuthenticationRequest } from "../../../src/tenants/auth/AuthenticationRequest.ts"
import { isCrossOrigin, makeOriginCheck } from "../../../src/tenants/auth/crossOrigin.ts"

type Headers = AuthenticationRequest["headers"]

const host = "app.example:8443"

/** The table of Go's tests: https://go.dev/src/net/http/csrf_test.go. */
test.each<[boolean, Headers]>([
  [false, {}],
  [false, { "sec-fetch-site": "same-origin" }],
  [false, { "sec-fetch-site": "same-origin", origin: "https://evil.example" }],
  [false, { "sec-fetch-site": "none" }],
  [true, { "sec-fetch-site": "same-site" }],
  [true, { "sec-fetch-site": "cross-site" }],
  [true, { "sec-fetch-site": "" }],
  [true, { "sec-fetch-site": "cross-site", origin: "https://app.example:8443" }],
  [false, { origin: "https://app.example:8443" }],
  [false, { origin: "https://APP.example:8443" }],
  [true, { origin: "https://app.example" }],
  [true, { origin: "https://evil.example" }],
  [true, { origin: "https://app.example:8443.evil.example" }],
  [true, { origin: "https://evil.example/app.example:8443" }],
  [true, { origin: "null" }],
  [true, { origin: "" }],
  [true, { origin: "file://", "x-forwarded-host": "" }],
  [false, { origin: "https://public.example", "x-forwarded-host": "public.example" }],
  [false, { origin: "https://public.example", "x-forwarded-host": "public.example, inner" }],
  [true, { origin: "https://evil.example", "x-forwarded-host": "public.example" }]
])("a request is of another origin: %s, for %j", (expected, headers) => {
  expect(isCrossOrigin({ host, ...headers })).toBe(expected)
})

test("a request without Host has that of HTTP/2 or of its URL", () => {
  const headers = { origin: "https://app.example" }
  const arrival = { originalUrl: "https://app.example/ai" }
  expect(isCrossOrigin(headers)).toBe(true)
  expect(isCrossOrigin({ ...headers, ":authority": "app.example" })).toBe(false)
  expect(isCrossOrigin(headers, arrival)).toBe(false)
  expect(isCrossOrigin({ ...headers, host: "evil.example" }, arrival)).toBe(true)
})

const makeCheck = (settings: Partial<Settings.SettingsShape> = {}) =>
  Effect.runSync(Effect.provide(makeOriginCheck, Settings.layer(settings)))

const makeRequest = (
  headers: Headers,
  changes: Partial<AuthenticationRequest> = {}
): AuthenticationRequest => ({
  method: "POST",
  path: "/api/v1/chat/completions",
  headers: { host, ...headers },
  token: undefined,
  source: {},
  ...changes
})

describe("makeOriginCheck", () => {
  const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" }
  const isForged = makeCheck()

  it.each(["a=b", ""])("refuses a request of another origin with the cookie %j", (cookie) => {
    expect(isForged(makeRequest({ ...foreign, cookie }))).toBe(true)
  })

  it.each([
    ["Basic YTpi", true],
    ["basic YTpi", true],
    ["Digest username=a", true],
    ["Negotiate YII", true],
    ["NTLM", true],
    ["Basically", false],
    ["Token abc", false]
  ])("knows whether browsers send %j by themselves: %s", (authorization, expected) => {
    expect(isForged(makeRequest({ ...foreign, authorization }))).toBe(expected)
  })

  it("passes requests with a token, which no page of another origin can add", () => {
    expect(isForged(makeRequest({ ...foreign, cookie: "a=b" }, { token: "sk-1" }))).toBe(false)
  })

  it("refuses a user known by a header of a proxy or by a certificate, without a cookie", () => {
    expect(isForged(makeRequest({ ...foreign, "x-forwarded-user": "ada" }))).toBe(true)
    expect(isForged(makeRequest(foreign))).toBe(true)
  })

  it.each(["GET", "HEAD", "OPTIONS"])("passes %s, which changes nothing", (method) => {
    expect(isForged(makeRequest({ ...foreign, cookie: "a=b" }, { method }))).toBe(false)
  })

  it.each(["POST", "PUT", "PATCH", "DELETE", "QUERY"])("checks %s", (method) => {
    expect(isForged(makeRequest({ ...foreign, cookie: "a=b" }, { method }))).toBe(true)
  })

  it("trusts listed origins and that of publicUrl, in any spelling, and no other", () => {
    const trusting = makeCheck({
      trustedOrigins: ["HTTPS://Evil.example:443", "http://[::1]:3000"],
      publicUrl: "https://ai.example/below/"
    })
    const asks = (origin: string) => trusting(makeRequest({ ...foreign, cookie: "a=b", origin }))
    expect(["https://evil.example", "http://[::1]:3000", "https://ai.example"].map(asks)).toEqual([
      false,
      false,
      false
    ])
    expect(["http://evil.example", "https://x.evil.example", "null", "*"].map(asks)).toEqual([
      true,
      true,
      true,
      true
    ])
  })

  it("is switched off by `*`", () => {
    const open = makeCheck({ trustedOrigins: ["*"] })
    expect(open(makeRequest({ ...foreign, cookie: "a=b" }))).toBe(false)
  })

  it("passes no origin of another host, whatever it is", () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (url) => {
        const { host: other, origin } = new URL(url)
        fc.pre(other !== host)
        expect(isForged(makeRequest({ cookie: "a=b", origin }))).toBe(true)
      })
    )
  })
})

test.each([
  "app.example",
  "https://app.example/path",
  "https://app.example/",
  "ftp://app.example",
  "https://user@app.example",
  "https://a b",
  "https://:443",
  "null",
  "**"
])("%j is no trusted origin", (origin) => {
  expect(() => Settings.make({ trustedOrigins: [origin] })).toThrow(
    "settings.trustedOrigins.0 must be an origin such as https://app.example.com"
  )
})
