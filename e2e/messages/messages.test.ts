/** Messages of Anthropic's API over HTTP, at providers of every API, on every host. */
import { reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { pickHosts } from "../support/pickHosts.ts"
import { send } from "../support/send.ts"
import { hello, memberKey, MessagesServer, providers } from "./MessagesServer.ts"

const answer = reply.chat(["Let me ", "look."], {
  reasoning: "A tower, I think.",
  toolCalls: [{ id: "toolu_1", name: "look_up", arguments: '{"word":"lighthouse"}' }],
  usage: { inputTokens: 20, outputTokens: 9 }
})

const tools = [
  { name: "look_up", input_schema: { type: "object", properties: { word: { type: "string" } } } }
]

const ids = (body: unknown) => (body as { data: Array<{ id: string }> }).data.map(({ id }) => id)

describe.each(pickHosts(import.meta.url))("on $name", (host) => {
  test.each(providers)("a message of %s is answered, whole and streamed", async (provider) => {
    await using server = await MessagesServer.start({ host, mount: "/deep/ai" })
    server.upstreams[provider].always(answer)
    const request = { ...hello, model: `proof/${provider}`, tools }
    const whole = await server.post(request, { path: "/messages?beta=true" })
    expect(whole.status).toBe(200)
    expect(whole.body).toMatchObject({
      type: "message",
      role: "assistant",
      model: `proof/${provider}`,
      provider,
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: { input_tokens: 20, output_tokens: 9, cost: 0.000_325, is_byok: false }
    })
    expect(whole.headers["request-id"]).toBe(whole.headers["x-generation-id"])
    const { events, headers, status } = await server.stream(request)
    expect([status, headers["content-type"]]).toEqual([200, "text/event-stream"])
    expect(events.at(-2)).toMatchObject({
      type: "message_delta",
      delta: { stop_reason: "tool_use", stop_sequence: null },
      usage: { input_tokens: 20, output_tokens: 9, cost: 0.000_325 }
    })
    expect(await server.findRecord(headers["x-generation-id"])).toMatchObject({
      api: "messages",
      streamed: true
    })
  })

  test("tokens are counted without a provider, with tools and the system prompt", async () => {
    await using server = await MessagesServer.start({ host, mount: "/deep/ai" })
    const count = async (body: object) => {
      const { body: counted, status } = await server.post(body, { path: "/messages/count_tokens" })
      expect(status).toBe(200)
      return (counted as { input_tokens: number }).input_tokens
    }
    const { max_tokens: _, ...bare } = hello
    const few = await count(bare)
    expect(few).toBeGreaterThan(0)
    expect(await count({ ...bare, tools })).toBeGreaterThan(few)
    expect(await count({ ...bare, system: "Be terse, and be kind." })).toBeGreaterThan(few)
    const refused = await server.post(bare, {
      path: "/messages/count_tokens",
      headers: { "x-api-key": "sk-unknown" }
    })
    expect(refused.status).toBe(401)
    const unknown = await server.post(
      { ...bare, model: "nobody/knows" },
      { path: "/messages/count_tokens" }
    )
    expect(unknown).toMatchObject({
      status: 404,
      body: { type: "error", error: { type: "not_found_error" } }
    })
    expect(server.upstreams.messages.requests).toEqual([])
  })

  test("models are listed in the form of the API, and found by encoded ids", async () => {
    await using server = await MessagesServer.start({ host, mount: "/deep/ai" })
    const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
      send(`${server.root}/api/v1${path}`, {
        method,
        headers: { "x-api-key": memberKey, "anthropic-version": "2023-06-01", ...headers }
      })
    const first = await get("/models?limit=2&beta=true")
    expect(first.body).toMatchObject({
      data: [
        { type: "model", lifecycle: "active", max_input_tokens: 1_000_000, capabilities: null },
        { type: "model" }
      ],
      has_more: true,
      first_id: ids(first.body)[0],
      last_id: ids(first.body)[1]
    })
    const all = ids((await get("/models")).body)
    expect(all).toHaveLength(5)
    const rest = await get(`/models?limit=3&after_id=${encodeURIComponent(all[1]!)}`)
    expect([ids(rest.body), rest.body]).toMatchObject([all.slice(2), { has_more: false }])
    const before = await get(`/models?limit=2&before_id=${encodeURIComponent(all[3]!)}`)
    expect([ids(before.body), before.body]).toMatchObject([all.slice(1, 3), { has_more: true }])
    const one = await get("/models/proof%2Fall")
    expect([one.status, one.body]).toMatchObject([200, { type: "model", id: "proof/all" }])
    const head = await get("/models", {}, "HEAD")
    expect([head.status, head.text]).toEqual([200, ""])
    const missing = await get("/models/proof%2Fnone")
    expect([missing.status, missing.body]).toMatchObject([
      404,
      { type: "error", error: { type: "not_found_error" }, request_id: null }
    ])
    const refused = await get("/models", { "x-api-key": "sk-unknown" })
    expect([refused.status, refused.body]).toMatchObject([
      401,
      { type: "error", error: { type: "authentication_error" } }
    ])
    expect((await get("/models?limit=0")).body).toMatchObject({
      error: { type: "invalid_request_error" }
    })
  })
})
