/** Chats with interns over HTTP: answers, error statuses and hostnames. */
import type { Options } from "@signalbox/core"
import type { AnswerEnd, AnswerEvent } from "@signalbox/core/dialects"
import { StoreUnavailable } from "@signalbox/core/stores"
import { UpstreamFailure } from "@signalbox/core/upstream"
import { InternStore } from "@signalbox/core/stores"
import type { ChatCapability, ChatEvent, InternAnswer } from "@signalbox/core/upstream"
import {
  makeReply,
  ScriptedInternHost,
  type InternTurnOutcome,
  makeTurnFailure
} from "@signalbox/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, test } from "vitest"
import { describeWithReference } from "../../packages/core/test/reference.ts"
import { type HttpResponse, parseErrorEnvelope } from "../support/HttpResponse.ts"
import { pickHosts } from "../support/pickHosts.ts"
import {
  getId,
  internKeys,
  type InternTestServerOptions,
  type InternTestServer,
  startInternTestServer
} from "./InternTestServer.ts"
import { getProperty } from "../support/getProperty.ts"
import { jumpClock } from "../support/jumpClock.ts"
import { sendStalledBody } from "../support/sendStalledBody.ts"
import { loadOpenApiSchemas } from "../support/OpenApiSchemas.ts"

const hosts = pickHosts(import.meta.filename)

const unknownId = "intern_0123456789abcdefghij"
const openapiPath = "/interns/{internId}/chat/completions"

const makeChunk = (event: AnswerEvent, end?: AnswerEnd): ChatEvent => ({
  type: "delta",
  choices: [{ index: 0, events: [event], ...(end === undefined ? undefined : { end }) }]
})

const pieces: ReadonlyArray<ChatEvent> = [
  makeChunk({ type: "thought", key: "0", format: "unknown", text: "Hm.", isSummary: false }),
  makeChunk({ type: "text", text: "It " }),
  makeChunk({ type: "text", text: "is." }, { reason: "length" }),
  {
    type: "end",
    usage: { inputTokens: 7, outputTokens: 5 },
    usageDetails: { prompt_tokens_details: { cached_tokens: 2 } }
  }
]

/** A provider that records its requests. */
const makeProvider = (
  stream: ChatCapability["stream"] = () => Stream.fromIterable(pieces)
): Pick<Options, "upstreams" | "models"> & { readonly asked: Array<unknown> } => {
  const asked: Array<unknown> = []
  return {
    asked,
    upstreams: [
      {
        slug: "first",
        name: "First",
        chat: {
          estimateWorstCase: () => ({ inputTokens: 10, outputTokens: 10 }),
          complete: () => Effect.fail(new UpstreamFailure({ kind: "server_error" })),
          stream: (call) => {
            const { messages, ...parameters } = call.native.body
            asked.push({ messages, parameters })
            return stream(call)
          }
        }
      }
    ],
    models: [
      {
        id: "proof/chat",
        endpoints: [{ provider: "first", price: { prompt: "0.001", completion: "0.001" } }]
      }
    ]
  }
}

const makeFailingProvider = (failure: ConstructorParameters<typeof UpstreamFailure>[0]) =>
  makeProvider(() => Stream.fail(new UpstreamFailure(failure)))

const prompt = {
  stream: true,
  messages: [{ role: "user", content: "Is it?" }]
}

type Sending = NonNullable<Parameters<InternTestServer["ask"]>[2]>

const sendChat = (
  server: InternTestServer,
  id: string,
  sending: Sending = {}
): Promise<HttpResponse> =>
  server.ask("POST", `/interns/${id}/chat/completions`, { body: prompt, ...sending })

/** Creates a running intern with its own model. */
const createRunningIntern = async (
  server: InternTestServer,
  changes: Readonly<Record<string, unknown>> = {}
): Promise<string> => {
  const id = getId(await server.create({ instructions: "Be brief." }))
  await server.ask("PATCH", `/interns/${id}`, { body: { model: "proof/chat", ...changes } })
  await server.ask("POST", `/interns/${id}/provision`)
  await server.until(id, "running")
  return id
}

/** The events of a stream, without comments. */
const parseEvents = ({ text }: HttpResponse): ReadonlyArray<unknown> =>
  text
    .split("\n\n")
    .filter((event) => event.startsWith("data: "))
    .map((event) => event.slice("data: ".length))
    .map((data) => (data === "[DONE]" ? data : (JSON.parse(data) as unknown)))

const getChoice = (event: unknown): unknown =>
  (getProperty(event, "choices") as ReadonlyArray<unknown> | undefined)?.[0]

const startInProcess = (
  { models, upstreams } = makeProvider(),
  rest: Partial<Options> = {}
): InternTestServerOptions => ({
  options: { models, upstreams, interns: { domain: "Interns.Example.com" }, ...rest }
})

const startScripted = (
  ...outcomes: ReadonlyArray<InternTurnOutcome>
): { readonly host: ScriptedInternHost; readonly serverOptions: InternTestServerOptions } => {
  const host = new ScriptedInternHost({ domain: "interns.example.com", isServed: true })
  host.scriptTurns(...outcomes)
  return { host, serverOptions: { options: { interns: { host: host.host } } } }
}

/** The intern host never finishes the destruction of an intern. */
const makeUnendingDestruction = (): InternTestServerOptions => {
  const { host, serverOptions } = startScripted()
  host.script("destroy", Effect.never)
  return serverOptions
}

test("an intern in process answers with its model and its instructions", async () => {
  const model = makeProvider()
  const server = await startInternTestServer(startInProcess(model))
  const id = await createRunningIntern(server)
  const answer = await sendChat(server, id, {
    body: {
      ...prompt,
      model: "ignored/model",
      session_id: "mine",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "He" },
            { type: "text", text: "llo" }
          ]
        },
        { role: "assistant", content: null, tool_calls: [] },
        { role: "assistant", content: "Hello." },
        { role: "tool", tool_call_id: "1", content: "yes" },
        { role: "user", content: "Is it?" }
      ]
    }
  })
  expect([answer.status, answer.headers["content-type"]]).toEqual([200, "text/event-stream"])
  const events = parseEvents(answer)
  const head = {
    id: expect.stringMatching(/^gen-\d+-\w{20}$/),
    object: "chat.completion.chunk",
    created: expect.any(Number),
    model: "proof/chat"
  }
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason }]
  })
  expect(events).toEqual([
    chunk({ role: "assistant" }),
    chunk({ reasoning: "Hm." }),
    chunk({ content: "It " }),
    chunk({ content: "is." }),
    chunk({}, "stop"),
    {
      ...head,
      choices: [],
      session_id: "mine",
      usage: {
        prompt_tokens: 7,
        completion_tokens: 5,
        total_tokens: 12,
        cost: 0.012,
        prompt_tokens_details: { cached_tokens: 2 }
      }
    },
    "[DONE]"
  ])
  expect(model.asked).toEqual([
    {
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Hello" },
        { role: "assistant", content: "Hello." },
        { role: "user", content: "Is it?" }
      ],
      parameters: {}
    }
  ])
  const record = await server.ask("GET", `/generation?id=${String(getProperty(events[0], "id"))}`)
  expect(getProperty(record.body, "data")).toMatchObject({ session_id: "mine", total_cost: 0.012 })
})

test("an intern passes on the refusal of its model", async () => {
  const refusing = makeProvider(() =>
    Stream.make(makeChunk({ type: "refusal", refusal: "I cannot." }, { reason: "stop" }), {
      type: "end" as const,
      usage: { inputTokens: 7, outputTokens: 5 }
    })
  )
  const server = await startInternTestServer(startInProcess(refusing))
  const answer = await sendChat(server, await createRunningIntern(server))
  expect(getChoice(parseEvents(answer)[1])).toMatchObject({ delta: { content: "I cannot." } })
})

test("changed instructions of an intern apply from its next provisioning", async () => {
  const model = makeProvider()
  const server = await startInternTestServer(startInProcess(model))
  const id = await createRunningIntern(server)
  await server.ask("PATCH", `/interns/${id}`, { body: { instructions: "Be long." } })
  await sendChat(server, id)
  await server.ask("POST", `/interns/${id}/suspend`)
  await server.ask("POST", `/interns/${id}/provision`)
  await server.until(id, "running")
  await sendChat(server, id)
  expect(
    model.asked
      .map((asked) => getProperty(asked, "messages") as ReadonlyArray<unknown>)
      .map(([first]) => first)
  ).toEqual([
    { role: "system", content: "Be brief." },
    { role: "system", content: "Be long." }
  ])
})

test("a chat without a session gets a new one, whose id is in the last chunk", async () => {
  const server = await startInternTestServer(startInProcess())
  const id = await createRunningIntern(server)
  const sessions = [await sendChat(server, id), await sendChat(server, id)].map((answer) =>
    getProperty(parseEvents(answer).at(-2), "session_id")
  )
  expect(sessions).toEqual([expect.any(String), expect.any(String)])
  expect(sessions[0]).not.toBe(sessions[1])
})

test("a stream ends with an error and the session id when the model breaks off", async () => {
  const server = await startInternTestServer(
    startInProcess(
      makeProvider(() =>
        Stream.concat(
          Stream.make(makeChunk({ type: "text", text: "It " })),
          Stream.fromEffect(
            Effect.delay(Effect.fail(new UpstreamFailure({ kind: "overloaded" })), 5)
          )
        )
      )
    )
  )
  const answer = await sendChat(server, await createRunningIntern(server))
  const [error, last, done] = parseEvents(answer).slice(-3)
  expect(answer.status).toBe(200)
  expect(getChoice(error)).toEqual({ index: 0, delta: {}, finish_reason: "error" })
  expect(getProperty(error, "error")).toEqual({
    code: 503,
    message: expect.any(String),
    metadata: { reason: "busy", retryable: true }
  })
  expect(last).toMatchObject({ choices: [], session_id: expect.any(String), usage: null })
  expect(done).toBe("[DONE]")
})

test("a disconnecting client aborts the call to the provider", async () => {
  let end: (() => void) | undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  const server = await startInternTestServer(
    startInProcess(
      makeProvider(() =>
        Stream.concat(Stream.make(makeChunk({ type: "text", text: "It " })), Stream.never).pipe(
          Stream.ensuring(Effect.sync(() => end?.()))
        )
      )
    )
  )
  const id = await createRunningIntern(server)
  const controller = new AbortController()
  const response = await fetch(`${server.root}/api/v1/interns/${id}/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${internKeys.member}`,
      "content-type": "application/json"
    },
    body: JSON.stringify(prompt),
    signal: controller.signal
  })
  await response.body?.getReader().read()
  controller.abort()
  await ended
  expect(response.status).toBe(200)
})

test("a silent stream receives keepalive comments until the turn times out", async () => {
  const { serverOptions } = startScripted(() =>
    Effect.succeed({ type: "stream", session: "s", events: Stream.never })
  )
  const server = await startInternTestServer({
    ...serverOptions,
    settings: { keepaliveMillis: 20, internChatTimeoutMillis: 300 }
  })
  const answer = await sendChat(server, await createRunningIntern(server))
  expect(answer.text).toContain(": keepalive\n\n")
  expect(getProperty(parseEvents(answer).at(-3), "error")).toMatchObject({
    code: 504,
    metadata: { reason: "timeout", retryable: true }
  })
})

test("a silent turn times out although the clock is set back by a day when it starts", async () => {
  const { serverOptions } = startScripted(() =>
    Effect.sync(() => {
      jumpClock(-86_400_000)
      return { type: "stream", session: "s", events: Stream.never }
    })
  )
  const server = await startInternTestServer({
    ...serverOptions,
    settings: { internChatTimeoutMillis: 300 }
  })
  const answer = await sendChat(server, await createRunningIntern(server))
  expect(getProperty(parseEvents(answer).at(-3), "error")).toMatchObject({ code: 504 })
})

test("an intern without a model fails to provision", async () => {
  const server = await startInternTestServer(startInProcess())
  const id = getId(await server.create({ provision: true }))
  const failed = await server.until(id, "failed")
  const message = String(getProperty(failed, "last_failure_message"))
  expect(message).toContain("PATCH its model")
  expect(message).toContain("default_text_model")
})

test("an intern without a model uses the default model of the configuration", async () => {
  const workspaceDefaults = { defaultTextModel: "proof/chat" }
  const server = await startInternTestServer(startInProcess(makeProvider(), { workspaceDefaults }))
  const id = getId(await server.create({ provision: true }))
  await server.until(id, "running")
  expect((await sendChat(server, id)).status).toBe(200)
})

test("the error for provisioning a running intern says to suspend it first", async () => {
  const server = await startInternTestServer(startInProcess())
  const refused = await server.ask(
    "POST",
    `/interns/${await createRunningIntern(server)}/provision`
  )
  expect(refused.status).toBe(409)
  expect(parseErrorEnvelope(refused).message).toBe(
    "The intern is running, and cannot be provisioned; suspend it first"
  )
})

test("the error for a chat without streaming says that interns always stream", async () => {
  const server = await startInternTestServer(startInProcess())
  const { messages } = prompt
  const refused = await sendChat(server, await createRunningIntern(server), { body: { messages } })
  expect(refused.status).toBe(400)
  expect(parseErrorEnvelope(refused).message).toBe("stream: must be true, interns always stream")
})

test("the error for an invalid name describes a valid one", async () => {
  const server = await startInternTestServer(startInProcess())
  const refused = await server.create({ name: "Ada Lovelace" })
  expect(parseErrorEnvelope(refused).message).toBe(
    "name: expected lower-case letters, digits and single hyphens between them, a letter first"
  )
})

test("an answer without an end event is reported as severed", async () => {
  const { serverOptions } = startScripted(() =>
    Effect.succeed({ type: "stream", session: "s", events: Stream.empty })
  )
  const server = await startInternTestServer(serverOptions)
  const answer = await sendChat(server, await createRunningIntern(server))
  expect(getProperty(parseEvents(answer).at(-3), "error")).toMatchObject({
    code: 502,
    metadata: { reason: "stream_severed", retryable: true }
  })
})

test("a defect of the intern host ends the stream with an error that hides the cause", async () => {
  const { serverOptions } = startScripted(() =>
    Effect.succeed({
      type: "stream",
      session: "s",
      events: Stream.die(new Error("no way to db.internal"))
    })
  )
  const server = await startInternTestServer(serverOptions)
  const answer = await sendChat(server, await createRunningIntern(server))
  expect(answer.text).not.toContain("db.internal")
  expect(getProperty(parseEvents(answer).at(-3), "error")).toEqual({
    code: 502,
    message: "the intern failed unexpectedly",
    metadata: { reason: "turn_failed", retryable: false }
  })
})

const permissionRequest = '{"kind":"permission","operation":null,"options":[]}'

test("an intern can ask a question and receives the answer in its session", async () => {
  const { host, serverOptions } = startScripted(() =>
    Effect.succeed({
      type: "stream",
      session: "s",
      events: Stream.make({
        type: "question" as const,
        id: "q-1",
        argumentsJson: permissionRequest
      })
    })
  )
  const server = await startInternTestServer(serverOptions)
  const id = await createRunningIntern(server)
  const question = parseEvents(
    await sendChat(server, id, { body: { ...prompt, approval_mode: "manual" } })
  )
  expect(question.slice(1, 4).map(getChoice)).toEqual([
    {
      index: 0,
      delta: {
        tool_calls: [
          {
            index: 0,
            id: "q-1",
            type: "function",
            function: { name: "openrouter.provide_input", arguments: permissionRequest }
          }
        ]
      },
      finish_reason: null
    },
    { index: 0, delta: {}, finish_reason: "tool_calls" },
    undefined
  ])
  expect(question[3]).toMatchObject({ session_id: "s", usage: null })
  const reply = {
    stream: true,
    session_id: "s",
    messages: [{ role: "tool", tool_call_id: "q-1", content: "allow_once" }]
  }
  await sendChat(server, id, { body: reply })
  expect(
    host.turns.map(({ turn: { approval, prompt: text, session } }) => [approval, text, session])
  ).toEqual([
    ["manual", { role: "user", text: "Is it?" }, undefined],
    ["self-drive", { role: "tool", text: "allow_once", questionId: "q-1" }, "s"]
  ])
})

test("a message to a busy intern steers its current turn", async () => {
  const steered: InternAnswer = { type: "steered", session: "s" }
  const { serverOptions } = startScripted(() => Effect.succeed(steered))
  const server = await startInternTestServer(serverOptions)
  const answer = await sendChat(server, await createRunningIntern(server))
  expect([answer.status, answer.body]).toEqual([202, { status: "steered", session_id: "s" }])
})

/** Sends a chat to the test server under this hostname. */
const sendToHostname = (
  server: InternTestServer,
  hostname: string,
  key: string = internKeys.member
) => server.ask("POST", "/chat/completions", { body: prompt, key, headers: { host: hostname } })

describe.each(hosts)("a hostname of an intern, behind $name", (host) => {
  test("serves its chats", async () => {
    const server = await startInternTestServer({ ...startInProcess(), host, mount: "/behind/ai" })
    const id = await createRunningIntern(server)
    const { body } = await server.ask("GET", `/interns/${id}`)
    const hostname = String(getProperty(body, "hostname"))
    expect(hostname).toBe(`ada-${id.slice(-20)}.interns.example.com`)
    const answer = await sendToHostname(server, `${hostname.toUpperCase()}:8443`)
    expect([answer.status, parseEvents(answer).at(-1)]).toEqual([200, "[DONE]"])
    expect(getProperty(parseEvents(answer).at(-2), "session_id")).toEqual(expect.any(String))

    const notFound = { code: 404, metadata: { reason: "not_found", retryable: false } }
    expect(
      parseErrorEnvelope(await sendToHostname(server, hostname, internKeys.other))
    ).toMatchObject(notFound)
    expect(
      parseErrorEnvelope(await sendToHostname(server, "eve.interns.example.com"))
    ).toMatchObject(notFound)
    const stranger = await sendToHostname(server, hostname, "sk-unknown")
    expect(parseErrorEnvelope(stranger)).toMatchObject({
      code: 401,
      message: "Invalid or missing API key"
    })

    for (const elsewhere of ["interns.example.com", "notinterns.example.com", "example.com"]) {
      const usual = await server.ask("POST", "/chat/completions", {
        body: { ...prompt, model: "proof/chat" },
        headers: { host: elsewhere }
      })
      expect(getProperty(parseEvents(usual)[0], "provider")).toBe("First")
    }
  })
})

test("a closing instance answers at an intern hostname with an error of the interns API", async () => {
  const server = await startInternTestServer(startInProcess())
  await server.instance.close()
  expect(parseErrorEnvelope(await sendToHostname(server, "eve.interns.example.com"))).toMatchObject(
    {
      code: 503,
      metadata: { reason: "busy", retryable: true }
    }
  )
})

test("an in-process caller can chat with an intern", async () => {
  const server = await startInternTestServer(startInProcess())
  const id = await createRunningIntern(server)
  const chunks = []
  for await (const chunk of server.instance.interns.chat({
    internId: id,
    messages: [{ role: "user", content: "Is it?" }]
  })) {
    chunks.push(chunk)
  }
  expect(chunks).toHaveLength(6)
  const unknown = server.instance.interns.chat({
    internId: unknownId,
    messages: [{ role: "user", content: "?" }]
  })
  await expect(unknown[Symbol.asyncIterator]().next()).rejects.toMatchObject({ status: 404 })
})

interface StatusCase {
  readonly status: number
  readonly why: string
  readonly reason?: string
  readonly retryable?: boolean
  readonly serverOptions?: InternTestServerOptions
  readonly ask: (server: InternTestServer) => Promise<HttpResponse>
}

const failStore = ({ instance }: InternTestServer, verb: () => Effect.Effect<never>): void => {
  const store = Context.get(instance.context, InternStore)
  Object.assign(store, Object.fromEntries(Object.keys(store).map((each) => [each, verb])))
}

const chatWithNewIntern = async (server: InternTestServer) =>
  sendChat(server, await createRunningIntern(server))

const invalidBodies: Readonly<Record<string, unknown>> = {
  "invalid JSON": "{",
  "not streamed": { ...prompt, stream: false },
  "no streaming option": { messages: prompt.messages },
  "no messages": { ...prompt, messages: [] },
  "a message of an unknown role": { ...prompt, messages: [{ role: "unknown", content: "x" }] },
  "a last message of the assistant": { ...prompt, messages: [{ role: "assistant", content: "x" }] },
  "an empty prompt": { ...prompt, messages: [{ role: "user", content: [] }] },
  "a picture": { ...prompt, messages: [{ role: "user", content: [{ type: "image_url" }] }] },
  "a long prompt": { ...prompt, messages: [{ role: "user", content: "x".repeat(32_001) }] },
  "an answer to a question without its session": {
    ...prompt,
    messages: [{ role: "tool", tool_call_id: "q", content: "x" }]
  },
  "an unknown approval mode": { ...prompt, approval_mode: "whatever" },
  "a long session": { ...prompt, session_id: "x".repeat(257) }
}

const makeHostFailureCase = (
  status: number,
  reason: string,
  retryable: boolean,
  fate: InternTurnOutcome
): StatusCase => ({
  status,
  why: `its host says ${reason}`,
  reason,
  retryable,
  serverOptions: startScripted(fate).serverOptions,
  ask: chatWithNewIntern
})

const makeModelFailureCase = (
  status: number,
  reason: string,
  retryable: boolean,
  failure: ConstructorParameters<typeof UpstreamFailure>[0]
): StatusCase => ({
  status,
  why: `its model fails by ${failure.kind}`,
  reason,
  retryable,
  serverOptions: startInProcess(makeFailingProvider(failure)),
  ask: chatWithNewIntern
})

const statusCases: ReadonlyArray<StatusCase> = [
  ...Object.entries(invalidBodies).map(([why, body]): StatusCase => ({
    status: 400,
    why,
    reason: "bad_request",
    retryable: false,
    ask: (server) => sendChat(server, unknownId, { body })
  })),
  {
    status: 415,
    why: "a body of another type",
    reason: "bad_request",
    retryable: false,
    ask: (server) => sendChat(server, unknownId, { headers: { "content-type": "text/plain" } })
  },
  makeModelFailureCase(400, "bad_request", false, { kind: "content_refused", status: 400 }),
  { status: 401, why: "no key", ask: (server) => sendChat(server, unknownId, { key: "" }) },
  {
    status: 401,
    why: "a management key",
    reason: "management_key",
    retryable: false,
    ask: (server) => sendChat(server, unknownId, { key: internKeys.management })
  },
  {
    status: 403,
    why: "a regional hostname",
    serverOptions: { settings: { regionalHostnames: ["eu.example.com"] } },
    ask: (server) => sendChat(server, unknownId, { headers: { host: "eu.example.com" } })
  },
  {
    status: 403,
    why: "no credits",
    reason: "turn_failed",
    retryable: false,
    serverOptions: startInProcess(makeProvider(), { credits: { default: "0" } }),
    ask: chatWithNewIntern
  },
  {
    status: 404,
    why: "an ineligible user",
    reason: "not_found",
    retryable: false,
    serverOptions: { eligibility: () => false },
    ask: (server) => sendChat(server, unknownId)
  },
  {
    status: 404,
    why: "an unknown intern",
    reason: "not_found",
    retryable: false,
    ask: (server) => sendChat(server, unknownId)
  },
  {
    status: 404,
    why: "an intern of another workspace",
    reason: "not_found",
    retryable: false,
    serverOptions: startInProcess(),
    ask: async (server) =>
      sendChat(server, await createRunningIntern(server), { key: internKeys.other })
  },
  {
    status: 404,
    why: "an answer to a question that was not asked",
    reason: "interaction_unknown",
    retryable: false,
    serverOptions: startInProcess(),
    ask: async (server) =>
      sendChat(server, await createRunningIntern(server), {
        body: {
          ...prompt,
          session_id: "s",
          messages: [{ role: "tool", tool_call_id: "q", content: "x" }]
        }
      })
  },
  {
    status: 408,
    why: "a hanging store",
    reason: "timeout",
    retryable: true,
    serverOptions: { settings: { internRequestTimeoutMillis: 50 } },
    ask: (server) => {
      failStore(server, () => Effect.never)
      return sendChat(server, unknownId)
    }
  },
  {
    status: 409,
    why: "an intern that is not running",
    reason: "intern_not_ready",
    retryable: true,
    ask: async (server) => sendChat(server, getId(await server.create()))
  },
  makeHostFailureCase(409, "busy", true, makeTurnFailure("busy", "one moment", 2_500)),
  makeHostFailureCase(
    409,
    "interaction_not_pending",
    false,
    makeTurnFailure("interaction_not_pending", "x")
  ),
  {
    status: 410,
    why: "an intern that is being deleted",
    reason: "run_ended",
    retryable: false,
    serverOptions: makeUnendingDestruction(),
    ask: async (server) => {
      const id = await server.createRunning()
      await server.ask("DELETE", `/interns/${id}`)
      return sendChat(server, id)
    }
  },
  makeHostFailureCase(410, "run_ended", false, makeTurnFailure("run_ended", "it is over")),
  ...[false, true].map((chunked): StatusCase => ({
    status: 413,
    why: chunked ? "a long body in pieces" : "a long body",
    reason: "payload_too_large",
    retryable: false,
    ask: (server) =>
      sendChat(server, unknownId, { chunked, body: { ...prompt, model: "x".repeat(1_048_577) } })
  })),
  makeHostFailureCase(413, "payload_too_large", false, makeTurnFailure("payload_too_large", "x")),
  {
    status: 429,
    why: "an exceeded rate limit",
    reason: "rate_limited",
    retryable: true,
    serverOptions: { settings: { rateLimit: { requests: 1, windowMillis: 60_000 } } },
    ask: async (server) => {
      await server.ask("GET", "/interns")
      return sendChat(server, unknownId)
    }
  },
  makeModelFailureCase(429, "rate_limited", true, { kind: "rate_limited", status: 429 }),
  makeHostFailureCase(
    502,
    "intern_unreachable",
    true,
    makeTurnFailure("intern_unreachable", "no way")
  ),
  makeHostFailureCase(502, "intern_rejected", false, makeTurnFailure("intern_rejected", "no")),
  makeHostFailureCase(502, "turn_failed", false, () =>
    Effect.die(new Error("no way to db.internal"))
  ),
  makeModelFailureCase(502, "turn_failed", true, { kind: "server_error", status: 500 }),
  {
    status: 502,
    why: "no model on the intern and its workspace",
    reason: "turn_failed",
    retryable: false,
    serverOptions: startInProcess(),
    ask: async (server) => {
      const setDefault = (default_text_model: string | null) =>
        server.ask("PATCH", "/workspaces/default", {
          key: internKeys.management,
          body: { default_text_model }
        })
      await setDefault("proof/chat")
      const id = await server.createRunning()
      await setDefault(null)
      return sendChat(server, id)
    }
  },
  {
    status: 502,
    why: "an unknown model",
    reason: "turn_failed",
    retryable: false,
    serverOptions: startInProcess(),
    ask: async (server) => sendChat(server, await createRunningIntern(server, { model: "no/such" }))
  },
  {
    status: 502,
    why: "an intern host without chats",
    reason: "turn_failed",
    retryable: false,
    serverOptions: {
      options: { interns: { host: new ScriptedInternHost({ canChat: false }).host } }
    },
    ask: async (server) => sendChat(server, await server.createRunning())
  },
  {
    status: 502,
    why: "a defect",
    reason: "turn_failed",
    retryable: false,
    ask: (server) => {
      failStore(server, () => Effect.die(new Error("no way to db.internal")))
      return sendChat(server, unknownId)
    }
  },
  {
    status: 503,
    why: "an unavailable store",
    reason: "busy",
    retryable: true,
    ask: (server) => {
      failStore(server, () => Effect.die(new StoreUnavailable({ cause: new Error("db.internal") })))
      return sendChat(server, unknownId)
    }
  },
  {
    status: 503,
    why: "a closed instance",
    reason: "busy",
    retryable: true,
    ask: async (server) => {
      await server.instance.close()
      return sendChat(server, unknownId)
    }
  },
  makeModelFailureCase(503, "busy", true, { kind: "overloaded", status: 503 }),
  makeHostFailureCase(504, "timeout", true, makeTurnFailure("timeout", "too long")),
  {
    status: 504,
    why: "a turn that does not start",
    reason: "timeout",
    retryable: true,
    serverOptions: {
      ...startScripted(() => Effect.never).serverOptions,
      settings: { internChatTimeoutMillis: 50 }
    },
    ask: chatWithNewIntern
  },
  makeModelFailureCase(504, "timeout", true, { kind: "timeout" })
]

describeWithReference("the statuses of a chat with an intern", (pathOf) => {
  const schemas = () => loadOpenApiSchemas(pathOf("wire/openapi.json"))

  test("are all covered", () => {
    const covered = Array.from(new Set(statusCases.map(({ status }) => status)))
    expect(covered.toSorted((one, other) => one - other)).toEqual(
      schemas()
        .listStatuses("post", openapiPath)
        .filter((status) => status >= 400)
        // Every operation may answer 415, although the document does not list it.
        .concat(415)
        .toSorted((one, other) => one - other)
    )
  })

  test.each(statusCases)(
    "$status, $why",
    async ({ ask, reason, retryable, serverOptions, status }) => {
      const answer = await ask(await startInternTestServer(serverOptions))
      expect(parseErrorEnvelope(answer)).toEqual({
        code: status,
        message: expect.any(String),
        metadata: reason === undefined ? undefined : { reason, retryable }
      })
      expect(answer.status).toBe(status)
      expect(schemas().listProblems("post", openapiPath, answer)).toEqual([])
      expect(answer.text).not.toContain("db.internal")
      const waits = reason === "busy" || reason === "rate_limited"
      expect(Number(answer.headers["retry-after"] ?? 0) > 0).toBe(waits)
    }
  )
})

test("the error of a busy intern has a retry-after header", async () => {
  const { serverOptions } = startScripted(
    makeTurnFailure("busy", "one moment", 2_500),
    makeReply(["Now."])
  )
  const server = await startInternTestServer(serverOptions)
  const id = await createRunningIntern(server)
  const busy = await sendChat(server, id)
  expect(busy.headers["retry-after"]).toBe("3")
  expect(getChoice(parseEvents(await sendChat(server, id))[1])).toMatchObject({
    delta: { content: "Now." }
  })
})

test("a stalled request body times out", async () => {
  const server = await startInternTestServer({ settings: { internRequestTimeoutMillis: 100 } })
  const url = `${server.root}/api/v1/interns/${unknownId}/chat/completions`
  const status = await sendStalledBody(url, { key: internKeys.member, method: "POST" })
  expect(status).toBe(408)
})
