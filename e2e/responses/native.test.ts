/** Requests of the Responses API at providers that have it themselves: nothing is translated. */
import { reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { startResponsesServer } from "./ResponsesServer.ts"

type Json = Readonly<Record<string, unknown>>

const price = { prompt: "0.001", completion: "0.01" }
const hosted = ["web_search_call"]

const search = {
  type: "web_search_call",
  id: "ws_1",
  status: "completed",
  action: { type: "search", query: "sea" }
}
const cited = {
  type: "url_citation",
  url: "https://sea.test",
  title: "Sea",
  start_index: 0,
  end_index: 5
}
const part = { type: "output_text", text: "Calm.", annotations: [cited], logprobs: [] }
const message = {
  type: "message",
  id: "msg_of_the_provider",
  role: "assistant",
  status: "completed",
  phase: "final_answer",
  content: [part]
}
const response: Json = {
  id: "resp_of_the_provider",
  object: "response",
  created_at: 1_700_000_000.25,
  model: "gpt-5-2026-01-01",
  status: "completed",
  service_tier: "flex",
  store: true,
  previous_response_id: null,
  temperature: null,
  tool_usage: { web_search: { num_requests: 1 } },
  output: [search, message],
  usage: {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 4, of_the_provider: 1 },
    output_tokens: 3,
    output_tokens_details: { reasoning_tokens: 2 },
    total_tokens: 13,
    cost: 77
  }
}

/** Numbered from 5, as a provider might that resumes. */
const number = (events: ReadonlyArray<Json>) =>
  events.map((data, index) => ({
    event: String(data["type"]),
    data: { ...data, sequence_number: index + 5 }
  }))

const inMessage = { item_id: message.id, output_index: 1, content_index: 0 }
const events = [
  { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
  { type: "response.in_progress", response: { ...response, status: "in_progress", output: [] } },
  {
    type: "response.output_item.added",
    output_index: 0,
    item: { ...search, status: "in_progress" }
  },
  { type: "response.web_search_call.searching", item_id: "ws_1", output_index: 0 },
  { type: "response.web_search_call.completed", item_id: "ws_1", output_index: 0 },
  { type: "response.output_item.done", output_index: 0, item: search },
  {
    type: "response.output_item.added",
    output_index: 1,
    item: { ...message, status: "in_progress", content: [] }
  },
  {
    type: "response.content_part.added",
    ...inMessage,
    part: { ...part, text: "", annotations: [] }
  },
  {
    type: "response.output_text.delta",
    ...inMessage,
    delta: "Calm.",
    logprobs: [],
    obfuscation: "x"
  },
  {
    type: "response.output_text.annotation.added",
    ...inMessage,
    annotation_index: 0,
    annotation: cited
  },
  { type: "response.output_text.done", ...inMessage, text: "Calm.", logprobs: [] },
  { type: "response.content_part.done", ...inMessage, part },
  { type: "response.output_item.done", output_index: 1, item: message },
  { type: "response.completed", response }
]

const request = {
  model: "proof/responses",
  input: "Is it calm at sea?",
  tools: [{ type: "web_search", search_context_size: "low" }],
  tool_choice: { type: "web_search" },
  include: ["web_search_call.action.sources"],
  metadata: { tower: "north" },
  prompt_cache_key: "tower-1",
  safety_identifier: "keeper-1"
}

const expectOurs = (answer: unknown, id: string | undefined) => {
  expect(answer).toMatchObject({
    id: id?.replace("gen-", "resp_"),
    object: "response",
    status: "completed",
    model: "proof/responses",
    output: [search, message],
    service_tier: "flex",
    store: false,
    temperature: 1,
    metadata: { tower: "north" },
    tool_usage: { web_search: { num_requests: 1 } },
    usage: {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 4, of_the_provider: 1 },
      output_tokens: 3,
      output_tokens_details: { reasoning_tokens: 2 },
      total_tokens: 13,
      cost: 0.04,
      is_byok: false
    }
  })
  expect(Number.isInteger(getProperty(answer, "created_at"))).toBe(true)
}

describe("a provider with the Responses API", () => {
  test("gets the request as it was written, without what is for the router", async () => {
    const server = await startResponsesServer({ price })
    server.providers.responses.always(reply.json(response))
    await server.ask({
      ...request,
      models: ["proof/chat"],
      provider: { order: ["responses"] },
      session_id: "s-1",
      user: "ada",
      trace: { trace_id: "t-1" },
      client_metadata: { version: "1" }
    })
    expect(server.providers.responses.requests[0]?.body).toEqual({
      ...request,
      model: "gpt-5",
      store: false
    })
  })

  test("answers with its own items, whole", async () => {
    const server = await startResponsesServer({ price })
    server.providers.responses.always(reply.json(response))
    const { body, headers, status } = await server.ask(request)
    expect(status).toBe(200)
    expectOurs(body, headers["x-generation-id"])
    expect(await server.findRecord(headers["x-generation-id"])).toMatchObject({
      api: "responses",
      session: "tower-1",
      upstreamId: "resp_of_the_provider"
    })
  })

  test("answers with its own events, in a sequence of ours", async () => {
    const server = await startResponsesServer({ price })
    server.providers.responses.always(reply.events([...number(events), { data: "[DONE]" }]))
    const answer = await server.stream(request, { hosted })
    expect(answer.events.map(({ type }) => type)).toEqual(events.map(({ type }) => type))
    expect(answer.events.slice(2, -1)).toEqual(
      events.slice(2, -1).map((event, index) => ({ ...event, sequence_number: index + 2 }))
    )
    expectOurs(answer.events.at(-1)?.["response"], answer.headers["x-generation-id"])
  })

  test("that breaks off after its first event ends with a failure and the items so far", async () => {
    const server = await startResponsesServer({ price })
    server.providers.responses.always(reply.events(number(events.slice(0, 9))))
    const answer = await server.stream({ ...request, models: ["proof/all"] }, { hosted })
    expect(answer.events.at(-1)).toMatchObject({
      type: "response.failed",
      response: {
        status: "failed",
        error: { code: "server_error" },
        output: [search, { id: message.id, status: "incomplete" }]
      }
    })
    expect(answer.text.endsWith("data: [DONE]\n\n")).toBe(true)
    expect(server.providers.chat.requests).toHaveLength(0)
  })

  test("keeps the items when its last event does not repeat them", async () => {
    const server = await startResponsesServer({ price })
    const bare = { type: "response.completed", response: { ...response, output: [] } }
    server.providers.responses.always(reply.events(number([...events.slice(0, -1), bare])))
    const answer = await server.stream(request, { hosted })
    expect(answer.events.at(-1)).toMatchObject({ response: { output: [search, message] } })
  })

  test("may be incomplete", async () => {
    const server = await startResponsesServer({ price })
    const cut = {
      ...response,
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" }
    }
    const last = { type: "response.incomplete", response: cut }
    server.providers.responses.script(
      reply.events(number([...events.slice(0, -1), last])),
      reply.json(cut)
    )
    const answer = await server.stream(request, { hosted })
    const details = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }
    expect(answer.events.at(-1)).toMatchObject({ type: "response.incomplete", response: details })
    expect((await server.ask(request)).body).toMatchObject(details)
  })
})

describe("what only providers with the Responses API can serve", () => {
  const image = { type: "input_image", file_id: "file_1" }
  test.each<[string, Json]>([
    ["tool_choice", { tools: request.tools, tool_choice: { type: "web_search" } }],
    ["tool_choice", { tools: request.tools, tool_choice: "required" }],
    ["input.0.content.0", { input: [{ role: "user", content: [image] }] }],
    ["input.0", { input: [{ type: "compaction", encrypted_content: "x" }] }],
    ["text.format", { text: { format: { type: "grammar", grammar: "x" } } }]
  ])("is refused elsewhere, and named: %s", async (path, fields) => {
    const server = await startResponsesServer()
    for (const [dialect, provider] of Object.entries(server.providers)) {
      if (dialect !== "responses") provider.always(reply.chat(["Never."]))
    }
    const body = { model: "proof/chat", input: "Hm?", ...fields }
    const { body: refused, status } = await server.ask(body)
    expect(status).toBe(400)
    expect(refused).toMatchObject({
      error: { code: 400, message: expect.stringContaining(`for ${path}`) }
    })
    expect((await server.stream(body)).status).toBe(400)
    server.providers.responses.always(reply.json(response))
    expect((await server.ask({ ...body, model: "proof/all" })).status).toBe(200)
    expect(server.providers.responses.requests).toHaveLength(1)
    for (const dialect of ["chat", "messages", "gemini"] as const) {
      expect(server.providers[dialect].requests).toHaveLength(0)
    }
  })

  test("is left out elsewhere when it is only offered", async () => {
    const server = await startResponsesServer()
    server.providers.chat.always(reply.chat(["Calm."]))
    const { tool_choice: _, ...offered } = request
    const { status } = await server.ask({ ...offered, model: "proof/chat", tool_choice: "auto" })
    expect(status).toBe(200)
    const sent = server.providers.chat.requests[0]?.body
    expect(getProperty(sent, "tools")).toBeUndefined()
    expect(getProperty(sent, "tool_choice")).toBeUndefined()
  })
})
