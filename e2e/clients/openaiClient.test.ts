import { fault, pace, reply, ScriptedUpstream, type Step } from "@signalbox/testing"
import OpenAI, {
  APIError,
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError
} from "openai"
import { describe, expect, onTestFinished, test } from "vitest"
import type { Host } from "../support/hosts.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { keys, slugs, TestServer } from "../support/TestServer.ts"
import { type DecisionMethod, decisionMethods } from "../support/decisionMethods.ts"

const hosts = pickHosts(import.meta.filename)

/** Starts a server with OpenAI-compatible providers that support every request of the client. */
const openaiMethod: DecisionMethod = {
  ...decisionMethods[1]!,
  supportedParameters: ["max_completion_tokens", "temperature", "tools", "tool_choice", "n"]
}

const startServer = async (host?: Host) => {
  const server = await TestServer.start({
    method: openaiMethod,
    mount: "/ai",
    ...(host === undefined ? {} : { host })
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return {
    server,
    client: makeOpenAiClient(server, keys.member),
    first: server.upstreams.first
  }
}

/** The client with its default options, except that it does not retry. */
const makeOpenAiClient = ({ root }: TestServer, apiKey: string): OpenAI =>
  new OpenAI({ apiKey, baseURL: `${root}/api/v1`, maxRetries: 0, timeout: 240_000 })

const chatRequest = {
  model: "proof/model",
  messages: [{ role: "user" as const, content: "Is it calm at sea?" }],
  // A field that the client's types do not have.
  provider: { order: slugs }
}

/** The deprecated name of the parameter, which the endpoint does not support. */
const legacyCappedRequest = { ...chatRequest, max_tokens: 100 }

const usage = { inputTokens: 10, outputTokens: 3 }
const calmReply = reply.chat(["It ", "is ", "calm."], { usage })

const lookCall = { id: "call-1", name: "look", arguments: '{"at":"the sea, and then the sky"}' }
const haltCall = { id: "call-2", name: "halt", arguments: "{}" }
const toolCallReply = reply.chat([], { toolCalls: [lookCall, haltCall], usage })
const tools = ["look", "halt"].map((name) => ({
  type: "function" as const,
  function: { name, parameters: { type: "object", properties: {} } }
}))

const toToolCall = ({ arguments: text, id, name }: typeof lookCall) => ({
  id,
  type: "function",
  function: { name, arguments: text }
})

describe.each(hosts)("OpenAI's client, against $name", (host) => {
  test("completes a chat", async () => {
    const { client, first, server } = await startServer(host)
    first.always(calmReply)
    const { _request_id: _, ...answer } = await client.chat.completions.create(legacyCappedRequest)
    expect(answer).toMatchObject({
      object: "chat.completion",
      choices: [
        { index: 0, finish_reason: "stop", message: { role: "assistant", content: "It is calm." } }
      ],
      usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 }
    })
    expect(first.requests[0]?.body).toMatchObject({ max_completion_tokens: 100 })
    expect(server.calls).toEqual({ first: 1, second: 0 })
  })

  test("streams a chat", async () => {
    const { client, first } = await startServer(host)
    first.always(calmReply)
    const stream = await client.chat.completions.create({
      ...chatRequest,
      stream: true,
      stream_options: { include_usage: false }
    })
    const chunks = []
    for await (const chunk of stream) chunks.push(chunk)
    expect(chunks.map(({ choices }) => choices[0]?.delta.content)).toEqual([
      "It ",
      "is ",
      "calm.",
      undefined,
      undefined
    ])
    expect(chunks.at(-1)?.usage).toMatchObject({ prompt_tokens: 10, completion_tokens: 3 })
    // Billing needs the usage, so the provider is asked for it in any case.
    expect(first.requests[0]?.body).toMatchObject({ stream_options: { include_usage: true } })
  })

  test("assembles streamed tool calls", async () => {
    const { client, first } = await startServer(host)
    first.always(toolCallReply)
    const stream = client.chat.completions.stream({ ...chatRequest, tools })
    const { choices } = await stream.finalChatCompletion()
    expect(choices[0]?.finish_reason).toBe("tool_calls")
    expect(choices[0]?.message.tool_calls).toMatchObject([
      toToolCall(lookCall),
      toToolCall(haltCall)
    ])
    expect(first.requests[0]?.body).toMatchObject({ tools })
  })

  test("aborts a stream, and the call to the provider is aborted", async () => {
    const { client, first, server } = await startServer(host)
    first.always(reply.chat(["It ", "is ", first.gate(), "calm."]))
    const stream = await client.chat.completions.create({ ...chatRequest, stream: true })
    for await (const { choices } of stream) {
      if (choices[0]?.delta.content === "is ") break
    }
    await first.waitForAborts(1)
    expect(server.calls).toEqual({ first: 1, second: 0 })
  })
})

describe("OpenAI's client", () => {
  test("can name fallback models", async () => {
    const third = await ScriptedUpstream.start()
    onTestFinished(() => third.close())
    third.always(calmReply)
    await using server = await TestServer.start({
      method: openaiMethod,
      extraUpstreams: [
        openaiMethod.makeUpstream(third.url, { slug: "third", name: "Third", apiKey: "sk-third" })
      ]
    })
    for (const each of slugs) server.upstreams[each].always(fault.status(503))
    const body = { ...chatRequest, models: ["proof/third"] }
    const { choices, model } = await makeOpenAiClient(server, keys.member).chat.completions.create(
      body
    )
    expect(choices[0]?.message.content).toBe("It is calm.")
    expect(model).toBe("proof/third")
    expect(server.calls).toEqual({ first: 1, second: 1 })
    expect(third.requests).toHaveLength(1)
  })

  test("can be aborted before the first chunk", async () => {
    const { client, first } = await startServer()
    first.always(pace.hold(first.gate()))
    const leaving = new AbortController()
    const sent = client.chat.completions.create(
      { ...chatRequest, stream: true },
      { signal: leaving.signal }
    )
    await first.waitForRequests(1)
    leaving.abort()
    await expect(sent).rejects.toBeInstanceOf(APIUserAbortError)
    await first.waitForAborts(1)
  })

  test("throws the error that interrupts a stream", async () => {
    const { client, first } = await startServer()
    first.always(fault.errorEvent(502, ["It ", "is "]))
    const stream = await client.chat.completions.create({ ...chatRequest, stream: true })
    const texts: Array<unknown> = []
    const reading = (async () => {
      for await (const { choices } of stream) texts.push(choices[0]?.delta.content)
    })()
    await expect(reading).rejects.toBeInstanceOf(APIError)
    await expect(reading).rejects.toMatchObject({ error: { code: 502 } })
    expect(texts).toEqual(["It ", "is "])
  })

  test.each<{
    readonly name: string
    readonly status: number
    readonly type: abstract new (...args: never) => APIError
    readonly key?: string
    readonly step?: Step
    readonly body?: object
  }>([
    { name: "a wrong key", key: "sk-wrong", status: 401, type: AuthenticationError },
    {
      name: "a key that cannot run models",
      key: keys.management,
      status: 403,
      type: PermissionDeniedError
    },
    {
      name: "an unknown model",
      body: { model: "no/such" },
      status: 400,
      type: BadRequestError
    },
    { name: "a 400", step: fault.status(400), status: 400, type: BadRequestError },
    { name: "a 404", step: fault.status(404), status: 404, type: NotFoundError },
    {
      name: "a 429",
      step: fault.status(429, { retryAfter: 7 }),
      status: 429,
      type: RateLimitError
    },
    { name: "a 500", step: fault.status(500), status: 502, type: InternalServerError },
    { name: "a 529", step: fault.status(529), status: 529, type: InternalServerError }
  ])(
    "throws its own error for $name, whole and streamed",
    async ({ body, key, status, step, type }) => {
      const { first, server } = await startServer()
      first.always(step ?? calmReply)
      const client = makeOpenAiClient(server, key ?? keys.member)
      for (const stream of [false, true]) {
        const request = { ...chatRequest, ...body, stream, provider: { only: ["first"] } }
        const failure: unknown = await client.chat.completions.create(request).then(
          () => undefined,
          (error: unknown) => error
        )
        expect(failure).toBeInstanceOf(type)
        expect(failure).toMatchObject({
          status,
          error: { code: status, message: expect.any(String) }
        })
      }
    }
  )

  test("lists models", async () => {
    const { client } = await startServer()
    const ids: Array<string> = []
    for await (const { id } of client.models.list()) ids.push(id)
    expect(ids).toEqual(["proof/model"])
  })
})
