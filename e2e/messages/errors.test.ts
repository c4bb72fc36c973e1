/** Every error below `/messages` has the envelope of Anthropic's API, whose clients read no other. */
import { pace, reply } from "@signalbox/testing"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { HttpResponse } from "../support/HttpResponse.ts"
import { pickHosts } from "../support/pickHosts.ts"
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

/** What clients read of an error. */
const readEnvelope = ({ body, headers, status }: HttpResponse) => {
  const { "x-generation-id": id, "x-request-id": requestId } = headers
  const { error, request_id, type } = Object(body)
  return {
    status,
    contentType: headers["content-type"],
    type,
    errorType: error?.type,
    hasMessage: typeof error?.message === "string" && error.message !== "",
    hasId: request_id === (id ?? null) && headers["request-id"] === (id ?? requestId)
  }
}

const toEnvelope = (status: number) => ({
  status,
  contentType: "application/json",
  type: "error",
  errorType: typesByStatus.get(status) ?? "unknown",
  hasMessage: true,
  hasId: true
})

const toKey = (value: string) => ({ headers: { "x-api-key": value } })

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

  test("of credentials", async () => {
    const bare = { method: "POST", body: "{}", headers: { "content-type": "application/json" } }
    expect(readEnvelope(await send(`${server.root}/api/v1/messages`, bare))).toEqual(
      toEnvelope(401)
    )
    expect(readEnvelope(await post(hello, toKey("sk-unknown")))).toEqual(toEnvelope(401))
    expect(readEnvelope(await post(hello, toKey(managementKey)))).toEqual(toEnvelope(403))
    // Anthropic takes `x-api-key` when both come.
    const both = { "x-api-key": "sk-unknown", authorization: `Bearer ${memberKey}` }
    expect(readEnvelope(await post(hello, { headers: both }))).toEqual(toEnvelope(401))
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
    expect(
      readEnvelope(
        await send(`${server.root}/api/v1${path}`, { method, headers: { "x-api-key": memberKey } })
      )
    ).toEqual(toEnvelope(status))
  })

  test("of a tool_result without its tool_use", async () => {
    const result = { type: "tool_result", tool_use_id: "toolu_1", content: "4" }
    const messages = [...hello.messages, { role: "user", content: [result] }]
    const answer = await post({ ...hello, messages })
    expect(readEnvelope(answer)).toEqual(toEnvelope(400))
    expect(answer.text).toContain("messages.1.content.0")
  })

  const json = "application/json"
  test.each(
    ["/messages", "/messages/count_tokens"].flatMap((path) =>
      (
        [
          ["{", { "content-type": json }, 400],
          ["", { "content-type": json }, 400],
          ["[]", { "content-type": json }, 400],
          ["{}", { "content-type": "text/plain" }, 400],
          ["a=1", { "content-type": "application/x-www-form-urlencoded" }, 400],
          ["{}", { "content-encoding": "lzma" }, 415],
          [JSON.stringify({ ...hello, pad: "x".repeat(100_000) }), { "content-type": json }, 413]
        ] as const
      ).map(([body, headers, status]) => ({ path, body, headers, status }))
    )
  )("of a body at $path, $status", async ({ body, headers, path, status }) => {
    expect(readEnvelope(await post(body, { path, headers }))).toEqual(toEnvelope(status))
  })

  test("of models and of what only this API can say", async () => {
    expect(readEnvelope(await post({ ...hello, model: "proof/none" }))).toEqual(toEnvelope(404))
    const search = [{ type: "web_search_20250305", name: "web_search" }]
    const refused = await post({ ...hello, model: "proof/chat", tools: search })
    expect(readEnvelope(refused)).toEqual(toEnvelope(400))
    expect(refused.body).toMatchObject({
      error: { message: expect.stringContaining("tools.0") }
    })
    expect(readEnvelope(await post({ ...hello, model: "proof/chat", max_tokens: 0 }))).toEqual(
      toEnvelope(400)
    )
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
    expect(readEnvelope(response)).toEqual(toEnvelope(400))
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
        expect(readEnvelope(response)).toEqual(toEnvelope(response.status))
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
    expect(readEnvelope(await closing.post(hello))).toEqual(toEnvelope(503))
    gate.open()
    expect((await running).status).toBe(200)
    await closed
    await closing[Symbol.asyncDispose]()
  })

  test("of an account without credits", async () => {
    await using poor = await MessagesServer.start({ host, credits: { default: "0" } })
    expect(readEnvelope(await poor.post(hello))).toEqual(toEnvelope(402))
  })

  test("of too many requests", async () => {
    await using busy = await MessagesServer.start({
      host,
      settings: { rateLimit: { requests: 1, windowMillis: 3_600_000 } }
    })
    busy.upstreams.messages.always(reply.chat("Yes."))
    expect((await busy.post(hello)).status).toBe(200)
    const limited = await busy.post(hello)
    expect(readEnvelope(limited)).toEqual(toEnvelope(429))
    expect(Number(limited.headers["retry-after"])).toBeLessThanOrEqual(60)
  })
})
