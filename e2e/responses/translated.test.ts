/** What the Responses API has and other APIs lack, at providers of the others. */
import type { ResponsesRequest } from "@signalbox/core/contract"
import { reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { startResponsesServer } from "./ResponsesServer.ts"

type Json = Readonly<Record<string, unknown>>

const usage = { inputTokens: 10, outputTokens: 3 }
const price = { prompt: "0.001", completion: "0.01" }
const calm = reply.chat(["Calm."], { usage })
const others = ["chat", "messages", "gemini"] as const

const tools = [
  { type: "namespace", name: "harbour", tools: [{ type: "function", name: "halt" }] },
  { type: "custom", name: "write", description: "Writes into the log." }
]

const getOutput = (response: unknown) =>
  getProperty(response, "output") as ReadonlyArray<Json & { readonly call_id: string }>

describe.each(others)("at a provider of %s", (dialect) => {
  const model = `proof/${dialect}`

  test("functions of a namespace and tools of free text are called, and get their outputs", async () => {
    const server = await startResponsesServer()
    const provider = server.providers[dialect]
    provider.always(
      reply.chat([], {
        toolCalls: [
          { id: "call_1", name: "harbour__halt", arguments: '{"now":true}' },
          { id: "call_2", name: "write", arguments: '{"input":"A storm.\\nBig."}' }
        ],
        usage
      })
    )
    const asked = { role: "user", content: "Do it." }
    const request = { model, input: [asked], tools }
    const { body } = await server.ask(request)
    const { events } = await server.stream(request)
    const calls = [
      {
        type: "function_call",
        name: "halt",
        namespace: "harbour",
        arguments: '{"now":true}',
        status: "completed"
      },
      {
        type: "custom_tool_call",
        name: "write",
        input: "A storm.\nBig.",
        status: "completed"
      }
    ]
    expect(getOutput(body)).toMatchObject(calls)
    expect(getOutput(events.at(-1)?.["response"])).toMatchObject(calls)
    provider.always(calm)
    const outputs = getOutput(body).map(({ call_id, type }) => ({
      type: `${String(type)}_output`,
      call_id,
      output: "Done."
    }))
    const { status } = await server.ask({
      ...request,
      input: [asked, ...getOutput(body), ...outputs]
    })
    expect(status).toBe(200)
    const sent = provider.requests.at(-1)?.raw ?? ""
    expect(sent).toContain("harbour__halt")
    expect(sent).not.toContain("custom")
    expect(sent.match(/Done\./g)).toHaveLength(2)
    for (const { call_id } of outputs) expect(sent).toContain(call_id)
  })

  test("settings of tools are left out without tools", async () => {
    const server = await startResponsesServer()
    server.providers[dialect].always(calm)
    const body = { model, input: "Hm?", tools: [], tool_choice: "auto", parallel_tool_calls: true }
    expect((await server.ask(body)).status).toBe(200)
    expect(server.providers[dialect].requests[0]?.raw).not.toMatch(/tool/i)
  })

  test("reasoning that is sent back reaches the provider again", async () => {
    const server = await startResponsesServer()
    const provider = server.providers[dialect]
    provider.always(reply.chat(["Calm."], { reasoning: "Let me see.", usage }))
    const asked = { role: "user", content: "Is it calm?" }
    const request = {
      model,
      input: [asked],
      reasoning: { summary: "auto" },
      include: ["reasoning.encrypted_content"]
    }
    const { body } = await server.ask(request)
    const [thought] = getOutput(body)
    expect(thought).toMatchObject({
      type: "reasoning",
      id: expect.stringMatching(/^rs_/),
      summary: [{ type: "summary_text", text: "Let me see." }],
      encrypted_content: expect.any(String)
    })
    const next = { ...request, input: [asked, ...getOutput(body), asked] }
    expect((await server.ask(next)).status).toBe(200)
    const { body: quiet } = await server.ask({
      ...request,
      reasoning: { effort: "low" },
      include: []
    })
    expect(getOutput(quiet).map(({ type }) => type)).toEqual(["message"])
  })

  test("an answer that is cut or filtered is incomplete", async () => {
    const server = await startResponsesServer()
    server.providers[dialect].always(reply.chat(["It is"], { finishReason: "length", usage }))
    const request = { model, input: "Hm?", max_output_tokens: 3 }
    const cut = {
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output: [{ status: "incomplete" }]
    }
    expect((await server.ask(request)).body).toMatchObject(cut)
    expect((await server.stream(request)).events.at(-1)).toMatchObject({
      type: "response.incomplete",
      response: cut
    })
  })
})

test("every setting of the request is repeated in the response", async () => {
  const server = await startResponsesServer()
  server.providers.chat.always(calm)
  const settings = {
    instructions: "Be brief.",
    max_output_tokens: 100,
    max_tool_calls: 3,
    metadata: { tower: "north" },
    parallel_tool_calls: false,
    prompt_cache_key: "tower-1",
    safety_identifier: "keeper-1",
    temperature: 0.5,
    top_p: 0.9,
    frequency_penalty: 0.1,
    presence_penalty: 0.2,
    tool_choice: "none",
    truncation: "auto"
  }
  const { body } = await server.ask({
    model: "proof/chat",
    input: "Hm?",
    ...settings,
    reasoning: { effort: "high", summary: "auto" },
    text: { format: { type: "json_object" }, verbosity: "low" }
  })
  expect(body).toMatchObject({
    ...settings,
    reasoning: { effort: "high", summary: "auto" },
    text: { format: { type: "json_object" }, verbosity: "low" },
    background: false,
    previous_response_id: null,
    store: false
  })
})

test("a parameter that the API does not know reaches providers that may", async () => {
  const server = await startResponsesServer()
  server.providers.chat.always(calm)
  await server.ask({
    model: "proof/chat",
    input: "Hm?",
    seed: 7,
    client_metadata: { version: "1" }
  })
  const { body, raw } = server.providers.chat.requests[0] ?? {}
  expect(body).toMatchObject({ seed: 7 })
  expect(raw).not.toContain("client_metadata")
})

describe("routing metadata", () => {
  test("comes with the response when the caller asks for it", async () => {
    const server = await startResponsesServer({ price })
    server.providers.chat.always(calm)
    const request = { model: "proof/chat", input: "Hm?" }
    const headers = { "x-signalbox-metadata": "enabled" }
    const metadata = { service_metadata: { requested: "proof/chat", attempt: 1 } }
    expect((await server.ask(request, { headers })).body).toMatchObject(metadata)
    expect((await server.stream(request, { headers })).events.at(-1)).toMatchObject({
      response: metadata
    })
    expect(getProperty((await server.ask(request)).body, "service_metadata")).toBeUndefined()
  })
})

describe("a plan", () => {
  test.each<
    [string, { readonly input: ResponsesRequest["input"]; readonly instructions?: string }]
  >([
    ["a text alone", { input: "Hm?" }],
    ["items", { input: [{ role: "user", content: "Hm?" }] }],
    ["a field of the API", { input: "Hm?", instructions: "Be brief." }]
  ])("is made for %s, and calls no provider", async (_, fields) => {
    const server = await startResponsesServer()
    const { ordered } = await server.instance.explain({ model: "proof/all", ...fields })
    expect(ordered.map(({ provider }) => provider).toSorted()).toEqual([
      "chat",
      "gemini",
      "messages",
      "responses"
    ])
    for (const provider of Object.values(server.providers)) {
      expect(provider.requests).toHaveLength(0)
    }
  })

  test("says which providers cannot serve a request", async () => {
    const server = await startResponsesServer()
    const { ordered, rejected } = await server.instance.explain({
      model: "proof/all",
      input: "Hm?",
      tools: [{ type: "web_search" }],
      tool_choice: { type: "web_search" }
    })
    expect(ordered.map(({ provider }) => provider)).toEqual(["responses"])
    expect(rejected.map(({ reasons }) => reasons[0]?.rule)).toEqual([
      "dialect",
      "dialect",
      "dialect"
    ])
  })
})
