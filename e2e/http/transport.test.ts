import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { parseErrorEnvelope } from "../support/HttpResponse.ts"
import { exchangeBytes } from "../support/exchangeBytes.ts"
import { hosts } from "../support/hosts.ts"
import { send } from "../support/send.ts"
import { keys, makeDecisionRequest, TestServer } from "../support/TestServer.ts"

const validBody = JSON.stringify(makeDecisionRequest())

/** A raw request on its own connection. */
const makeRawRequest = (headers: ReadonlyArray<string>, body: string): string =>
  [
    "POST /api/alpha/decisions HTTP/1.1",
    "Host: 127.0.0.1",
    `Authorization: Bearer ${keys.member}`,
    "Content-Type: application/json",
    "Connection: close",
    ...headers,
    "",
    body
  ].join("\r\n")

const encodeChunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`

/** Requests that break off or violate HTTP; the host's parser rejects most of them. */
const brokenRequests: ReadonlyArray<readonly [string, string, { readonly ends: boolean }]> = [
  ...[0, 1, 60, validBody.length - 1].map(
    (sent) =>
      [
        `${sent} bytes of ${validBody.length}, then an end`,
        makeRawRequest([`Content-Length: ${validBody.length}`], validBody.slice(0, sent)),
        { ends: true }
      ] as const
  ),
  [
    "a body shorter than its content length",
    makeRawRequest([`Content-Length: ${validBody.length + 5}`], validBody),
    { ends: true }
  ],
  [
    "chunks without the last one",
    makeRawRequest(["Transfer-Encoding: chunked"], encodeChunk(validBody)),
    { ends: true }
  ],
  [
    "a truncated chunk",
    makeRawRequest(["Transfer-Encoding: chunked"], encodeChunk(validBody).slice(0, 40)),
    { ends: true }
  ],
  [
    "a chunk without a size",
    makeRawRequest(["Transfer-Encoding: chunked"], `yes\r\n${validBody}\r\n0\r\n\r\n`),
    { ends: false }
  ],
  [
    "two content lengths",
    makeRawRequest(["Content-Length: 5", "Content-Length: 6"], "{}"),
    { ends: false }
  ],
  ["a length below 0", makeRawRequest(["Content-Length: -1"], "{}"), { ends: false }],
  [
    "a content length and chunks",
    makeRawRequest(["Content-Length: 5", "Transfer-Encoding: chunked"], encodeChunk(validBody)),
    { ends: false }
  ],
  [
    "a header of 20 kB",
    makeRawRequest([`X-Session-Id: ${"s".repeat(20_000)}`, "Content-Length: 2"], "{}"),
    { ends: false }
  ],
  ["a header without a name", makeRawRequest([": x", "Content-Length: 2"], "{}"), { ends: false }],
  ["no request at all", "hello\r\n\r\n", { ends: false }]
]

const unauthorizedHeaders: ReadonlyArray<string> = [
  "",
  "Bearer",
  "Bearer ",
  `bearer${keys.member}`,
  `Basic ${keys.member}`,
  `Bearer ${keys.member} ${keys.member}`,
  `Bearer ${keys.member.toUpperCase()}`,
  `Bearer ${keys.member.slice(0, -1)}`,
  `Bearer ${"k".repeat(8_000)}`,
  "Bearer \u00ff\u00fe",
  keys.member
]

describe.each(hosts)("$name", (host) => {
  let server: TestServer
  beforeAll(async () => {
    server = await TestServer.start({ host })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const isServing = async () => (await server.ask()).status === 200

  test.each(brokenRequests)("answers %s with a 4xx and keeps serving", async (_, bytes, how) => {
    const calls = server.calls.first
    const text = await exchangeBytes(server.root, bytes, how)
    expect(text).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(server.calls.first).toBe(calls)
    expect(await isServing()).toBe(true)
    expect(server.logs).toEqual([])
  })

  test.each(unauthorizedHeaders)("rejects the authorization %j", async (authorization) => {
    const answer = await server.ask(makeDecisionRequest(), { key: "", headers: { authorization } })
    expect([answer.status, parseErrorEnvelope(answer).message]).toEqual([
      401,
      "Missing Authentication header"
    ])
    expect(await isServing()).toBe(true)
  })

  test("rejects a request without authorization before it reads the body", async () => {
    const answer = await server.ask("{", { key: "" })
    expect(answer.status).toBe(401)
    expect(await isServing()).toBe(true)
  })

  test.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])(
    "answers %s of a decision with a 404",
    async (method) => {
      const answer = await send(`${server.root}/api/alpha/decisions`, {
        method,
        headers: { authorization: `Bearer ${keys.member}` }
      })
      expect(answer.status).toBe(404)
      expect(await isServing()).toBe(true)
    }
  )

  test.each([
    "/api/alpha/decision",
    "/api/v1/decisions",
    "/api/v1/api/alpha",
    "/api/alpha/decisions/",
    "/api//alpha/decisions",
    "/api/alpha/Decisions",
    "/api/alpha/decisions;x=1"
  ])("answers a decision at %s with a 404", async (path) => {
    const answer = await send(`${server.root}${path}`, {
      body: validBody,
      headers: { authorization: `Bearer ${keys.member}`, "content-type": "application/json" }
    })
    expect(answer.status).toBe(404)
    expect(await isServing()).toBe(true)
  })

  test("uses the last of two equal JSON keys", async () => {
    const answer = await server.ask(validBody.replace("{", '{"model":1,"state":null,'))
    expect(answer.status).toBe(200)
  })

  test("accepts unknown keys, a byte order mark and content type parameters", async () => {
    const answer = await server.ask(
      `\ufeff${JSON.stringify(makeDecisionRequest({ stream: true, images: [] }))}`,
      {
        headers: { "content-type": 'Application/JSON ; charset="utf-8"; x=y' }
      }
    )
    expect(answer.status).toBe(200)
  })
})
