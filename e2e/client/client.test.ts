/** The client against an instance, over HTTP. */
import { createClient, isClientError, isResponseError } from "@signalbox/client"
import { fault, reply } from "@signalbox/testing"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { ClientTestServer } from "./ClientTestServer.ts"

const model = "acme/small"
const messages = [{ role: "user", content: "Is it calm at sea?" }] as const
const provider = { order: ["first", "second"] }

let server: ClientTestServer
beforeEach(async () => {
  server = await ClientTestServer.start()
})
afterEach(() => server[Symbol.asyncDispose]())

const collect = async <A>(items: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const item of items) all.push(item)
  return all
}

const fail = (run: () => Promise<unknown>): Promise<unknown> =>
  run().then(
    () => expect.unreachable("it should fail"),
    (error: unknown) => error
  )

/** One script for either provider. */
const script = (...steps: ReadonlyArray<ReturnType<typeof reply.chat>>): void => {
  for (const upstream of server.upstreams) upstream.script(...steps)
}

describe("Decisions", () => {
  it("have answers of the types of their questions", async () => {
    script(reply.decision())
    const { answers, id, usage } = await server.connect().decide({
      model,
      provider,
      state: "My card was charged twice!",
      questions: {
        urgent: { type: "noul", instructions: "Is it urgent?" },
        topic: {
          type: "choice",
          instructions: "What is it about?",
          criteria: { billing: null, shipping: null }
        },
        anger: { type: "score", instructions: "How angry?", criteria: ["calm", "angry"] }
      }
    })
    expect(answers.topic.choice).toBe("billing")
    expect(answers.topic.probabilities.shipping).toBeCloseTo(1 / 3)
    expect(answers.urgent.noul).toBeGreaterThan(0.5)
    expect(answers.anger.score).toBeLessThan(0.5)
    expect(usage.input_tokens).toBeGreaterThan(0)
    const { data } = await server.connect().generations.get({ id: id ?? "" })
    expect(data.provider_name).toBeTypeOf("string")
  })

  it("have routing metadata if the header asks for it", async () => {
    script(reply.decision())
    const questions = { sure: { type: "noul", instructions: "Sure?" } } as const
    const headers = { "x-signalbox-metadata": "enabled" }
    const answer = await server.connect().decide({ model, state: "x", questions }, { headers })
    expect(answer.service_metadata).toBeTypeOf("object")
  })
})

describe("chats", () => {
  it("are whole or streamed", async () => {
    script(reply.chat("It is calm."))
    const client = server.connect()
    const whole = await client.chat.complete({ model, messages, temperature: 0 })
    expect(whole.choices[0]?.message.content).toBe("It is calm.")
    script(reply.chat(["It ", "is ", "calm."]))
    const chunks = await collect(client.chat.stream({ model, messages }))
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe(
      "It is calm."
    )
    expect(chunks.at(-1)?.usage?.completion_tokens).toBeGreaterThan(0)
  })

  it("are messages and responses, too", async () => {
    const client = server.connect()
    script(reply.chat("It is calm."))
    const message = await client.messages.create({ model, max_tokens: 100, messages })
    expect(message.content).toMatchObject([{ type: "text", text: "It is calm." }])
    script(reply.chat(["It ", "is calm."]))
    const events = await collect(client.messages.stream({ model, max_tokens: 100, messages }))
    expect(events.at(0)?.type).toBe("message_start")
    expect(events.at(-1)?.type).toBe("message_stop")
    script(reply.chat(["It ", "is calm."]))
    const response = await collect(client.responses.stream({ model, input: "Is it calm?" }))
    expect(response.at(-1)?.type).toBe("response.completed")
    expect((await client.messages.countTokens({ model, messages })).input_tokens).toBeGreaterThan(0)
  })

  it.each(["chat", "messages", "responses"] as const)(
    "of %s end with an error when the provider is killed in the middle",
    async (api) => {
      script(fault.drop("response_body", reply.chat(["It ", "is ", "calm ", "at ", "sea."])))
      const client = server.connect()
      const streams = {
        chat: () => client.chat.stream({ model, messages }),
        messages: () => client.messages.stream({ model, messages }),
        responses: () => client.responses.stream({ model, input: "Is it calm?" })
      }
      const seen: Array<unknown> = []
      const error = await fail(async () => {
        for await (const event of streams[api]()) seen.push(event)
      })
      expect(isClientError(error) && error.kind).toBe("stream")
      expect(error).toMatchObject({
        generationId: expect.stringMatching(/^gen-/),
        requestId: expect.any(String)
      })
      expect(seen.length).toBeGreaterThan(0)
    }
  )
})

describe("errors", () => {
  it("of each envelope have its facts", async () => {
    const client = server.connect()
    const unknown = await fail(() => client.chat.complete({ model: "acme/none", messages }))
    expect(unknown).toMatchObject({
      status: 400,
      facts: {
        code: 400,
        type: "invalid_request",
        availability: { code: "model_not_found", requested_models: ["acme/none"] }
      },
      operation: "POST /api/v1/chat/completions",
      requestId: expect.any(String)
    })
    const message = await fail(() => client.messages.create({ model: "acme/none", messages }))
    expect(message).toMatchObject({
      status: 404,
      facts: { code: "not_found_error", type: "not_found" }
    })
    const internId = "00000000-0000-4000-8000-000000000000"
    const intern = await fail(() => client.interns.get({ internId }))
    expect(intern).toMatchObject({ status: 404, facts: { code: "not_found" } })
    const turn = { messages: [{ role: "user", content: "Hello" }] } as const
    const chat = await fail(() => collect(client.interns.chat({ internId, ...turn })))
    expect(chat).toMatchObject({ status: 404, facts: { code: 404, reason: "not_found" } })
  })

  it("of failed providers have the record of the request", async () => {
    for (const upstream of server.upstreams) upstream.script(fault.status(503), fault.status(503))
    const error = await fail(() => server.connect().chat.complete({ model, messages }))
    expect(isResponseError(error, 502, 503, 529)).toBe(true)
    expect(error).toMatchObject({ generationId: expect.stringMatching(/^gen-/) })
  })

  it("of keys do not contain the key", async () => {
    const apiKey = "sk-of-nobody-77"
    const client = createClient({ baseUrl: server.root, apiKey, retries: 0 })
    const error = await fail(() => client.keys.getCurrent())
    expect(error).toMatchObject({ status: 401 })
    expect(JSON.stringify(error) + String(error)).not.toContain(apiKey)
    const forbidden = await fail(async () => server.connect().keys.list())
    expect(isResponseError(forbidden, 401, 403)).toBe(true)
  })
})

describe("management", () => {
  beforeEach(() => script(...Array.from({ length: 3 }, () => reply.chat("Yes."))))

  it("pages through lists by offset and by cursor", async () => {
    const admin = server.connect("management")
    const names = ["one", "two", "three"]
    for (const name of names) await admin.keys.create({ name })
    const listed = (await collect(admin.keys.list({ limit: 2 }))).map(({ name }) => name)
    expect(listed).toEqual(expect.arrayContaining(names))
    expect((await admin.keys.list({ limit: 2 })).data).toHaveLength(2)
    for (const _ of names) await server.connect().chat.complete({ model, messages, user: "pager" })
    await expect
      .poll(async () => (await admin.generations.list({ external_user: "pager" })).data.length)
      .toBe(3)
    const ids = (await collect(admin.generations.list({ external_user: "pager", limit: 2 }))).map(
      ({ id }) => id
    )
    expect(new Set(ids).size).toBe(3)
  })

  it("watches live endpoints", async () => {
    const reports = await collect(server.connect("management").live.watchEndpoints({ count: 1 }))
    expect(reports[0]?.endpoints.map(({ model }) => model)).toContain(model)
  })

  it("reads text", async () => {
    expect(await server.connect("management").reports.metrics()).toContain("# TYPE")
  })
})

describe("signals", () => {
  it("abort a stream, which ends the request at the provider", async () => {
    const [upstream] = server.upstreams
    const controller = new AbortController()
    const reason = new Error("enough")
    script(fault.silent("response_headers", reply.chat("It is calm.")))
    const started = upstream.requests.length
    const reading = collect(
      server
        .connect()
        .chat.stream(
          { model, messages, provider: { only: ["first"] } },
          { signal: controller.signal }
        )
    )
    await expect.poll(() => upstream.requests.length).toBe(started + 1)
    controller.abort(reason)
    await expect(reading).rejects.toBe(reason)
  })
})
