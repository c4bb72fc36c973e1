import Anthropic from "@anthropic-ai/sdk"
import { describe, expect, it } from "vitest"
import { checkMessagesEvents, fault, reply, type ScriptedUpstream } from "../src/index.ts"
import { post, startUpstream } from "./client.ts"
import { makeFullAnswer } from "./fullAnswer.ts"
import { parseNamedEvents } from "./parseNamedEvents.ts"

const messagesRequest = {
  model: "claude-opus-5",
  max_tokens: 100,
  messages: [{ role: "user" as const, content: "Hello" }]
}
const version = { headers: { "anthropic-version": "2023-06-01" } }

const send = (upstream: ScriptedUpstream, parameters: object = {}) =>
  post(`${upstream.url}/v1/messages`, { ...messagesRequest, ...parameters }, version)

const makeClient = ({ url }: ScriptedUpstream) =>
  new Anthropic({ apiKey: "sk-test", baseURL: url, maxRetries: 0 })

const full = makeFullAnswer({
  id: "msg_7",
  model: "claude-opus-5-20300101",
  serviceTier: "priority",
  usageDetails: {
    prompt_tokens_details: { cached_tokens: 7, cache_write_tokens: 3 },
    completion_tokens_details: { reasoning_tokens: 2 }
  }
})

const fullMessage = {
  id: "msg_7",
  type: "message",
  role: "assistant",
  model: "claude-opus-5-20300101",
  content: [
    { type: "thinking", thinking: "Hm.", signature: "c2lnbmVkLWJ5LXRoZS1zY3JpcHQ=" },
    { type: "text", text: "All is well." },
    { type: "tool_use", id: "call_1", name: "look_up", input: { word: "lighthouse keeper" } },
    { type: "tool_use", id: "call_2", name: "halt", input: {} }
  ],
  stop_reason: "tool_use",
  usage: {
    input_tokens: 10,
    cache_read_input_tokens: 7,
    cache_creation_input_tokens: 3,
    output_tokens: 9,
    output_tokens_details: { thinking_tokens: 2 },
    service_tier: "priority"
  }
}

describe("the Messages API", () => {
  it("answers prose without a script", async () => {
    const upstream = await startUpstream()
    const { status, text } = await send(upstream)
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject({
      id: "msg_1",
      model: "claude-opus-5",
      content: [{ type: "text", text: "All is well." }],
      stop_reason: "end_turn",
      usage: {
        input_tokens: Math.ceil(JSON.stringify(messagesRequest).length / 4),
        output_tokens: 3
      }
    })
  })

  it("says everything that is scripted, to Anthropic's client too", async () => {
    const upstream = await startUpstream()
    upstream.always(full)
    expect(JSON.parse((await send(upstream)).text)).toMatchObject(fullMessage)
    const client = makeClient(upstream)
    expect(await client.messages.create(messagesRequest)).toMatchObject(fullMessage)
    expect(await client.messages.stream(messagesRequest).finalMessage()).toMatchObject(fullMessage)
  })

  it("leaves the end out as scripted", async () => {
    const upstream = await startUpstream()
    upstream.script(reply.chat("No end", { done: false }))
    const { text } = await send(upstream, { stream: true })
    expect(checkMessagesEvents(parseNamedEvents(text))).toEqual(["event 6: the end is missing"])
  })

  it("refuses with a reason to stop", async () => {
    const upstream = await startUpstream()
    upstream.script(fault.refusal(), fault.refusal("filter"))
    const client = makeClient(upstream)
    expect(await client.messages.create(messagesRequest)).toMatchObject({
      content: [{ type: "text", text: "I can't help with that." }],
      stop_reason: "refusal",
      stop_details: { type: "refusal", category: null, explanation: null }
    })
    expect(await client.messages.create(messagesRequest)).toMatchObject({
      content: [],
      stop_reason: "refusal"
    })
  })

  it.each([
    [400, "invalid_request_error"],
    [401, "authentication_error"],
    [402, "billing_error"],
    [403, "permission_error"],
    [404, "not_found_error"],
    [409, "conflict_error"],
    [413, "request_too_large"],
    [422, "invalid_request_error"],
    [429, "rate_limit_error"],
    [500, "api_error"],
    [503, "overloaded_error"],
    [504, "timeout_error"],
    [529, "overloaded_error"]
  ])("names a %i %s", async (status, type) => {
    const upstream = await startUpstream()
    upstream.script(fault.status(status, { message: "Sorry", retryAfter: 7 }))
    const answered = await send(upstream)
    expect([answered.status, answered.headers["retry-after"]]).toEqual([status, "7"])
    expect(JSON.parse(answered.text)).toEqual({
      type: "error",
      error: { type, message: "Sorry" },
      request_id: "req_1"
    })
  })

  it("names the kind of an error where the API does", async () => {
    const upstream = await startUpstream()
    upstream.script(
      fault.status(400, { kind: "context_length_exceeded" }),
      fault.status(429, { kind: "enforced_spend_limit_reached", message: "Spent" })
    )
    expect(JSON.parse((await send(upstream)).text).error).toEqual({
      type: "invalid_request_error",
      message: "prompt is too long: 200001 tokens > 200000 maximum"
    })
    expect(JSON.parse((await send(upstream)).text).error).toEqual({
      type: "rate_limit_error",
      message: "Spent",
      details: { error_code: "enforced_spend_limit_reached" }
    })
  })

  it.each([
    [502, "api_error"],
    ["overloaded_error", "overloaded_error"],
    ["server_error", "api_error"],
    ["context_length_exceeded", "invalid_request_error"]
  ])("ends an answer with the error %s", async (code, type) => {
    const upstream = await startUpstream()
    upstream.always(fault.errorEvent(code, ["Half "]))
    const error = { type: "error", error: { type, message: "Provider disconnected" } }
    const whole = await send(upstream)
    expect([whole.status, JSON.parse(whole.text)]).toMatchObject([200, error])
    const events = parseNamedEvents((await send(upstream, { stream: true })).text)
    expect(events.at(-1)).toMatchObject({ event: "error", data: error })
    expect(JSON.stringify(events)).toContain("Half ")
  })

  it("answers at the paths of clouds, where the path may name the model", async () => {
    const upstream = await startUpstream()
    const foundry = await post(`${upstream.url}/anthropic/v1/messages`, messagesRequest, version)
    expect(JSON.parse(foundry.text)).toMatchObject({ model: "claude-opus-5" })
    const { model: _, ...unnamed } = messagesRequest
    const body = { ...unnamed, anthropic_version: "vertex-2023-10-16", stream: true }
    const root = `${upstream.url}/v1/projects/p/locations/global/publishers/anthropic`
    const path = `${root}/models/claude-opus-5%4020300101`
    const { text } = await post(`${path}:streamRawPredict?alt=sse`, body)
    expect(checkMessagesEvents(parseNamedEvents(text))).toEqual([])
    expect(text).toContain('"model":"claude-opus-5@20300101"')
    expect((await post(`${path}:predict`, body)).status).toBe(404)
  })

  it.each([
    ["model", { model: undefined }, {}],
    ["max_tokens", { max_tokens: undefined }, {}],
    ["messages", { messages: undefined }, {}],
    ["anthropic-version", {}, { headers: {} }]
  ])("rejects a request without %s", async (name, parameters, sending) => {
    const upstream = await startUpstream()
    const request = { ...messagesRequest, ...parameters }
    const { status, text } = await post(`${upstream.url}/v1/messages`, request, {
      ...version,
      ...sending
    })
    expect(status).toBe(400)
    expect(JSON.parse(text).error.message).toContain(name)
  })
})
