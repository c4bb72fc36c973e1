/** Requests to a provider that speaks the same API reach it as they were written, and so do its answers. */
import { fault, reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { hello, memberKey, MessagesServer } from "./MessagesServer.ts"
import { parseEvents } from "./readEvents.ts"

/** What no other API can say: server tools, citations, containers and blocks of tomorrow. */
const content = [
  { type: "thinking", thinking: "Hm.", signature: "c2lnbmVk" },
  { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "towers" } },
  { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [{ type: "found" }] },
  {
    type: "text",
    text: "A tower.",
    citations: [{ type: "web_search_result_location", url: "https://towers.example" }]
  },
  { type: "block_of_tomorrow", more: { of: ["it"] } }
]

const nativeUsage = {
  input_tokens: 10,
  cache_creation_input_tokens: 3,
  cache_read_input_tokens: 7,
  cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 0 },
  output_tokens: 9,
  output_tokens_details: { thinking_tokens: 4 },
  server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 },
  service_tier: "standard",
  inference_geo: "eu"
}

const message = {
  id: "msg_of_the_provider",
  type: "message",
  role: "assistant",
  model: "claude-opus-4-8-20260101",
  content,
  stop_reason: "pause_turn",
  stop_sequence: null,
  stop_details: null,
  container: { id: "container_1", expires_at: "2027-01-01T00:00:00Z" },
  context_management: { applied_edits: [] },
  usage: nativeUsage
}

const request = {
  model: "proof/messages",
  max_tokens: 4_000,
  system: [{ type: "text", text: "Be terse.", cache_control: { type: "ephemeral", ttl: "1h" } }],
  messages: [
    { role: "user", content: "What is a lighthouse?" },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "", signature: "c2lnbmVkLXRvbw==" },
        { type: "tool_use", id: "toolu_1-odd", name: "look_up", input: {}, caller: { type: "d" } }
      ]
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "toolu_1-odd", content: "A tower.", is_error: false },
        { type: "text", text: "So?" }
      ]
    }
  ],
  tools: [
    { type: "web_search_20250305", name: "web_search", max_uses: 2 },
    { name: "look_up", input_schema: { $schema: "x", type: "object" }, eager_input_streaming: true }
  ],
  thinking: { type: "adaptive", display: "omitted", block_binding: "turn" },
  context_management: { edits: [{ type: "clear_thinking_20251015" }] },
  metadata: { user_id: '{"device":"d"}' },
  field_of_tomorrow: { deep: [1, { er: null }] }
}

const routers = {
  provider: { order: ["messages"] },
  models: ["proof/chat"],
  plugins: [{ id: "web" }],
  route: "fallback",
  session_id: "session-1",
  user: "ann",
  trace: { trace_name: "t" },
  stop_server_tools_when: []
}

test("a whole message keeps all that the router does not know", async () => {
  await using server = await MessagesServer.start()
  server.upstreams.messages.script(reply.json(message))
  const { body, headers } = await server.post(
    { ...request, ...routers, safeguards: [] },
    { headers: { "anthropic-beta": "a-2025,b-2026", "anthropic-version": "2026-10-21" } }
  )
  const id = headers["x-generation-id"]
  expect(body).toEqual({
    ...message,
    id,
    model: "proof/messages",
    provider: "messages",
    usage: { ...nativeUsage, cost: expect.any(Number), is_byok: false }
  })
  const [received] = server.upstreams.messages.requests
  // Safeguards are Anthropic's to keep.
  expect(received?.body).toEqual({ ...request, safeguards: [], model: "claude-opus-4-8" })
  expect(received?.headers).toMatchObject({
    "anthropic-beta": "a-2025,b-2026",
    "anthropic-version": "2026-10-21",
    "x-api-key": "sk-at-messages-5512"
  })
  expect(await server.findRecord(id)).toMatchObject({
    api: "messages",
    user: "mem-1",
    externalUser: "ann",
    session: "session-1"
  })
})

test("an answer may repeat the betas of its caller, which are no secret", async () => {
  await using server = await MessagesServer.start()
  const text = "The header asks for context-1m-2025-08-07."
  server.upstreams.messages.script(reply.json({ ...message, content: [{ type: "text", text }] }))
  const { body } = await server.post(request, {
    headers: { "anthropic-beta": "context-1m-2025-08-07", "Anthropic-Version": "2026-10-21" }
  })
  expect(body).toMatchObject({ content: [{ type: "text", text }] })
  expect(server.upstreams.messages.requests[0]?.headers).toMatchObject({
    "anthropic-beta": "context-1m-2025-08-07",
    "anthropic-version": "2026-10-21"
  })
})

const start = { ...message, content: [], stop_reason: null, container: null }
const native = [
  { type: "message_start", message: { ...start, usage: { ...nativeUsage, output_tokens: 2 } } },
  { type: "ping" },
  ...content.flatMap((block, index) => [
    { type: "content_block_start", index, content_block: block },
    { type: "content_block_delta", index, delta: { type: "delta_of_tomorrow", more: index } },
    { type: "content_block_stop", index }
  ]),
  { type: "content_block_start", index: 5, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 5, delta: { type: "text_delta", text: "Done." } },
  { type: "content_block_stop", index: 5 },
  {
    type: "message_delta",
    delta: { stop_reason: "pause_turn", stop_sequence: null, container: message.container },
    usage: { output_tokens: 9 },
    context_management: { applied_edits: [] }
  },
  { type: "message_stop" }
]

test("a streamed message keeps the events of its blocks", async () => {
  await using server = await MessagesServer.start()
  server.upstreams.messages.script(reply.events(native.map((data) => ({ event: data.type, data }))))
  const { headers, text } = await server.post({ ...request, stream: true })
  const id = headers["x-generation-id"]
  const events = parseEvents(text).map(({ data, event }) => {
    expect(event).toBe(data.type)
    return data
  })
  expect(events[0]).toEqual({
    type: "message_start",
    message: {
      ...start,
      id,
      model: "proof/messages",
      provider: "messages",
      diagnostics: null,
      usage: { ...nativeUsage, output_tokens: 0 }
    }
  })
  expect(events.slice(1, -2)).toEqual(native.slice(1, -2))
  expect(events.slice(-2)).toEqual([
    {
      type: "message_delta",
      delta: {
        stop_reason: "pause_turn",
        stop_sequence: null,
        stop_details: null,
        container: message.container
      },
      usage: { ...nativeUsage, cost: expect.any(Number), is_byok: false },
      context_management: { applied_edits: [] }
    },
    { type: "message_stop" }
  ])
})

test("an answer after an attempt that was charged reports the sum", async () => {
  await using server = await MessagesServer.start({
    settings: { headersTimeoutMillis: 1_000, firstEventTimeoutMillis: 1_000 }
  })
  server.upstreams.chat.always(reply.events([{ comment: "silence" }, 600_000]))
  server.upstreams.messages.script(reply.events(native.map((data) => ({ event: data.type, data }))))
  const { tools: _, ...rest } = request
  const { text } = await server.post({
    ...rest,
    tools: [{ name: "look_up", input_schema: { type: "object" } }],
    model: "proof/all",
    provider: { order: ["chat", "messages"] },
    stream: true
  })
  const usage = parseEvents(text).at(-2)?.data["usage"] as Record<string, unknown>
  expect(Number(usage["input_tokens"])).toBeGreaterThan(nativeUsage.input_tokens)
  expect(usage["cache_creation"]).toBeNull()
})

describe("a provider of another API", () => {
  test("gets neither the headers nor the fields of this one", async () => {
    await using server = await MessagesServer.start()
    server.upstreams.chat.always(reply.chat("A tower."))
    const { body } = await server.post(
      {
        ...hello,
        model: "proof/chat",
        metadata: { user_id: "ann" },
        context_management: { edits: [] },
        speed: "fast",
        stop_sequences: ["."]
      },
      { headers: { "anthropic-beta": "a-2025", "anthropic-version": "2026-10-21" } }
    )
    expect(body).toMatchObject({ content: [{ type: "text", text: "A tower.", citations: null }] })
    const [received] = server.upstreams.chat.requests
    expect(received?.body).toEqual({
      model: "acme-native",
      max_tokens: 1_000,
      messages: [{ role: "user", content: "Hello?" }],
      stop: ["."],
      stream: false
    })
    expect(JSON.stringify(received?.headers)).not.toMatch(/anthropic|a-2025/)
  })

  test("is found by the metadata of the request, and the session by a header of the client", async () => {
    await using server = await MessagesServer.start({
      settings: { sessionIdHeaders: ["X-Acme-Session-Id"] }
    })
    server.upstreams.chat.always(reply.chat("A tower."))
    const { headers } = await server.post(
      { ...hello, model: "proof/chat", metadata: { user_id: "ann" } },
      { headers: { "x-acme-session-id": "session-of-acme" } }
    )
    expect(await server.findRecord(headers["x-generation-id"])).toMatchObject({
      user: "mem-1",
      externalUser: "ann",
      session: "session-of-acme"
    })
  })

  test("is planned without a call", async () => {
    await using server = await MessagesServer.start()
    const search = [{ type: "web_search_20250305", name: "web_search" }]
    const plan = await server.instance.explain({
      ...hello,
      messages: [{ role: "user", content: "?" }],
      model: "proof/all",
      system: "Be terse.",
      tools: search as never
    })
    expect(plan.ordered.map(({ provider }) => provider)).toEqual(["messages"])
    expect(plan.rejected.flatMap(({ reasons }) => reasons.map(({ rule }) => rule))).toEqual([
      "dialect",
      "dialect",
      "dialect"
    ])
  })
})

test("routing metadata comes with the answer when it is asked for", async () => {
  await using server = await MessagesServer.start()
  server.upstreams.chat.always(reply.chat("A tower."))
  const headers = { "x-openrouter-metadata": "enabled" }
  const chat = { ...hello, model: "proof/chat" }
  expect((await server.post(chat, { headers })).body).toMatchObject({
    openrouter_metadata: { requested: "proof/chat" }
  })
  const { events } = await server.stream(chat, { headers })
  expect(events.at(-2)).toMatchObject({
    type: "message_delta",
    openrouter_metadata: { requested: "proof/chat" }
  })
})

test("a chat passes its betas on to providers with this API alone", async () => {
  await using server = await MessagesServer.start()
  for (const upstream of Object.values(server.upstreams)) upstream.always(reply.chat("A tower."))
  for (const model of ["proof/messages", "proof/chat"]) {
    await server.post(
      { model, messages: hello.messages },
      {
        path: "/chat/completions",
        headers: { authorization: `Bearer ${memberKey}`, "x-anthropic-beta": "a-2025" }
      }
    )
  }
  expect(server.upstreams.messages.requests[0]?.headers).toMatchObject({
    "anthropic-beta": "a-2025",
    "anthropic-version": "2023-06-01"
  })
  expect(JSON.stringify(server.upstreams.chat.requests[0]?.headers)).not.toMatch(/a-2025/)
})

describe("in process", () => {
  const ask = { model: "proof/chat", messages: [{ role: "user" as const, content: "Hello?" }] }

  test("a message is answered and streamed", async () => {
    await using server = await MessagesServer.start()
    server.upstreams.chat.always(reply.chat(["A ", "tower."]))
    const whole = await server.instance.messages(ask)
    expect(whole).toMatchObject({
      type: "message",
      model: "proof/chat",
      content: [{ type: "text", text: "A tower." }],
      stop_reason: "end_turn"
    })
    const types: Array<string> = []
    let text = ""
    for await (const event of server.instance.streamMessages(ask)) {
      types.push(event.type)
      if (event.type === "content_block_delta" && event.delta.type === "text_delta") {
        text += event.delta.text
      }
    }
    expect(text).toBe("A tower.")
    expect([types[0], types.at(-1)]).toEqual(["message_start", "message_stop"])
  })

  test("betas reach providers with this API", async () => {
    await using server = await MessagesServer.start()
    server.upstreams.messages.always(reply.chat("A tower."))
    await server.instance.messages({ ...ask, model: "proof/messages" }, { betas: ["a", "b"] })
    expect(server.upstreams.messages.requests[0]?.headers["anthropic-beta"]).toBe("a,b")
  })

  test("an invalid request and an answer that breaks off throw", async () => {
    await using server = await MessagesServer.start()
    await expect(server.instance.messages({ ...ask, max_tokens: -1 })).rejects.toMatchObject({
      name: "SignalboxError",
      status: 400
    })
    server.upstreams.chat.script(fault.errorEvent(502, ["All ", "is "]))
    const types: Array<string> = []
    const read = async () => {
      for await (const { type } of server.instance.streamMessages(ask)) types.push(type)
    }
    await expect(read()).rejects.toMatchObject({ name: "SignalboxError", status: 502 })
    expect(types[0]).toBe("message_start")
    expect(types).not.toContain("message_stop")
  })

  test("leaving the loop ends the call at the provider", async () => {
    await using server = await MessagesServer.start()
    const gate = server.upstreams.chat.gate()
    server.upstreams.chat.script(reply.chat(["All ", gate, "is calm."]))
    for await (const { type } of server.instance.streamMessages(ask)) {
      if (type === "content_block_delta") break
    }
    expect(await server.upstreams.chat.waitForAborts(1)).toHaveLength(1)
  })
})
