/** The unmodified OpenAI client with the Responses API, at providers of every dialect. */
import { fault, reply } from "@signalbox/testing"
import OpenAI, { APIError, APIUserAbortError, BadRequestError, RateLimitError } from "openai"
import { zodResponsesFunction, zodTextFormat } from "openai/helpers/zod"
import type { ResponseInput, Tool } from "openai/resources/responses/responses"
import { describe, expect, test } from "vitest"
import { z } from "zod"
import { type ProviderDialect, providerDialects } from "../dialects/ProviderDialect.ts"
import { memberKey, startResponsesServer } from "../responses/ResponsesServer.ts"
import { nodeHost } from "../support/hosts.ts"

const usage = { inputTokens: 10, outputTokens: 3 }
const calm = reply.chat(["It ", "is ", "calm."], { usage })
const look = { id: "call_look", name: "look", arguments: '{"at":"the sea, and then the sky"}' }
const halt = { id: "call_halt", name: "halt", arguments: '{"now":true}' }

const tools: Array<Tool> = ["look", "halt"].map((name) => ({
  type: "function",
  name,
  strict: false,
  parameters: { type: "object", properties: {} }
}))

const start = async () => {
  const server = await startResponsesServer({ host: nodeHost })
  const client = new OpenAI({ apiKey: memberKey, baseURL: server.base, maxRetries: 0 })
  return { client, server }
}

const question = "Is it calm at sea?"
const toModel = (dialect: ProviderDialect) => `proof/${dialect}`

describe.each(providerDialects)("OpenAI's client, at a provider of %s", (dialect) => {
  const request = { model: toModel(dialect), input: question, store: false }

  test("gets a response", async () => {
    const { client, server } = await start()
    server.providers[dialect].always(calm)
    const response = await client.responses.create({
      ...request,
      instructions: "You keep a lighthouse.",
      max_output_tokens: 100
    })
    expect(response).toMatchObject({
      object: "response",
      status: "completed",
      output_text: "It is calm.",
      usage: { input_tokens: 10, output_tokens: 3, total_tokens: 13 }
    })
  })

  test("assembles a stream with its own helper", async () => {
    const { client, server } = await start()
    server.providers[dialect].always(
      reply.chat(["It ", "is ", "calm."], { reasoning: "Let me see.", usage })
    )
    const stream = client.responses.stream({ ...request, reasoning: { summary: "auto" } })
    const deltas: Array<string> = []
    stream.on("response.output_text.delta", ({ delta }) => deltas.push(delta))
    const response = await stream.finalResponse()
    expect(deltas.join("")).toBe("It is calm.")
    expect(response).toMatchObject({
      status: "completed",
      output_text: "It is calm.",
      usage: { input_tokens: 10, output_tokens: 3 }
    })
    expect(response.output.map(({ type }) => type)).toEqual(["reasoning", "message"])
  })

  test("assembles calls, and gets an answer to their outputs", async () => {
    const { client, server } = await start()
    server.providers[dialect].script(reply.chat([], { toolCalls: [look, halt], usage }), calm)
    const input: ResponseInput = [{ role: "user", content: question }]
    const first = await client.responses
      .stream({ ...request, input, tools, include: ["reasoning.encrypted_content"] })
      .finalResponse()
    const calls = first.output.filter((item) => item.type === "function_call")
    expect(calls.map(({ arguments: json, name }) => [name, JSON.parse(json)])).toEqual([
      ["look", JSON.parse(look.arguments)],
      ["halt", JSON.parse(halt.arguments)]
    ])
    input.push(
      // The client says that an answer can be sent back, but its types do not.
      ...(first.output as ResponseInput),
      ...calls.map(({ call_id }) => ({
        type: "function_call_output" as const,
        call_id,
        output: "All is well."
      }))
    )
    const second = await client.responses.create({ ...request, input, tools })
    expect(second.output_text).toBe("It is calm.")
    const [, sent] = server.providers[dialect].requests
    for (const { call_id } of calls) expect(sent?.raw).toContain(call_id)
    expect(sent?.raw.match(/All is well\./g)).toHaveLength(2)
  })

  test("parses an answer by a schema", async () => {
    const { client, server } = await start()
    server.providers[dialect].always(reply.chat(['{"calm":', "true}"], { usage }))
    const format = zodTextFormat(z.object({ calm: z.boolean() }), "weather")
    const response = await client.responses.parse({ ...request, text: { format } })
    expect(response.output_parsed).toEqual({ calm: true })
    const streamed = await client.responses.stream({ ...request, text: { format } }).finalResponse()
    expect(streamed.output_parsed).toEqual({ calm: true })
  })

  test("parses the arguments of a call", async () => {
    const { client, server } = await start()
    server.providers[dialect].always(reply.chat([], { toolCalls: [look], usage }))
    const parameters = z.object({ at: z.string() })
    const response = await client.responses.parse({
      ...request,
      tools: [zodResponsesFunction({ name: "look", parameters })]
    })
    expect(response.output).toMatchObject([
      { type: "function_call", parsed_arguments: { at: "the sea, and then the sky" } }
    ])
  })

  test("aborts half way, and the call to the provider is aborted", async () => {
    const { client, server } = await start()
    const provider = server.providers[dialect]
    provider.always(reply.chat(["It ", "is ", provider.gate(), "calm."]))
    const stream = await client.responses.create({ ...request, stream: true })
    for await (const { type } of stream) if (type === "response.output_text.delta") break
    await provider.waitForAborts(1)
    expect(provider.requests).toHaveLength(1)
  })

  test("sees nothing of a provider that failed first", async () => {
    const { client, server } = await start()
    const other = dialect === "chat" ? "responses" : "chat"
    server.providers[dialect].always(fault.status(503))
    server.providers[other].always(calm)
    const models = [toModel(dialect), toModel(other)]
    const body = { ...request, models }
    expect((await client.responses.create(body)).output_text).toBe("It is calm.")
    const streamed = await client.responses.stream(body).finalResponse()
    expect([streamed.model, streamed.output_text]).toEqual([toModel(other), "It is calm."])
  })

  test("gets an error for a stream that breaks off", async () => {
    const { client, server } = await start()
    server.providers[dialect].always(fault.errorEvent(502, ["It ", "is "]))
    const stream = client.responses.stream(request)
    const deltas: Array<string> = []
    stream.on("response.output_text.delta", ({ delta }) => deltas.push(delta))
    const response = stream.finalResponse()
    await expect(response).rejects.toBeInstanceOf(APIError)
    await expect(response).rejects.toMatchObject({ code: "server_error" })
    expect(deltas.join("")).toBe("It is ")
  })
})

describe("OpenAI's client", () => {
  test("throws its own errors", async () => {
    const { client, server } = await start()
    server.providers.chat.always(fault.status(429, { retryAfter: 3 }))
    const request = { model: "proof/chat", input: question }
    await expect(client.responses.create(request)).rejects.toBeInstanceOf(RateLimitError)
    await expect(client.responses.create({ ...request, stream: true })).rejects.toBeInstanceOf(
      RateLimitError
    )
    const stored = client.responses.create({ ...request, store: true })
    await expect(stored).rejects.toBeInstanceOf(BadRequestError)
    await expect(stored).rejects.toMatchObject({ error: { code: 400 } })
  })

  test("can be aborted before the first event", async () => {
    const { client, server } = await start()
    const { chat } = server.providers
    chat.always(reply.chat([chat.gate(), "calm."]))
    const leaving = new AbortController()
    const sent = client.responses.create(
      { model: "proof/chat", input: question, stream: true },
      { signal: leaving.signal }
    )
    await chat.waitForRequests(1)
    leaving.abort()
    await expect(sent).rejects.toBeInstanceOf(APIUserAbortError)
    await chat.waitForAborts(1)
  })

  test("finds no stored responses", async () => {
    const { client } = await start()
    await expect(client.responses.retrieve("resp_1")).rejects.toMatchObject({ status: 404 })
  })
})
