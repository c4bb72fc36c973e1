/** Anthropic's own client, unmodified, in front of providers of every API. */
import Anthropic from "@anthropic-ai/sdk"
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema"
import { fault, reply } from "@signalbox/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import {
  memberKey,
  MessagesServer,
  type MessagesServerOptions,
  providers
} from "../messages/MessagesServer.ts"

const start = async (options: MessagesServerOptions = {}) => {
  const server = await MessagesServer.start({ mount: "/ai", ...options })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const client = new Anthropic({
    apiKey: memberKey,
    baseURL: `${server.root}/api`,
    maxRetries: 0
  })
  return { client, server }
}

const ask = (model: string) => ({
  model,
  max_tokens: 1_000,
  messages: [{ role: "user" as const, content: "What is a lighthouse?" }]
})

const usage = { inputTokens: 20, outputTokens: 9 }
const calm = reply.chat(["A tower ", "with a light."], { usage, reasoning: "Towers, I think." })

describe.each(providers)("at a provider of the API %s", (provider) => {
  const model = `proof/${provider}`

  test("a message is answered as a whole", async () => {
    const { client, server } = await start()
    server.upstreams[provider].always(calm)
    const { data, request_id: id } = await client.messages.create(ask(model)).withResponse()
    expect(data).toMatchObject({
      id,
      type: "message",
      role: "assistant",
      model,
      stop_reason: "end_turn",
      usage: { input_tokens: 20, output_tokens: 9 }
    })
    expect(data.content.at(-1)).toMatchObject({ type: "text", text: "A tower with a light." })
  })

  test("a message is streamed, and put together by the helper", async () => {
    const { client, server } = await start()
    server.upstreams[provider].always(calm)
    const texts: Array<string> = []
    const stream = client.messages.stream(ask(model)).on("text", (text) => texts.push(text))
    const message = await stream.finalMessage()
    expect(texts.join("")).toBe("A tower with a light.")
    expect(message).toMatchObject({
      model,
      stop_reason: "end_turn",
      usage: { input_tokens: 20, output_tokens: 9 }
    })
    expect(message.content.at(-1)).toMatchObject({ type: "text", text: "A tower with a light." })
  })

  test.each([false, true])("its tool runner calls a tool, streamed: %s", async (stream) => {
    const { client, server } = await start()
    const toolCalls = [{ id: "toolu_1", name: "look_up", arguments: '{"word":"lighthouse"}' }]
    server.upstreams[provider].script(
      reply.chat("Let me look.", { toolCalls, reasoning: "Look it up.", usage }),
      reply.chat("A tower.", { usage })
    )
    const words: Array<string> = []
    const lookUp = betaTool({
      name: "look_up",
      description: "Looks up a word",
      inputSchema: {
        type: "object",
        properties: { word: { type: "string" } },
        required: ["word"]
      },
      run: ({ word }) => {
        words.push(word)
        return "A tower with a light."
      }
    })
    const runner = client.beta.messages.toolRunner({ ...ask(model), tools: [lookUp], stream })
    const final = await runner.runUntilDone()
    expect(words).toEqual(["lighthouse"])
    expect(final.content.at(-1)).toMatchObject({ type: "text", text: "A tower." })
    // The client falls back to whole conversations, because the router keeps none.
    expect(server.upstreams[provider].requests).toHaveLength(2)
    expect(JSON.stringify(server.upstreams[provider].requests[1]?.body)).toContain(
      "A tower with a light."
    )
  })

  test("an abort half way reaches the provider, and is charged", async () => {
    const { client, server } = await start()
    const gate = server.upstreams[provider].gate()
    server.upstreams[provider].script(reply.chat(["All ", gate, "is calm."]))
    const stream = client.messages.stream(ask(model))
    const aborted = new Promise<void>((resolve) => stream.on("text", () => resolve()))
    const ended = stream.done().catch((error: unknown) => error)
    await aborted
    stream.abort()
    expect(await ended).toBeInstanceOf(Anthropic.APIUserAbortError)
    await server.upstreams[provider].waitForAborts(1)
    const record = stream.currentMessage?.id
    await expect.poll(() => server.findRecord(record)).toMatchObject({ api: "messages" })
  })

  test("an answer that breaks off throws", async () => {
    const { client, server } = await start()
    server.upstreams[provider].script(fault.errorEvent(502, ["All ", "is "]))
    const stream = client.messages.stream(ask(model))
    await expect(stream.finalMessage()).rejects.toThrow(/api_error/)
  })
})

test("a provider that fails is followed by one of another API", async () => {
  const { client, server } = await start()
  server.upstreams.messages.always(fault.status(529))
  server.upstreams.chat.always(calm)
  const body = {
    ...ask("proof/messages"),
    fallbacks: [{ model: "proof/chat" }]
  } as Anthropic.MessageCreateParamsNonStreaming
  expect(await client.messages.create(body)).toMatchObject({ model: "proof/chat" })
  const stream = client.messages.stream(body)
  expect(await stream.finalMessage()).toMatchObject({ model: "proof/chat" })
})

test("tokens are counted", async () => {
  const { client } = await start()
  const { max_tokens: _, ...request } = ask("proof/chat")
  const { input_tokens: tokens } = await client.messages.countTokens(request)
  expect(tokens).toBeGreaterThan(0)
})

test("models are listed page by page, and found by id", async () => {
  const { client } = await start()
  const ids: Array<string> = []
  for await (const { id } of client.models.list({ limit: 2 })) ids.push(id)
  expect(ids.toSorted()).toEqual([
    "proof/all",
    "proof/chat",
    "proof/gemini",
    "proof/messages",
    "proof/responses"
  ])
  expect(await client.models.retrieve("proof/chat")).toMatchObject({
    id: "proof/chat",
    type: "model"
  })
  await expect(client.models.retrieve("proof/none")).rejects.toBeInstanceOf(Anthropic.NotFoundError)
})

test("errors have the classes of the client", async () => {
  const { client, server } = await start()
  await expect(client.messages.create(ask("proof/none"))).rejects.toMatchObject({
    status: 404,
    error: { error: { type: "not_found_error" } }
  })
  const stranger = new Anthropic({ apiKey: "sk-x", baseURL: `${server.root}/api`, maxRetries: 0 })
  await expect(stranger.messages.create(ask("proof/chat"))).rejects.toBeInstanceOf(
    Anthropic.AuthenticationError
  )
  server.upstreams.chat.script(fault.status(429))
  await expect(client.messages.create(ask("proof/chat"))).rejects.toBeInstanceOf(
    Anthropic.RateLimitError
  )
})

test("betas reach providers with this API alone", async () => {
  const { client, server } = await start()
  for (const upstream of Object.values(server.upstreams)) upstream.always(calm)
  const betas = ["context-1m-2025-08-07", "files-api-2025-04-14"]
  for (const provider of ["messages", "chat"] as const) {
    await client.beta.messages.create({ ...ask(`proof/${provider}`), betas })
  }
  const [native] = server.upstreams.messages.requests
  expect(native?.headers["anthropic-beta"]).toBe(betas.join(","))
  const [other] = server.upstreams.chat.requests
  expect(Object.keys(other?.headers ?? {}).filter((name) => name.startsWith("anthropic"))).toEqual(
    []
  )
})

test("silence is filled with events that the client ignores", async () => {
  const { client, server } = await start({ settings: { keepaliveMillis: 20 } })
  const gate = server.upstreams.chat.gate()
  server.upstreams.chat.script(reply.chat(["All ", gate, "is calm."]))
  /** Lets the provider go on once what fills its silence has arrived. */
  const watch = async (body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> => {
    let received = ""
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      received += text
      if (received.includes("event: ping")) gate.open()
    }
    return received
  }
  let watched: Promise<string> | undefined
  const stream = client
    .withOptions({
      fetch: async (input, init) => {
        const { body, headers, status } = await fetch(input, init)
        const [seen, passedOn] = body!.tee()
        watched = watch(seen)
        return new Response(passedOn, { headers, status })
      }
    })
    .messages.stream(ask("proof/chat"))
  const message = await stream.finalMessage()
  expect(message.content).toMatchObject([{ type: "text", text: "All is calm." }])
  expect(await watched).toMatch(/"All "[^]*event: ping\n[^]*"is calm\."/)
})
