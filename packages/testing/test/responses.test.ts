import OpenAI from "openai"
import { describe, expect, it } from "vitest"
import { checkResponsesEvents, fault, reply, type ScriptedUpstream } from "../src/index.ts"
import { post, startUpstream } from "./client.ts"
import { makeFullAnswer } from "./fullAnswer.ts"

const request = { model: "gpt-5-mini", input: "Hello" }

const send = (upstream: ScriptedUpstream, parameters: object = {}) =>
  post(`${upstream.url}/v1/responses`, { ...request, ...parameters })

const makeClient = ({ url }: ScriptedUpstream) =>
  new OpenAI({ apiKey: "sk-test", baseURL: `${url}/v1`, maxRetries: 0 })

const full = makeFullAnswer({
  id: "resp_7",
  model: "gpt-5-mini-2030-01-01",
  serviceTier: "priority"
})

const fullResponse = {
  id: "resp_7",
  object: "response",
  status: "completed",
  model: "gpt-5-mini-2030-01-01",
  service_tier: "priority",
  output: [
    {
      type: "reasoning",
      summary: [{ type: "summary_text", text: "Hm." }],
      encrypted_content: "c2VhbGVkLWJ5LXRoZS1zY3JpcHQ="
    },
    {
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "All is well." }]
    },
    {
      type: "function_call",
      call_id: "call_1",
      name: "look_up",
      arguments: '{"word":"lighthouse keeper"}'
    },
    { type: "function_call", call_id: "call_2", name: "halt", arguments: "" }
  ],
  usage: {
    input_tokens: 20,
    input_tokens_details: { cached_tokens: 7 },
    output_tokens: 9,
    output_tokens_details: { reasoning_tokens: 2 },
    total_tokens: 29
  }
}

describe("the Responses API", () => {
  it("answers prose without a script", async () => {
    const upstream = await startUpstream()
    const { status, text } = await send(upstream)
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject({
      id: "resp_1",
      model: "gpt-5-mini",
      status: "completed",
      output: [{ type: "message", content: [{ text: "All is well." }] }],
      usage: { input_tokens: Math.ceil(JSON.stringify(request).length / 4), output_tokens: 3 }
    })
  })

  it("says everything that is scripted, to OpenAI's client and its accumulator too", async () => {
    const upstream = await startUpstream()
    upstream.always(full)
    expect(JSON.parse((await send(upstream)).text)).toMatchObject(fullResponse)
    const client = makeClient(upstream)
    const whole = await client.responses.create(request)
    expect(whole).toMatchObject(fullResponse)
    expect(whole.output_text).toBe("All is well.")
    const texts: Array<string> = []
    const stream = client.responses.stream(request)
    stream.on("response.output_text.delta", ({ delta }) => texts.push(delta))
    expect(await stream.finalResponse()).toMatchObject(fullResponse)
    expect(texts).toEqual(["All ", "is ", "well."])
  })

  it("ends without [DONE] on an error, and leaves the end out as scripted", async () => {
    const upstream = await startUpstream()
    upstream.script(fault.errorEvent(529, ["Half "]), reply.chat("No end", { done: false }))
    const failed = await send(upstream, { stream: true })
    expect(checkResponsesEvents(failed.text)).toEqual(["event 5: there is no [DONE]"])
    const cut = await send(upstream, { stream: true })
    expect(checkResponsesEvents(cut.text)).toEqual([
      "event 7: there is no last event",
      "event 7: there is no [DONE]"
    ])
  })

  it("ends with a status, and with a reason if it is incomplete", async () => {
    const upstream = await startUpstream()
    upstream.script(
      reply.chat("Cut sho", { finishReason: "length" }),
      fault.refusal("filter"),
      fault.refusal()
    )
    const client = makeClient(upstream)
    expect(await client.responses.create(request)).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output: [{ status: "incomplete" }]
    })
    expect(await client.responses.create(request)).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "content_filter" }
    })
    expect(await client.responses.create(request)).toMatchObject({
      status: "completed",
      output: [{ content: [{ type: "refusal", refusal: "I can't help with that." }] }]
    })
  })

  it.each([
    [401, "invalid_api_key"],
    [404, "model_not_found"],
    [429, "rate_limit_exceeded"],
    [500, null]
  ])("names the code of a %i: %s", async (status, code) => {
    const upstream = await startUpstream()
    upstream.script(fault.status(status, { message: "Sorry", retryAfter: 7 }))
    const answered = await send(upstream)
    expect([answered.status, answered.headers["retry-after"]]).toEqual([status, "7"])
    expect(JSON.parse(answered.text).error).toMatchObject({ message: "Sorry", code })
  })

  it.each([
    [502, "server_error"],
    [429, "rate_limit_exceeded"],
    [529, "server_is_overloaded"],
    ["context_length_exceeded", "context_length_exceeded"]
  ])("fails an answer with the error %s", async (given, code) => {
    const upstream = await startUpstream()
    upstream.always(fault.errorEvent(given, ["Half "]))
    const error = { code, message: "Provider disconnected" }
    const whole = await send(upstream)
    expect(whole.status).toBe(200)
    expect(JSON.parse(whole.text)).toMatchObject({ status: "failed", error })
    const final = makeClient(upstream).responses.stream(request).finalResponse()
    expect(await final).toMatchObject({ status: "failed", error })
  })

  it("lists the log-probabilities that are asked for", async () => {
    const upstream = await startUpstream()
    upstream.always(reply.logprobs({ no: 0.25, yes: 0.75 }))
    const asked = { include: ["message.output_text.logprobs"], top_logprobs: 1 }
    const [said] = JSON.parse((await send(upstream, asked)).text).output
    const likeliest = { token: "yes", logprob: Math.log(0.75) }
    expect(said.content).toMatchObject([
      { logprobs: [{ ...likeliest, top_logprobs: [likeliest] }] }
    ])
    const [silent] = JSON.parse((await send(upstream)).text).output
    expect(silent.content).toMatchObject([{ text: "yes", logprobs: [] }])
  })

  it("answers at the path of Azure", async () => {
    const upstream = await startUpstream()
    const { text } = await post(`${upstream.url}/openai/v1/responses`, request)
    expect(JSON.parse(text)).toMatchObject({ status: "completed" })
  })

  it.each([
    ["model", { model: undefined }],
    ["input", { input: undefined }],
    ["max_output_tokens", { max_output_tokens: 15 }]
  ])("rejects a request with an unfit %s", async (name, parameters) => {
    const upstream = await startUpstream()
    const { status, text } = await send(upstream, parameters)
    expect(status).toBe(400)
    expect(JSON.parse(text).error.message).toContain(name)
  })
})
