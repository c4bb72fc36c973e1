/** Presets over HTTP: stored by three APIs, used by four, kept apart by workspaces. */
import { reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { decisionMethods } from "../support/decisionMethods.ts"
import { send } from "../support/send.ts"
import { keys, makeDecisionRequest, TestServer } from "../support/TestServer.ts"

const chatMethod = decisionMethods.find(({ name }) => name === "logprobs") ?? decisionMethods[0]!

const whole = reply.json({
  id: "c",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1 }
})

const start = async (options: Parameters<typeof TestServer.start>[0] = {}) => {
  const server = await TestServer.start({
    method: {
      ...chatMethod,
      supportedParameters: [
        ...chatMethod.supportedParameters,
        "tools",
        "stop",
        "seed",
        "temperature"
      ]
    },
    ...options
  })
  server.upstreams.first.always(whole)
  server.upstreams.second.always(whole)
  return server
}

type Call = { readonly key?: string; readonly method?: string }

const call = async (
  { root }: TestServer,
  path: string,
  body?: object,
  { key = keys.member, method = body === undefined ? "GET" : "POST" }: Call = {}
) =>
  send(`${root}/api/v1${path}`, {
    method,
    ...(body === undefined ? undefined : { body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" }
  })

const say = [{ role: "user", content: "hi" }]

const weather = {
  type: "function",
  function: { name: "weather", parameters: { type: "object", properties: {} } }
}

const settings = {
  model: "proof/model",
  messages: [{ role: "system", content: "Be brief." }, ...say],
  provider: { only: ["first"] },
  temperature: 0.25,
  max_tokens: 50,
  tools: [weather],
  stream: true,
  user: "u",
  session_id: "s"
}

/** What the first provider was last sent. */
const lastSent = (server: TestServer) =>
  server.upstreams.first.requests.at(-1)?.body as Record<string, unknown>

test("are stored in versions, and have every field that their clients require", async () => {
  await using server = await start()
  const made = await call(server, "/presets/support/chat/completions", settings)
  expect(made.status).toBe(200)
  const time = expect.stringMatching(/^\d{4}-.*Z$/)
  const first = {
    id: expect.any(String),
    preset_id: expect.any(String),
    version: 1,
    config: {
      model: "proof/model",
      provider: { only: ["first"] },
      temperature: 0.25,
      max_tokens: 50,
      tools: [weather]
    },
    system_prompt: "Be brief.",
    creator_id: "mem-1",
    created_at: time,
    updated_at: time
  }
  const preset = {
    id: expect.any(String),
    workspace_id: "00000000-0000-4000-8000-000000000000",
    slug: "support",
    name: "support",
    description: null,
    status: "active",
    status_updated_at: null,
    creator_user_id: "mem-1",
    designated_version_id: expect.any(String),
    created_at: time,
    updated_at: time
  }
  expect(made.body).toEqual({ data: { ...preset, designated_version: first } })
  // Nothing ran.
  expect(server.calls).toEqual({ first: 0, second: 0 })

  const second = await call(server, "/presets/support/responses", {
    model: "proof/model",
    input: "hi",
    instructions: "Be long.",
    max_output_tokens: 60,
    tools: [{ type: "function", name: "weather", parameters: { type: "object" }, strict: false }]
  })
  expect(second).toMatchObject({
    status: 200,
    body: {
      data: {
        designated_version: {
          version: 2,
          system_prompt: "Be long.",
          config: {
            model: "proof/model",
            max_tokens: 60,
            tools: [{ type: "function", function: { name: "weather" } }]
          }
        }
      }
    }
  })
  const third = await call(server, "/presets/support/messages", {
    model: "proof/model",
    messages: say,
    max_tokens: 70,
    system: [{ type: "text", text: "Be kind." }],
    stop_sequences: ["END"],
    tools: [
      { name: "weather", input_schema: { type: "object" } },
      { type: "web_search_20250305", name: "web_search" }
    ]
  })
  expect(third).toMatchObject({
    status: 200,
    body: {
      data: {
        id: (made.body as { data: { id: string } }).data.id,
        designated_version: {
          version: 3,
          system_prompt: "Be kind.",
          config: {
            max_tokens: 70,
            stop: ["END"],
            tools: [
              { type: "function", function: { name: "weather" } },
              { type: "web_search_20250305", name: "web_search" }
            ]
          }
        }
      }
    }
  })
  const versions = await call(server, "/presets/support/versions?limit=2&offset=1")
  expect(versions.body).toMatchObject({ data: [{ version: 2 }, { version: 3 }], total_count: 3 })
  const one = await call(server, "/presets/support/versions/1")
  expect(one.body).toEqual({ data: first })
  const list = await call(server, "/presets")
  expect(list.body).toEqual({ data: [preset], total_count: 1 })
  const got = await call(server, "/presets/support")
  expect(got.body).toEqual(third.body)
})

test("are listed with the last changed first", async () => {
  await using server = await start()
  for (const slug of ["one", "two", "three", "one"]) {
    await call(server, `/presets/${slug}/chat/completions`, settings)
  }
  const list = await call(server, "/presets?limit=2")
  expect(list.body).toMatchObject({ data: [{ slug: "one" }, { slug: "three" }], total_count: 3 })
  const rest = await call(server, "/presets?limit=2&offset=2")
  expect(rest.body).toMatchObject({ data: [{ slug: "two" }], total_count: 3 })
})

const uses = [
  { path: "/chat/completions", body: { messages: say } },
  { path: "/messages", body: { messages: say, max_tokens: 40 } },
  { path: "/responses", body: { input: "hi" } }
]

describe.each(uses)("$path", ({ body, path }) => {
  test.each([
    { model: "@preset/support" },
    { model: "proof/model@preset/support" },
    { preset: "support" },
    { preset: "support", model: "proof/model" },
    { models: ["@preset/support"] },
    { model: "proof/model", models: ["proof/model@preset/support"] }
  ])("takes the settings of the preset: %o", async (named) => {
    await using server = await start()
    await call(server, "/presets/support/chat/completions", settings)
    const answer = await call(server, path, { ...body, ...named })
    expect(answer).toMatchObject({ status: 200, body: { model: "proof/model" } })
    expect(lastSent(server)).toMatchObject({
      temperature: 0.25,
      messages: [{ role: "system", content: "Be brief." }, { role: "user" }],
      tools: [{ type: "function", function: { name: "weather" } }]
    })
    const id = answer.headers["x-generation-id"]
    const { data } = (await call(server, `/generation?id=${id}`)).body as {
      data: Record<string, unknown>
    }
    const preset = (await call(server, "/presets/support")).body as { data: { id: string } }
    expect(data).toMatchObject({ preset_id: preset.data.id, model: "proof/model" })
  })

  test("lets the request win, field by field", async () => {
    await using server = await start()
    await call(server, "/presets/support/chat/completions", { ...settings, seed: 7 })
    const own =
      path === "/messages"
        ? { system: "Own." }
        : path === "/responses"
          ? { instructions: "Own." }
          : {}
    const answer = await call(server, path, {
      ...body,
      ...own,
      ...(path === "/chat/completions"
        ? { messages: [{ role: "developer", content: "Own." }, ...say] }
        : undefined),
      model: "@preset/support",
      temperature: 0.5,
      provider: null
    })
    expect(answer.status).toBe(200)
    const sent = lastSent(server)
    expect(sent).toMatchObject({ temperature: 0.5 })
    expect(JSON.stringify(sent["messages"])).toContain("Own.")
    expect(JSON.stringify(sent["messages"])).not.toContain("Be brief.")
  })

  test.each([
    [{ model: "@preset/unknown" }, "model_not_found"],
    [{ preset: "unknown" }, "model_not_found"],
    [{ model: "@preset/Bad Slug" }, "invalid_request"],
    [{ model: "@preset/" }, "invalid_request"],
    [{ preset: 5 }, "invalid_request"],
    [{ preset: "" }, "invalid_request"],
    [{ model: "@preset/support", preset: "other" }, "invalid_request"]
  ])("refuses %o with a 400", async (named, type) => {
    await using server = await start()
    const answer = await call(server, path, { ...body, ...named })
    expect(answer.status).toBe(400)
    // Anthropic's envelope has the type alone.
    expect(answer.text).toContain(path === "/messages" ? "invalid_request_error" : type)
    expect(server.calls).toEqual({ first: 0, second: 0 })
  })
})

test("give Decisions their models and providers", async () => {
  await using server = await TestServer.start()
  await call(server, "/presets/judge/chat/completions", {
    messages: say,
    models: ["proof/model"],
    provider: { only: ["second"] },
    temperature: 1
  })
  for (const named of [{ model: "@preset/judge" }, { preset: "judge", model: undefined }]) {
    const { provider: _, ...request } = makeDecisionRequest(named)
    const decision = await server.ask(request)
    expect(decision).toMatchObject({
      status: 200,
      body: { model: "proof/model", provider: "Second" }
    })
    const { id } = decision.body as { id: string }
    expect((await server.generation(id))?.preset).toMatch(/judge$/)
  }
  const unknown = await server.ask(makeDecisionRequest({ model: "@preset/unknown" }))
  expect(unknown.status).toBe(400)
})

test("count the tokens of what they add", async () => {
  await using server = await start()
  const long = "word ".repeat(2_000)
  await call(server, "/presets/long/chat/completions", {
    ...settings,
    messages: [{ role: "system", content: long }, ...say]
  })
  const body = { model: "@preset/long", max_tokens: 5, messages: say }
  const counted = await call(server, "/messages/count_tokens", body)
  expect(counted.status).toBe(200)
  expect((counted.body as { input_tokens: number }).input_tokens).toBeGreaterThan(1_500)
})

test("join their tools with those of the request by name", async () => {
  await using server = await start()
  const other = { type: "function", function: { name: "other", parameters: { type: "object" } } }
  const changed = { type: "function", function: { ...weather.function, description: "newer" } }
  const added = { type: "function", function: { name: "added", parameters: { type: "object" } } }
  await call(server, "/presets/tools/chat/completions", { ...settings, tools: [weather, other] })
  await call(server, "/chat/completions", {
    model: "@preset/tools",
    messages: say,
    tools: [added, changed]
  })
  expect(lastSent(server)["tools"]).toEqual([changed, other, added])
})

test("are found only in their workspace, and only while they are active", async () => {
  await using server = await start()
  await call(server, "/presets/support/chat/completions", settings)
  const { instance } = server
  const elsewhere = await instance.workspaces.create({ name: "Other", slug: "other" })
  const caller = { workspace: elsewhere.data.id }
  await expect(instance.presets.get({ slug: "support" }, { caller })).rejects.toMatchObject({
    status: 404
  })
  await expect(
    instance.chat(
      { model: "@preset/support", messages: [{ role: "user", content: "hi" }] },
      { caller }
    )
  ).rejects.toMatchObject({ status: 400 })
  for (const status of ["disabled", "archived"] as const) {
    await instance.presets.update({ slug: "support", status })
    const refused = await call(server, "/chat/completions", {
      model: "@preset/support",
      messages: say
    })
    expect(refused).toMatchObject({ status: 400 })
    expect(refused.text).toContain(status)
  }
  await instance.presets.update({ slug: "support", status: "active" })
  const answer = await call(server, "/chat/completions", {
    model: "@preset/support",
    messages: say
  })
  expect(answer.status).toBe(200)
  const audit = await instance.audit.list({})
  expect(audit.data.map(({ action }) => action)).toEqual(
    expect.arrayContaining(["preset.create", "preset.update"])
  )
  await instance.workspaces.delete({ id: elsewhere.data.id })
  await instance.presets.delete({ slug: "support" })
  expect((await call(server, "/presets/support")).status).toBe(404)
})

test.each(["Bad", "a".repeat(65), "-a", "a.b"])("the slug %s is a 400", async (slug) => {
  await using server = await start()
  expect((await call(server, `/presets/${slug}`)).status).toBe(400)
  expect((await call(server, `/presets/${slug}/versions`)).status).toBe(400)
  expect((await call(server, `/presets/${slug}/chat/completions`, settings)).status).toBe(400)
})

test.each(["", "/versions", "/versions/1"])(
  "an unknown slug is a 404: /presets/unknown%s",
  async (path) => {
    await using server = await start()
    expect((await call(server, `/presets/unknown${path}`)).status).toBe(404)
  }
)

test("versions that are no number are not found", async () => {
  await using server = await start()
  await call(server, "/presets/support/chat/completions", settings)
  for (const version of ["0", "2", "01", "one", "1.5", "99999999999999999999"]) {
    expect((await call(server, `/presets/support/versions/${version}`)).status).toBe(404)
  }
})

test("refuse bodies that the API would refuse, and presets of presets", async () => {
  await using server = await start()
  for (const body of [
    { model: "proof/model" },
    { ...settings, model: "@preset/other" },
    { ...settings, preset: "other" },
    { ...settings, temperature: "hot" },
    { ...settings, cache_ttl_seconds: 0 },
    []
  ]) {
    const answer = await call(server, "/presets/support/chat/completions", body)
    expect(answer.status).toBe(400)
  }
  expect((await call(server, "/presets/support")).status).toBe(404)
})

test("of the host are in every workspace, and read-only", async () => {
  await using server = await start({
    presets: {
      house: {
        config: { model: "proof/model", temperature: 0.75, cache_enabled: true },
        systemPrompt: "Of the house.",
        description: "for all"
      }
    }
  })
  const preset = await call(server, "/presets/house")
  expect(preset.body).toMatchObject({
    data: {
      workspace_id: null,
      description: "for all",
      designated_version: {
        version: 1,
        config: { model: "proof/model", temperature: 0.75, cache_enabled: true },
        system_prompt: "Of the house."
      }
    }
  })
  await call(server, "/presets/own/chat/completions", settings)
  const list = await call(server, "/presets")
  expect(list.body).toMatchObject({ data: [{ slug: "own" }, { slug: "house" }], total_count: 2 })
  const paged = await call(server, "/presets?offset=1&limit=1")
  expect(paged.body).toMatchObject({ data: [{ slug: "house" }], total_count: 2 })
  const refused = await call(server, "/presets/house/chat/completions", settings)
  expect(refused.status).toBe(409)
  await expect(server.instance.presets.delete({ slug: "house" })).rejects.toMatchObject({
    status: 409
  })
  await call(server, "/chat/completions", {
    model: "@preset/house",
    messages: say,
    provider: { only: ["first"] }
  })
  expect(lastSent(server)).toMatchObject({
    temperature: 0.75,
    messages: [{ content: "Of the house." }, { content: "hi" }]
  })
  expect(lastSent(server)).not.toHaveProperty("cache_enabled")
})

test.each([
  [{ "Bad Slug": { config: {} } }, /presets: "Bad Slug" is no slug/],
  [{ a: { config: { model: "proof/nothing" } } }, /presets\.a\.config: proof\/nothing is no model/],
  [{ a: { config: { messages: say } } }, /presets\.a\.config\.messages belongs to a request/],
  [{ a: { config: { temperature: "hot" } } }, /presets\.a\.config\.temperature: must be a number/],
  [{ a: { config: { model: "@preset/b" } } }, /a preset cannot use another preset/],
  [{ a: { model: "proof/model" } }, /presets\.a must be an object such as/],
  [{ a: { config: {}, sytemPrompt: "x" } }, /did you mean systemPrompt/]
])("checks the presets of the options: %o", async (presets, message) => {
  await expect(
    TestServer.start({
      presets: presets as NonNullable<Parameters<typeof TestServer.start>[0]>["presets"]
    })
  ).rejects.toThrow(message)
})

test("of conversations in process keep what the conversation says", async () => {
  await using server = await start()
  await call(server, "/presets/support/chat/completions", settings)
  const answered = await server.instance.answer(
    {
      turns: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
      tools: [{ type: "function", name: "mine", parameters: { type: "object" } }],
      sampling: { topP: 0.5 },
      stop: []
    },
    { model: "@preset/support" }
  )
  expect(answered.model).toBe("proof/model")
  expect(lastSent(server)).toMatchObject({
    temperature: 0.25,
    messages: [{ role: "system", content: "Be brief." }, { role: "user" }],
    tools: [{ function: { name: "weather" } }, { function: { name: "mine" } }]
  })
})
