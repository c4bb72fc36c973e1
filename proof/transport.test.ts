import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { errorIn } from "./Answer.ts"
import { exchange } from "./exchange.ts"
import { hosts } from "./hosts.ts"
import { send } from "./send.ts"
import { keys, request, Stage } from "./Stage.ts"

const good = JSON.stringify(request())

/** A request by hand, on a connection of its own. */
const byHand = (headers: ReadonlyArray<string>, body: string): string =>
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

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`

/** What breaks off or breaks the rules of HTTP; most of it ends in the host's own parser. */
const broken: ReadonlyArray<readonly [string, string, { readonly ends: boolean }]> = [
  ...[0, 1, 60, good.length - 1].map(
    (sent) =>
      [
        `${sent} bytes of ${good.length}, then an end`,
        byHand([`Content-Length: ${good.length}`], good.slice(0, sent)),
        { ends: true }
      ] as const
  ),
  [
    "a good body of which more was promised",
    byHand([`Content-Length: ${good.length + 5}`], good),
    { ends: true }
  ],
  [
    "chunks without the last one",
    byHand(["Transfer-Encoding: chunked"], chunk(good)),
    { ends: true }
  ],
  [
    "half a chunk",
    byHand(["Transfer-Encoding: chunked"], chunk(good).slice(0, 40)),
    { ends: true }
  ],
  [
    "a chunk without a size",
    byHand(["Transfer-Encoding: chunked"], `yes\r\n${good}\r\n0\r\n\r\n`),
    { ends: false }
  ],
  ["two lengths", byHand(["Content-Length: 5", "Content-Length: 6"], "{}"), { ends: false }],
  ["a length below 0", byHand(["Content-Length: -1"], "{}"), { ends: false }],
  [
    "a length and chunks",
    byHand(["Content-Length: 5", "Transfer-Encoding: chunked"], chunk(good)),
    { ends: false }
  ],
  [
    "a header of 20 kB",
    byHand([`X-Session-Id: ${"s".repeat(20_000)}`, "Content-Length: 2"], "{}"),
    { ends: false }
  ],
  ["a header without a name", byHand([": x", "Content-Length: 2"], "{}"), { ends: false }],
  ["no request at all", "hello\r\n\r\n", { ends: false }]
]

const unauthorized: ReadonlyArray<string> = [
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
  let stage: Stage
  beforeAll(async () => {
    stage = await Stage.open({ host })
  })
  afterAll(() => stage[Symbol.asyncDispose]())

  const serves = async () => (await stage.ask()).status === 200

  test.each(broken)("ends %s with a 4xx, and serves on", async (_, bytes, how) => {
    const calls = stage.calls.first
    const text = await exchange(stage.root, bytes, how)
    expect(text).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(stage.calls.first).toBe(calls)
    expect(await serves()).toBe(true)
    expect(stage.logs).toEqual([])
  })

  test.each(unauthorized)("turns away the authorization %j", async (authorization) => {
    const answer = await stage.ask(request(), { key: "", headers: { authorization } })
    expect([answer.status, errorIn(answer).message]).toEqual([401, "Missing Authentication header"])
    expect(await serves()).toBe(true)
  })

  test("turns away a request without authorization, before its body is looked at", async () => {
    const answer = await stage.ask("{", { key: "" })
    expect(answer.status).toBe(401)
    expect(await serves()).toBe(true)
  })

  test.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])(
    "knows no %s of a decision",
    async (method) => {
      const answer = await send(`${stage.root}/api/alpha/decisions`, {
        method,
        headers: { authorization: `Bearer ${keys.member}` }
      })
      expect(answer.status).toBe(404)
      expect(await serves()).toBe(true)
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
  ])("knows no decision at %s", async (path) => {
    const answer = await send(`${stage.root}${path}`, {
      body: good,
      headers: { authorization: `Bearer ${keys.member}`, "content-type": "application/json" }
    })
    expect(answer.status).toBe(404)
    expect(await serves()).toBe(true)
  })

  test("takes the last of two equal keys", async () => {
    const answer = await stage.ask(good.replace("{", '{"model":1,"state":null,'))
    expect(answer.status).toBe(200)
  })

  test("takes keys nobody knows, a byte order mark and parameters of the content type", async () => {
    const answer = await stage.ask(
      `\ufeff${JSON.stringify(request({ stream: true, images: [] }))}`,
      {
        headers: { "content-type": 'Application/JSON ; charset="utf-8"; x=y' }
      }
    )
    expect(answer.status).toBe(200)
  })
})
