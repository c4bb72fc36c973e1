/** Every answer names the model by its id in the catalog; what the provider calls it is in the record. */
import { anthropic } from "@signalbox/anthropic"
import type { Signalbox as Instance } from "@signalbox/core"
import { google } from "@signalbox/google"
import { Signalbox } from "@signalbox/node"
import { openai, rerank } from "@signalbox/openai"
import { openrouter } from "@signalbox/openrouter"
import { reply, ScriptedUpstream, type Step } from "@signalbox/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { nodeHost } from "../support/hosts.ts"
import { send } from "../support/send.ts"
import { keys } from "../support/TestServer.ts"

/** What the provider says that answered. */
const snapshot = "dated-snapshot-2030-01-01"

const slugs = [
  "chat",
  "messages",
  "gemini",
  "responses",
  "native",
  "embed",
  "rank",
  "film"
] as const
type Slug = (typeof slugs)[number]

/** The name that the endpoint asks the provider for. */
const upstreamModel = (slug: Slug) => `asked-${slug}`

const outputs: Readonly<Partial<Record<Slug, string>>> = {
  embed: "embeddings",
  rank: "rerank",
  film: "video"
}

const capabilities = {
  supported_resolutions: null,
  supported_aspect_ratios: null,
  supported_sizes: null,
  supported_durations: [4],
  supported_frame_images: null,
  generate_audio: null,
  seed: null,
  creativity: null,
  upscale_factor: null,
  allowed_passthrough_parameters: []
}

const start = async (step: Step = reply.chat(["It ", "is."], { model: snapshot })) => {
  const upstream = await ScriptedUpstream.start()
  upstream.always(step)
  const place = (slug: string, path: string) => ({
    slug,
    name: slug,
    apiKey: `sk-at-${slug}-41c7`,
    baseUrl: upstream.url + path
  })
  const instance = await Signalbox.make({
    upstreams: [
      openai(place("chat", "/v1")),
      anthropic(place("messages", "")),
      google(place("gemini", "/v1beta")),
      openai({ ...place("responses", "/v1"), api: "responses" }),
      openrouter(place("native", "")),
      openai(place("embed", "/v1")),
      {
        slug: "rank",
        name: "rank",
        rerank: rerank({ dialect: "jina", ...place("rank", "/v1") }).rerank!
      },
      openai(place("film", "/v1"))
    ],
    models: [
      ...slugs.map((slug) => ({
        id: `proof/${slug}`,
        family: slug,
        ...(outputs[slug] === undefined
          ? undefined
          : { card: { architecture: { output_modalities: [outputs[slug]] } } }),
        ...(slug === "film" ? { video: capabilities } : undefined),
        endpoints: [
          { provider: slug, model: upstreamModel(slug), price: { prompt: "0", completion: "0" } }
        ]
      })),
      { id: "proof/gone", card: { pricing: { prompt: "0", completion: "0" } }, endpoints: [] }
    ],
    keys: [
      { key: keys.member, kind: "member", user: "mem-1" },
      { key: keys.management, kind: "management" }
    ],
    interns: {},
    settings: { jobPollMillis: 10 }
  })
  const running = await nodeHost.start(instance, "")
  onTestFinished(async () => {
    await running.close()
    await instance.close()
    await upstream.close()
  })
  const ask = (path: string, body?: object, key: string = keys.member) =>
    send(`${running.origin}/api${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: body && JSON.stringify(body)
    })
  return { ask, instance, upstream }
}

type Server = Awaited<ReturnType<typeof start>>

/** The bodies of a whole answer, or of each event of a stream. */
const parseAnswers = (text: string): ReadonlyArray<unknown> =>
  text.startsWith("{")
    ? [JSON.parse(text)]
    : text
        .split("\n")
        .filter((line) => line.startsWith("data: ") && line !== "data: [DONE]")
        .map((line): unknown => JSON.parse(line.slice("data: ".length)))

/** Each model that an answer names: at its top, or in the message or response that an event wraps. */
const listModels = (answers: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  answers
    .flatMap((answer) => [answer, getProperty(answer, "message"), getProperty(answer, "response")])
    .map((each) => getProperty(each, "model"))
    .filter((model) => model !== undefined)

const expectModels = (answers: ReadonlyArray<unknown>, id: string) => {
  const models = listModels(answers)
  expect(models.length).toBeGreaterThan(0)
  expect(new Set(models)).toEqual(new Set([id]))
  const text = JSON.stringify(answers)
  expect(text).not.toContain(snapshot)
  expect(text).not.toContain("asked-")
}

const expectRecord = async (
  { ask }: Server,
  generationId: string | undefined,
  id: string,
  upstream_model: string | null = snapshot
) => {
  const model = id
  const own = await ask(`/v1/generation?id=${generationId}`)
  expect(own.body).toMatchObject({ data: { model, upstream_model } })
  const managed = await ask(`/v1/signalbox/generations/${generationId}`, undefined, keys.management)
  expect(managed.body).toMatchObject({ data: { model, upstream_model } })
  const found = await ask(`/v1/signalbox/generations?model=${id}`, undefined, keys.management)
  expect(found.body).toMatchObject({ data: [{ id: generationId, model }] })
}

const messages = [{ role: "user", content: "Is it calm?" }]
const chats = { messages }
const texts = { input: "Is it calm?" }

interface InboundCase {
  readonly api: string
  readonly path: string
  readonly body: object
}

const inbound: ReadonlyArray<InboundCase> = [
  { api: "chat", path: "/v1/chat/completions", body: chats },
  { api: "messages", path: "/v1/messages", body: { ...chats, max_tokens: 9 } },
  { api: "responses", path: "/v1/responses", body: texts }
]

/** How a request names the model. */
const namings = {
  "its id": (slug: Slug) => ({ model: `proof/${slug}` }),
  "an alias": (slug: Slug) => ({ model: `~proof/${slug}-latest` }),
  "a fallback": (slug: Slug) => ({ models: ["proof/gone", `~proof/${slug}-latest`] })
}

const chatCases = inbound.flatMap(({ api, body, path }) =>
  (["chat", "messages", "gemini", "responses"] as const).flatMap((slug) =>
    Object.entries(namings).flatMap(([naming, name]) =>
      [false, true].map((stream) => ({
        api,
        slug,
        naming,
        form: stream ? "streamed" : "whole",
        path,
        body: { ...body, ...name(slug), ...(stream ? { stream } : undefined) }
      }))
    )
  )
)

describe("a chat", () => {
  test.each(chatCases)(
    "by the $api API at a provider of $slug, named by $naming, $form",
    async ({ body, path, slug }) => {
      const server = await start()
      const answer = await server.ask(path, body)
      expect(answer.status).toBe(200)
      expectModels(parseAnswers(answer.text), `proof/${slug}`)
      expect(server.upstream.requests.at(-1)?.model).toBe(upstreamModel(slug))
      await expectRecord(server, answer.headers["x-generation-id"], `proof/${slug}`)
    }
  )
})

const decision = {
  state: "It is calm.",
  questions: { calm: { type: "noul", instructions: "Is it calm?" } }
}

const oneModelCases = [
  {
    name: "a native Decision",
    slug: "native",
    path: "/alpha/decisions",
    body: decision,
    step: reply.decision({}, { model: snapshot })
  },
  {
    name: "a Decision of a chat model",
    slug: "chat",
    path: "/alpha/decisions",
    body: decision,
    step: reply.decision({}, { model: snapshot })
  },
  {
    name: "embeddings",
    slug: "embed",
    path: "/v1/embeddings",
    body: texts,
    step: reply.embeddings({ model: snapshot })
  },
  {
    name: "a rerank",
    slug: "rank",
    path: "/v1/rerank",
    body: { query: "calm?", documents: ["It is.", "It is not."] },
    step: reply.ranking(undefined, { model: snapshot })
  }
] as const

describe.each(oneModelCases)("$name", ({ body, path, slug, step }) => {
  test.each(["its id", "an alias"] as const)("named by %s", async (naming) => {
    const server = await start(step)
    const answer = await server.ask(path, { ...body, ...namings[naming](slug) })
    expect(answer.status).toBe(200)
    expectModels([answer.body], `proof/${slug}`)
    await expectRecord(server, answer.headers["x-generation-id"], `proof/${slug}`)
  })
})

test("a provider that does not say which model answered", async () => {
  expect.hasAssertions()
  const server = await start(
    reply.json({ choices: [{ index: 0, message: { role: "assistant", content: "It is." } }] })
  )
  const answer = await server.ask("/v1/chat/completions", { model: "~proof/chat-latest", messages })
  expectModels([answer.body], "proof/chat")
  await expectRecord(server, answer.headers["x-generation-id"], "proof/chat", null)
})

test("a video job tells no name of its provider", async () => {
  const server = await start()
  const submitted = await server.ask("/v1/videos", {
    model: "~proof/film-latest",
    prompt: "a tide pool",
    duration: 4
  })
  expect(submitted.status).toBe(202)
  const id = String(getProperty(submitted.body, "id"))
  await server.upstream.waitForRequests(1)
  const polled = await server.ask(`/v1/videos/${id}`)
  for (const { text } of [submitted, polled]) expect(text).not.toContain("asked-")
})

/** An intern that answers with the model of this name. */
const startIntern = async ({ instance }: Server, model: string) => {
  const caller = { kind: "member", user: "mem-1" } as const
  const { id } = await instance.interns.create({ name: "ada" }, { caller })
  await instance.interns.update({ internId: id, model })
  await instance.interns.provision({ internId: id })
  await expect
    .poll(async () => (await instance.interns.get({ internId: id })).status)
    .toBe("running")
  return id
}

test.each(["over HTTP", "in process"])("a chat with an intern, %s", async (where) => {
  const server = await start()
  const internId = await startIntern(server, "~proof/messages-latest")
  const chunks =
    where === "over HTTP"
      ? parseAnswers(
          (await server.ask(`/v1/interns/${internId}/chat/completions`, { ...chats, stream: true }))
            .text
        )
      : await collect(
          server.instance.interns.chat({ internId, messages: [{ role: "user", content: "Hi" }] })
        )
  expect(chunks.every((chunk) => getProperty(chunk, "model") === "proof/messages")).toBe(true)
  expectModels(chunks, "proof/messages")
})

const collect = async (events: AsyncIterable<unknown>): Promise<ReadonlyArray<unknown>> => {
  const all: Array<unknown> = []
  for await (const event of events) all.push(event)
  return all
}

const user = [{ role: "user", content: "Is it calm?" }] as const
const models = (slug: Slug) => ({
  model: "proof/gone",
  models: [`~proof/${slug}-latest`]
})

const inProcess: ReadonlyArray<
  readonly [
    name: string,
    slug: Slug,
    step: Step | undefined,
    call: (instance: Instance, slug: Slug) => Promise<ReadonlyArray<unknown>>
  ]
> = [
  [
    "chat",
    "gemini",
    undefined,
    async ({ chat }, slug) => [await chat({ ...models(slug), messages: user })]
  ],
  [
    "streamChat",
    "chat",
    undefined,
    ({ streamChat }, slug) => collect(streamChat({ ...models(slug), messages: user }))
  ],
  [
    "messages",
    "messages",
    undefined,
    async ({ messages }, slug) => [
      await messages({ ...models(slug), messages: user, max_tokens: 9 })
    ]
  ],
  [
    "streamMessages",
    "messages",
    undefined,
    ({ streamMessages }, slug) =>
      collect(streamMessages({ ...models(slug), messages: user, max_tokens: 9 }))
  ],
  [
    "responses",
    "responses",
    undefined,
    async ({ responses }, slug) => [await responses({ ...models(slug), ...texts })]
  ],
  [
    "streamResponses",
    "responses",
    undefined,
    ({ streamResponses }, slug) => collect(streamResponses({ ...models(slug), ...texts }))
  ],
  [
    "decide",
    "native",
    reply.decision({}, { model: snapshot }),
    async ({ decide }) => [
      await decide({
        model: "~proof/native-latest",
        state: "It is calm.",
        questions: { calm: { type: "noul", instructions: "Is it calm?" } }
      })
    ]
  ],
  [
    "embed",
    "embed",
    reply.embeddings({ model: snapshot }),
    async ({ embed }) => [await embed({ model: "~proof/embed-latest", ...texts })]
  ],
  [
    "rerank",
    "rank",
    reply.ranking(undefined, { model: snapshot }),
    async ({ rerank: rank }) => [
      await rank({ model: "~proof/rank-latest", query: "calm?", documents: ["It is."] })
    ]
  ]
]

test.each(inProcess)("in process: %s", async (_, slug, step, call) => {
  expect.hasAssertions()
  const { instance } = await start(step)
  expectModels(await call(instance, slug), `proof/${slug}`)
})
