/** Every error below `/messages` has the envelope of Anthropic's API, whose clients read no other. */
import { pace, reply } from "@signalbox/testing"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { HttpResponse } from "../support/HttpResponse.ts"
import { pickHosts } from "../support/hosts.ts"
import { send } from "../support/send.ts"
import { hello, managementKey, memberKey, MessagesServer } from "./MessagesServer.ts"

const typesByStatus: ReadonlyMap<number, string> = new Map([
  [400, "invalid_request_error"],
  [401, "authentication_error"],
  [402, "billing_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [413, "request_too_large"],
  [415, "invalid_request_error"],
  [429, "rate_limit_error"],
  [500, "api_error"],
  [503, "overloaded_error"]
])

const expectEnvelope = (response: HttpResponse, status: number = response.status) => {
  const { body, headers } = response
  expect(response.status).toBe(status)
  expect(headers["content-type"]).toBe("application/json")
  const { "x-generation-id": id, "x-request-id": requestId } = headers
  expect(body).toMatchObject({
    type: "error",
    error: { type: typesByStatus.get(status), message: expect.stringMatching(/./) },
    request_id: id ?? null
  })
  expect(headers["request-id"]).toBe(id ?? requestId)
}

describe.each(pickHosts(import.meta.url))("on $name", (host) => {
  let server: MessagesServer
  beforeAll(async () => {
    server = await MessagesServer.start({
      host,
      mount: "/ai",
      settings: { maxChatBodyBytes: 100_000, maxBodyBytes: 50_000, maxImageBodyBytes: 50_000 }
    })
    for (const upstream of Object.values(server.upstreams)) upstream.always(reply.chat("Yes."))
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const post = (...input: Parameters<MessagesServer["post"]>) => server.post(...input)
  const key = (value: string) => ({ headers: { "x-api-key": value } })

  test("of credentials", async () => {
    const bare = { method: "POST", body: "{}", headers: { "content-type": "application/json" } }
    expectEnvelope(await send(`${server.root}/api/v1/messages`, bare), 401)
    expectEnvelope(await post(hello, key("sk-unknown")), 401)
    expectEnvelope(await post(hello, key(managementKey)), 403)
    // Anthropic takes `x-api-key` when both come.
    const both = { "x-api-key": "sk-unknown", authorization: `Bearer ${memberKey}` }
    expectEnvelope(await post(hello, { headers: both }), 401)
    const other = { "x-api-key": memberKey, authorization: "Bearer sk-unknown" }
    expect((await post(hello, { headers: other })).status).toBe(200)
    const bearer = { "x-api-key": "", authorization: `Bearer ${memberKey}` }
    expect((await post(hello, { headers: bearer })).status).toBe(200)
  })

  test("of other APIs, whose clients have no such header, is another", async () => {
    const response = await send(`${server.root}/api/v1/chat/completions`, {
      body: JSON.stringify(hello),
      headers: { "content-type": "application/json", "x-api-key": memberKey }
    })
    expect([response.status, response.body]).toMatchObject([401, { error: { code: 401 } }])
  })

  test.each([
    ["an unknown path", "/messages/batches", "POST", 404],
    ["an unknown method", "/messages", "GET", 404],
    ["a path with a slash at its end", "/messages/", "POST", 404],
    ["bad encoding", "/messages/%zz", "POST", 400]
  ] as const)("of %s", async (_, path, method, status) => {
    expectEnvelope(
      await send(`${server.root}/api/v1${path}`, { method, headers: { "x-api-key": memberKey } }),
      status
    )
  })

  test.each(["/messages", "/messages/count_tokens"])("of bodies for %s", async (path) => {
    const sendBody = (body: string, headers = {}) => post(body, { path, headers })
    expectEnvelope(await sendBody("{"), 400)
    expectEnvelope(await sendBody(""), 400)
    expectEnvelope(await sendBody("[]"), 400)
    expectEnvelope(await sendBody("{}", { "content-type": "text/plain" }), 400)
    expectEnvelope(
      await sendBody("a=1", { "content-type": "application/x-www-form-urlencoded" }),
      400
    )
    expectEnvelope(await sendBody("{}", { "content-encoding": "lzma" }), 415)
    expectEnvelope(await sendBody(JSON.stringify({ ...hello, pad: "x".repeat(100_000) })), 413)
  })

  test("of models and of what only this API can say", async () => {
    expectEnvelope(await post({ ...hello, model: "proof/none" }), 404)
    const search = [{ type: "web_search_20250305", name: "web_search" }]
    const refused = await post({ ...hello, model: "proof/chat", tools: search })
    expectEnvelope(refused, 400)
    expect(refused.body).toMatchObject({
      error: { message: expect.stringContaining("tools.0") }
    })
    expectEnvelope(await post({ ...hello, model: "proof/chat", max_tokens: 0 }), 400)
    expect((await post({ ...hello, tools: search })).status).toBe(200)
    expect((await post({ ...hello, max_tokens: 0 })).status).toBe(200)
    expect(server.upstreams.messages.requests.at(-1)?.body).toMatchObject({ max_tokens: 0 })
  })

  test.each([
    [{ messages: [] }, "messages"],
    [{ messages: [{ role: "tool", content: "?" }] }, "messages.0.role"],
    [{ max_tokens: -1 }, "max_tokens"],
    [{ temperature: "hot" }, "temperature"],
    [{ fallbacks: [{ model: "a/b" }], models: ["c/d"] }, "fallbacks"],
    [{ fallbacks: [{ model: 1 }] }, "fallbacks.0.model"],
    [{ fallbacks: Array.from({ length: 4 }, () => ({ model: "a/b" })) }, "fallbacks"],
    [{ thinking: { type: "enabled", budget_tokens: "all" } }, "thinking.budget_tokens"],
    [{ provider: { order: "first" } }, "provider.order"],
    [{ session_id: "x".repeat(257) }, "session_id"],
    [{ stream: "yes" }, "stream"]
  ])("of %j names the field", async (change, path) => {
    const response = await post({ ...hello, ...change })
    expectEnvelope(response, 400)
    expect(response.body).toMatchObject({ error: { message: expect.stringMatching(path) } })
  })

  test("of 300 malformed requests", async () => {
    const valid: Record<string, unknown> = {
      ...hello,
      system: [{ type: "text", text: "Be terse." }],
      tools: [{ name: "look_up", input_schema: { type: "object" } }],
      tool_choice: { type: "auto" },
      thinking: { type: "adaptive" },
      output_config: { effort: "high" },
      stop_sequences: ["."],
      stream: false,
      provider: {},
      fallbacks: [],
      metadata: { user_id: "ann" }
    }
    const mutated = fc
      .tuple(fc.constantFrom(...Object.keys(valid)), fc.jsonValue({ maxDepth: 3 }))
      .map(([name, value]) => JSON.stringify({ ...valid, [name]: value }))
    const body = fc.oneof(mutated, fc.json(), fc.string())
    const path = fc.constantFrom("/messages", "/messages/count_tokens")
    let refused = 0
    await fc.assert(
      fc.asyncProperty(body, path, async (body, path) => {
        const response = await post(body, { path })
        // A change may be valid by chance.
        if (response.status === 200) return
        refused++
        expectEnvelope(response)
      }),
      { numRuns: 300 }
    )
    expect(refused).toBeGreaterThan(100)
  })

  test("of a closing instance", async () => {
    const closing = await MessagesServer.start({ host, mount: "/ai" })
    const gate = closing.upstreams.messages.gate()
    closing.upstreams.messages.script(pace.hold(gate, "request_body", reply.chat("Late.")))
    const running = closing.post(hello)
    await closing.upstreams.messages.waitForRequests(1)
    const closed = closing.instance.close()
    expectEnvelope(await closing.post(hello), 503)
    gate.open()
    expect((await running).status).toBe(200)
    await closed
    await closing[Symbol.asyncDispose]()
  })

  test("of an account without credits", async () => {
    await using poor = await MessagesServer.start({ host, credits: { default: "0" } })
    expectEnvelope(await poor.post(hello), 402)
  })

  test("of too many requests", async () => {
    await using busy = await MessagesServer.start({
      host,
      settings: { rateLimit: { requests: 1, windowMillis: 3_600_000 } }
    })
    busy.upstreams.messages.always(reply.chat("Yes."))
    expect((await busy.post(hello)).status).toBe(200)
    const limited = await busy.post(hello)
    expectEnvelope(limited, 429)
    expect(Number(limited.headers["retry-after"])).toBeLessThanOrEqual(60)
  })
})
