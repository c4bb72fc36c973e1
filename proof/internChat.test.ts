/** Talking to interns over HTTP: how answers come, each status that the wire lists, who is reached at a hostname. */
import { type Options, StoreUnavailable, UpstreamFailure } from "@signalbox/core"
import { InternStore } from "@signalbox/core/stores"
import { type ChatCapability, type ChatEvent, type InternAnswer } from "@signalbox/core/upstream"
import { answers, ScriptedInternHost, type TurnFate, turnFails } from "@signalbox/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, test } from "vitest"
import { describeWithReference } from "../packages/core/test/reference.ts"
import { type Answer, errorIn } from "./Answer.ts"
import { hosts } from "./hosts.ts"
import { idOf, internKeys, type InternScene, type InternStage, openInterns } from "./InternStage.ts"
import { property } from "./property.ts"
import { statusOfStalled } from "./stalled.ts"
import { wireSchemas } from "./wireSchemas.ts"

const unknownId = "intern_0123456789abcdefghij"
const wirePath = "/interns/{internId}/chat/completions"

const said = (delta: Readonly<Record<string, unknown>>, finishReason: string | null = null) => ({
  type: "delta" as const,
  choices: [{ index: 0, delta, finishReason }]
})

const pieces: ReadonlyArray<ChatEvent> = [
  said({ reasoning: "Hm." }),
  said({ content: "It " }),
  said({ content: "is." }, "length"),
  {
    type: "end",
    usage: { inputTokens: 7, outputTokens: 5 },
    usageDetails: { prompt_tokens_details: { cached_tokens: 2 } }
  }
]

/** A provider that tells what it was asked. */
const provider = (
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
          worstCase: () => ({ inputTokens: 10, outputTokens: 10 }),
          complete: () => Effect.fail(new UpstreamFailure({ kind: "server_error" })),
          stream: (call) => {
            const { messages, parameters } = call
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

const fails = (failure: ConstructorParameters<typeof UpstreamFailure>[0]) =>
  provider(() => Stream.fail(new UpstreamFailure(failure)))

const prompt = {
  stream: true,
  messages: [{ role: "user", content: "Is it?" }]
}

type Sending = NonNullable<Parameters<InternStage["ask"]>[2]>

const talk = (stage: InternStage, id: string, sending: Sending = {}): Promise<Answer> =>
  stage.ask("POST", `/interns/${id}/chat/completions`, { body: prompt, ...sending })

/** An intern that runs, with a model of its own. */
const hireWith = async (
  stage: InternStage,
  changes: Readonly<Record<string, unknown>> = {}
): Promise<string> => {
  const id = idOf(await stage.create({ instructions: "Be brief." }))
  await stage.ask("PATCH", `/interns/${id}`, { body: { model: "proof/chat", ...changes } })
  await stage.ask("POST", `/interns/${id}/provision`)
  await stage.until(id, "running")
  return id
}

/** Each event of a stream; comments aside. */
const eventsOf = ({ text }: Answer): ReadonlyArray<unknown> =>
  text
    .split("\n\n")
    .filter((event) => event.startsWith("data: "))
    .map((event) => event.slice("data: ".length))
    .map((data) => (data === "[DONE]" ? data : (JSON.parse(data) as unknown)))

const choiceIn = (event: unknown): unknown =>
  (property(event, "choices") as ReadonlyArray<unknown> | undefined)?.[0]

const inProcess = (
  { models, upstreams } = provider(),
  rest: Partial<Options> = {}
): InternScene => ({
  options: { models, upstreams, interns: { domain: "Interns.Example.com" }, ...rest }
})

const scripted = (
  ...fates: ReadonlyArray<TurnFate>
): { readonly host: ScriptedInternHost; readonly scene: InternScene } => {
  const host = new ScriptedInternHost({ domain: "interns.example.com", isServed: true })
  host.scriptTurns(...fates)
  return { host, scene: { options: { interns: { host: host.host } } } }
}

/** Nothing of an intern is ever taken down. */
const unending = (): InternScene => {
  const { host, scene } = scripted()
  host.script("destroy", Effect.never)
  return scene
}

test("an intern in process answers with its model and its instructions", async () => {
  const model = provider()
  const stage = await openInterns(inProcess(model))
  const id = await hireWith(stage)
  const answer = await talk(stage, id, {
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
  const events = eventsOf(answer)
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
  const record = await stage.ask("GET", `/generation?id=${String(property(events[0], "id"))}`)
  expect(property(record.body, "data")).toMatchObject({ session_id: "mine", total_cost: 0.012 })
})

test("a model that refuses left an intern without a word", async () => {
  const refusing = provider(() =>
    Stream.make(said({ refusal: "I cannot." }, "stop"), {
      type: "end" as const,
      usage: { inputTokens: 7, outputTokens: 5 }
    })
  )
  const stage = await openInterns(inProcess(refusing))
  const answer = await talk(stage, await hireWith(stage))
  expect(choiceIn(eventsOf(answer)[1])).toMatchObject({ delta: { content: "I cannot." } })
})

test("what an intern is told to be holds from its next provision on", async () => {
  const model = provider()
  const stage = await openInterns(inProcess(model))
  const id = await hireWith(stage)
  await stage.ask("PATCH", `/interns/${id}`, { body: { instructions: "Be long." } })
  await talk(stage, id)
  await stage.ask("POST", `/interns/${id}/suspend`)
  await stage.ask("POST", `/interns/${id}/provision`)
  await stage.until(id, "running")
  await talk(stage, id)
  expect(
    model.asked
      .map((asked) => property(asked, "messages") as ReadonlyArray<unknown>)
      .map(([first]) => first)
  ).toEqual([
    { role: "system", content: "Be brief." },
    { role: "system", content: "Be long." }
  ])
})

test("a session is named for who names none, and told at the end", async () => {
  const stage = await openInterns(inProcess())
  const id = await hireWith(stage)
  const sessions = [await talk(stage, id), await talk(stage, id)].map((answer) =>
    property(eventsOf(answer).at(-2), "session_id")
  )
  expect(sessions).toEqual([expect.any(String), expect.any(String)])
  expect(sessions[0]).not.toBe(sessions[1])
})

test("a model that breaks off is told of in the stream, and the session after it", async () => {
  const stage = await openInterns(
    inProcess(
      provider(() =>
        Stream.concat(
          Stream.make(said({ content: "It " })),
          Stream.fromEffect(
            Effect.delay(Effect.fail(new UpstreamFailure({ kind: "overloaded" })), 5)
          )
        )
      )
    )
  )
  const answer = await talk(stage, await hireWith(stage))
  const [error, last, done] = eventsOf(answer).slice(-3)
  expect(answer.status).toBe(200)
  expect(choiceIn(error)).toEqual({ index: 0, delta: {}, finish_reason: "error" })
  expect(property(error, "error")).toEqual({
    code: 503,
    message: expect.any(String),
    metadata: { reason: "busy", retryable: true }
  })
  expect(last).toMatchObject({ choices: [], session_id: expect.any(String), usage: null })
  expect(done).toBe("[DONE]")
})

test("who leaves ends the call at the provider", async () => {
  let end: (() => void) | undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  const stage = await openInterns(
    inProcess(
      provider(() =>
        Stream.concat(Stream.make(said({ content: "It " })), Stream.never).pipe(
          Stream.ensuring(Effect.sync(() => end?.()))
        )
      )
    )
  )
  const id = await hireWith(stage)
  const leaving = new AbortController()
  const response = await fetch(`${stage.root}/api/v1/interns/${id}/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${internKeys.member}`,
      "content-type": "application/json"
    },
    body: JSON.stringify(prompt),
    signal: leaving.signal
  })
  await response.body?.getReader().read()
  leaving.abort()
  await ended
  expect(response.status).toBe(200)
})

test("silence is broken by comments, and a turn that takes too long is over", async () => {
  const { scene } = scripted(() =>
    Effect.succeed({ type: "stream", session: "s", events: Stream.never })
  )
  const stage = await openInterns({
    ...scene,
    settings: { keepaliveMillis: 20, internChatDeadlineMillis: 300 }
  })
  const answer = await talk(stage, await hireWith(stage))
  expect(answer.text).toContain(": keepalive\n\n")
  expect(property(eventsOf(answer).at(-3), "error")).toMatchObject({
    code: 504,
    metadata: { reason: "timeout", retryable: true }
  })
})

test("an intern without a model ran, and failed at each chat", async () => {
  const stage = await openInterns(inProcess())
  const id = idOf(await stage.create({ provision: true }))
  const failed = await stage.until(id, "failed")
  const message = String(property(failed, "last_failure_message"))
  expect(message).toContain("PATCH its model")
  expect(message).toContain("default_text_model")
})

test("an intern that names no model answers with the default one that code states", async () => {
  const workspaceDefaults = { defaultTextModel: "proof/chat" }
  const stage = await openInterns(inProcess(provider(), { workspaceDefaults }))
  const id = idOf(await stage.create({ provision: true }))
  await stage.until(id, "running")
  expect((await talk(stage, id)).status).toBe(200)
})

test("an intern that is to take another model was only told that it cannot be provisioned", async () => {
  const stage = await openInterns(inProcess())
  const refused = await stage.ask("POST", `/interns/${await hireWith(stage)}/provision`)
  expect(refused.status).toBe(409)
  expect(errorIn(refused).message).toBe(
    "The intern is running, and cannot be provisioned; suspend it first"
  )
})

test("a client that does not stream was told that something is missing", async () => {
  const stage = await openInterns(inProcess())
  const { messages } = prompt
  const refused = await talk(stage, await hireWith(stage), { body: { messages } })
  expect(refused.status).toBe(400)
  expect(errorIn(refused).message).toBe("stream: must be true, interns always stream")
})

test("a name that is none was told a regular expression", async () => {
  const stage = await openInterns(inProcess())
  const refused = await stage.create({ name: "Ada Lovelace" })
  expect(errorIn(refused).message).toBe(
    "name: expected lower-case letters, digits and single hyphens between them, a letter first"
  )
})

test("an answer that ends without an end was severed", async () => {
  const { scene } = scripted(() =>
    Effect.succeed({ type: "stream", session: "s", events: Stream.empty })
  )
  const stage = await openInterns(scene)
  const answer = await talk(stage, await hireWith(stage))
  expect(property(eventsOf(answer).at(-3), "error")).toMatchObject({
    code: 502,
    metadata: { reason: "stream_severed", retryable: true }
  })
})

test("a host that breaks in the middle is told of, and not what it broke with", async () => {
  const { scene } = scripted(() =>
    Effect.succeed({
      type: "stream",
      session: "s",
      events: Stream.die(new Error("no way to db.internal"))
    })
  )
  const stage = await openInterns(scene)
  const answer = await talk(stage, await hireWith(stage))
  expect(answer.text).not.toContain("db.internal")
  expect(property(eventsOf(answer).at(-3), "error")).toEqual({
    code: 502,
    message: "the intern failed unexpectedly",
    metadata: { reason: "turn_failed", retryable: false }
  })
})

const asks = '{"kind":"permission","operation":null,"options":[]}'

test("an intern asks, and is answered in its session", async () => {
  const { host, scene } = scripted(() =>
    Effect.succeed({
      type: "stream",
      session: "s",
      events: Stream.make({ type: "question" as const, id: "q-1", asks })
    })
  )
  const stage = await openInterns(scene)
  const id = await hireWith(stage)
  const question = eventsOf(await talk(stage, id, { body: { ...prompt, approval_mode: "manual" } }))
  expect(question.slice(1, 4).map(choiceIn)).toEqual([
    {
      index: 0,
      delta: {
        tool_calls: [
          {
            index: 0,
            id: "q-1",
            type: "function",
            function: { name: "openrouter.provide_input", arguments: asks }
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
  await talk(stage, id, { body: reply })
  expect(
    host.turns.map(({ turn: { approval, prompt: said, session } }) => [approval, said, session])
  ).toEqual([
    ["manual", { role: "user", text: "Is it?" }, undefined],
    ["self-drive", { role: "tool", text: "allow_once", question: "q-1" }, "s"]
  ])
})

test("what is said to an intern that is at it goes into its turn", async () => {
  const steered: InternAnswer = { type: "steered", session: "s" }
  const { scene } = scripted(() => Effect.succeed(steered))
  const stage = await openInterns(scene)
  const answer = await talk(stage, await hireWith(stage))
  expect([answer.status, answer.body]).toEqual([202, { status: "steered", session_id: "s" }])
})

/** Sends to one name what listens at another address. */
const sentTo = (stage: InternStage, hostname: string, key: string = internKeys.member) =>
  stage.ask("POST", "/chat/completions", { body: prompt, key, headers: { host: hostname } })

describe.each(hosts)("a hostname of an intern, behind $name", (host) => {
  test("is where it answers", async () => {
    const stage = await openInterns({ ...inProcess(), host, mount: "/behind/ai" })
    const id = await hireWith(stage)
    const { body } = await stage.ask("GET", `/interns/${id}`)
    const hostname = String(property(body, "hostname"))
    expect(hostname).toBe(`ada-${id.slice(-20)}.interns.example.com`)
    const answer = await sentTo(stage, `${hostname.toUpperCase()}:8443`)
    expect([answer.status, eventsOf(answer).at(-1)]).toEqual([200, "[DONE]"])
    expect(property(eventsOf(answer).at(-2), "session_id")).toEqual(expect.any(String))

    const notFound = { code: 404, metadata: { reason: "not_found", retryable: false } }
    expect(errorIn(await sentTo(stage, hostname, internKeys.other))).toMatchObject(notFound)
    expect(errorIn(await sentTo(stage, "eve.interns.example.com"))).toMatchObject(notFound)
    const stranger = await sentTo(stage, hostname, "sk-nobody")
    expect(errorIn(stranger)).toMatchObject({ code: 401, message: "Invalid or missing API key" })

    for (const elsewhere of ["interns.example.com", "notinterns.example.com", "example.com"]) {
      const usual = await stage.ask("POST", "/chat/completions", {
        body: { ...prompt, model: "proof/chat" },
        headers: { host: elsewhere }
      })
      expect(property(eventsOf(usual)[0], "provider")).toBe("First")
    }
  })
})

test("at a hostname of interns a closing box is told of in their words", async () => {
  const stage = await openInterns(inProcess())
  await stage.box.close()
  expect(errorIn(await sentTo(stage, "eve.interns.example.com"))).toMatchObject({
    code: 503,
    metadata: { reason: "busy", retryable: true }
  })
})

test("in process an intern is talked to likewise", async () => {
  const stage = await openInterns(inProcess())
  const id = await hireWith(stage)
  const chunks = []
  for await (const chunk of stage.box.interns.chat(id, {
    messages: [{ role: "user", content: "Is it?" }]
  })) {
    chunks.push(chunk)
  }
  expect(chunks).toHaveLength(6)
  const nobody = stage.box.interns.chat(unknownId, { messages: [{ role: "user", content: "?" }] })
  await expect(nobody[Symbol.asyncIterator]().next()).rejects.toMatchObject({ status: 404 })
})

interface Told {
  readonly status: number
  readonly why: string
  readonly reason?: string
  readonly retryable?: boolean
  readonly scene?: InternScene
  readonly ask: (stage: InternStage) => Promise<Answer>
}

const spoil = ({ box }: InternStage, verb: () => Effect.Effect<never>): void => {
  const store = Context.get(box.context, InternStore)
  Object.assign(store, Object.fromEntries(Object.keys(store).map((each) => [each, verb])))
}

const hired = async (stage: InternStage) => talk(stage, await hireWith(stage))

const badBodies: Readonly<Record<string, unknown>> = {
  "no JSON": "{",
  "not streamed": { ...prompt, stream: false },
  "nothing said about streaming": { messages: prompt.messages },
  "no messages": { ...prompt, messages: [] },
  "a message of nobody": { ...prompt, messages: [{ role: "nobody", content: "x" }] },
  "an assistant at last": { ...prompt, messages: [{ role: "assistant", content: "x" }] },
  "an empty prompt": { ...prompt, messages: [{ role: "user", content: [] }] },
  "a picture": { ...prompt, messages: [{ role: "user", content: [{ type: "image_url" }] }] },
  "a long prompt": { ...prompt, messages: [{ role: "user", content: "x".repeat(32_001) }] },
  "an answer without its session": {
    ...prompt,
    messages: [{ role: "tool", tool_call_id: "q", content: "x" }]
  },
  "an approval nobody knows": { ...prompt, approval_mode: "whatever" },
  "a long session": { ...prompt, session_id: "x".repeat(257) }
}

const failing = (status: number, reason: string, retryable: boolean, fate: TurnFate): Told => ({
  status,
  why: `its host says ${reason}`,
  reason,
  retryable,
  scene: scripted(fate).scene,
  ask: hired
})

const failingModel = (
  status: number,
  reason: string,
  retryable: boolean,
  failure: ConstructorParameters<typeof UpstreamFailure>[0]
): Told => ({
  status,
  why: `its model fails by ${failure.kind}`,
  reason,
  retryable,
  scene: inProcess(fails(failure)),
  ask: hired
})

const told: ReadonlyArray<Told> = [
  ...Object.entries(badBodies).map(([why, body]): Told => ({
    status: 400,
    why,
    reason: "bad_request",
    retryable: false,
    ask: (stage) => talk(stage, unknownId, { body })
  })),
  {
    status: 415,
    why: "a body of another type",
    reason: "bad_request",
    retryable: false,
    ask: (stage) => talk(stage, unknownId, { headers: { "content-type": "text/plain" } })
  },
  failingModel(400, "bad_request", false, { kind: "content_refused", status: 400 }),
  { status: 401, why: "no key", ask: (stage) => talk(stage, unknownId, { key: "" }) },
  {
    status: 401,
    why: "a management key",
    reason: "management_key",
    retryable: false,
    ask: (stage) => talk(stage, unknownId, { key: internKeys.management })
  },
  {
    status: 403,
    why: "a regional hostname",
    scene: { settings: { regionalHostnames: ["eu.example.com"] } },
    ask: (stage) => talk(stage, unknownId, { headers: { host: "eu.example.com" } })
  },
  {
    status: 403,
    why: "no credits",
    reason: "turn_failed",
    retryable: false,
    scene: inProcess(provider(), { credits: { default: "0" } }),
    ask: hired
  },
  {
    status: 404,
    why: "outside the programme",
    reason: "not_found",
    retryable: false,
    scene: { programme: () => false },
    ask: (stage) => talk(stage, unknownId)
  },
  {
    status: 404,
    why: "no such intern",
    reason: "not_found",
    retryable: false,
    ask: (stage) => talk(stage, unknownId)
  },
  {
    status: 404,
    why: "an intern of another workspace",
    reason: "not_found",
    retryable: false,
    scene: inProcess(),
    ask: async (stage) => talk(stage, await hireWith(stage), { key: internKeys.other })
  },
  {
    status: 404,
    why: "an answer to a question that nobody asked",
    reason: "interaction_unknown",
    retryable: false,
    scene: inProcess(),
    ask: async (stage) =>
      talk(stage, await hireWith(stage), {
        body: {
          ...prompt,
          session_id: "s",
          messages: [{ role: "tool", tool_call_id: "q", content: "x" }]
        }
      })
  },
  {
    status: 408,
    why: "its store does not answer",
    reason: "timeout",
    retryable: true,
    scene: { settings: { internRequestDeadlineMillis: 50 } },
    ask: (stage) => {
      spoil(stage, () => Effect.never)
      return talk(stage, unknownId)
    }
  },
  {
    status: 409,
    why: "it does not run",
    reason: "intern_not_ready",
    retryable: true,
    ask: async (stage) => talk(stage, idOf(await stage.create()))
  },
  failing(409, "busy", true, turnFails("busy", "one moment", 2_500)),
  failing(409, "interaction_not_pending", false, turnFails("interaction_not_pending", "x")),
  {
    status: 410,
    why: "it is being deleted",
    reason: "run_ended",
    retryable: false,
    scene: unending(),
    ask: async (stage) => {
      const id = await stage.hire()
      await stage.ask("DELETE", `/interns/${id}`)
      return talk(stage, id)
    }
  },
  failing(410, "run_ended", false, turnFails("run_ended", "it is over")),
  ...[false, true].map((chunked): Told => ({
    status: 413,
    why: chunked ? "a long body in pieces" : "a long body",
    reason: "payload_too_large",
    retryable: false,
    ask: (stage) =>
      talk(stage, unknownId, { chunked, body: { ...prompt, model: "x".repeat(1_048_577) } })
  })),
  failing(413, "payload_too_large", false, turnFails("payload_too_large", "x")),
  {
    status: 429,
    why: "called too often",
    reason: "rate_limited",
    retryable: true,
    scene: { settings: { rateLimit: { requests: 1, windowMillis: 60_000 } } },
    ask: async (stage) => {
      await stage.ask("GET", "/interns")
      return talk(stage, unknownId)
    }
  },
  failingModel(429, "rate_limited", true, { kind: "rate_limited", status: 429 }),
  failing(502, "intern_unreachable", true, turnFails("intern_unreachable", "no way")),
  failing(502, "intern_rejected", false, turnFails("intern_rejected", "no")),
  failing(502, "turn_failed", false, () => Effect.die(new Error("no way to db.internal"))),
  failingModel(502, "turn_failed", true, { kind: "server_error", status: 500 }),
  {
    status: 502,
    why: "neither it nor its workspace has a model",
    reason: "turn_failed",
    retryable: false,
    scene: inProcess(),
    ask: async (stage) => {
      const setDefault = (default_text_model: string | null) =>
        stage.ask("PATCH", "/workspaces/default", {
          key: internKeys.management,
          body: { default_text_model }
        })
      await setDefault("proof/chat")
      const id = await stage.hire()
      await setDefault(null)
      return talk(stage, id)
    }
  },
  {
    status: 502,
    why: "its model is none",
    reason: "turn_failed",
    retryable: false,
    scene: inProcess(),
    ask: async (stage) => talk(stage, await hireWith(stage, { model: "no/such" }))
  },
  {
    status: 502,
    why: "where it runs, interns do not talk",
    reason: "turn_failed",
    retryable: false,
    scene: { options: { interns: { host: new ScriptedInternHost({ talks: false }).host } } },
    ask: async (stage) => talk(stage, await stage.hire())
  },
  {
    status: 502,
    why: "a fault",
    reason: "turn_failed",
    retryable: false,
    ask: (stage) => {
      spoil(stage, () => Effect.die(new Error("no way to db.internal")))
      return talk(stage, unknownId)
    }
  },
  {
    status: 503,
    why: "its store is away",
    reason: "busy",
    retryable: true,
    ask: (stage) => {
      spoil(stage, () => Effect.die(new StoreUnavailable({ cause: new Error("db.internal") })))
      return talk(stage, unknownId)
    }
  },
  {
    status: 503,
    why: "the box is closed",
    reason: "busy",
    retryable: true,
    ask: async (stage) => {
      await stage.box.close()
      return talk(stage, unknownId)
    }
  },
  failingModel(503, "busy", true, { kind: "overloaded", status: 503 }),
  failing(504, "timeout", true, turnFails("timeout", "too long")),
  {
    status: 504,
    why: "it does not begin",
    reason: "timeout",
    retryable: true,
    scene: { ...scripted(() => Effect.never).scene, settings: { internChatDeadlineMillis: 50 } },
    ask: hired
  },
  failingModel(504, "timeout", true, { kind: "timeout" })
]

describeWithReference("the statuses of a chat with an intern", (pathOf) => {
  const schemas = () => wireSchemas(pathOf("wire/openapi.json"))

  test("are all told", () => {
    const said = Array.from(new Set(told.map(({ status }) => status)))
    expect(said.toSorted((one, other) => one - other)).toEqual(
      schemas()
        .statusesOf("post", wirePath)
        .filter((status) => status >= 400)
        // Allowed everywhere, whatever the list says.
        .concat(415)
        .toSorted((one, other) => one - other)
    )
  })

  test.each(told)("$status, $why", async ({ ask, reason, retryable, scene, status }) => {
    const answer = await ask(await openInterns(scene))
    expect(errorIn(answer)).toEqual({
      code: status,
      message: expect.any(String),
      metadata: reason === undefined ? undefined : { reason, retryable }
    })
    expect(answer.status).toBe(status)
    expect(schemas().problems("post", wirePath, answer)).toEqual([])
    expect(answer.text).not.toContain("db.internal")
    const waits = reason === "busy" || reason === "rate_limited"
    expect(Number(answer.headers["retry-after"] ?? 0) > 0).toBe(waits)
  })
})

test("who is told that an intern is busy is told for how long", async () => {
  const { scene } = scripted(turnFails("busy", "one moment", 2_500), answers(["Now."]))
  const stage = await openInterns(scene)
  const id = await hireWith(stage)
  const busy = await talk(stage, id)
  expect(busy.headers["retry-after"]).toBe("3")
  expect(choiceIn(eventsOf(await talk(stage, id))[1])).toMatchObject({
    delta: { content: "Now." }
  })
})

test("a body that arrives in pieces and too slowly is not waited for", async () => {
  const stage = await openInterns({ settings: { internRequestDeadlineMillis: 100 } })
  const url = `${stage.root}/api/v1/interns/${unknownId}/chat/completions`
  const status = await statusOfStalled(url, { key: internKeys.member, method: "POST" })
  expect(status).toBe(408)
})
