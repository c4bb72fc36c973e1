/** What presets cannot be used for: to widen what restricts their caller, to reach inherited names, or to lose settings unseen. */
import { reply } from "@signalbox/testing"
import { expect, test } from "vitest"
import { decisionMethods } from "../support/decisionMethods.ts"
import { send } from "../support/send.ts"
import { keys, makeDecisionRequest, TestServer } from "../support/TestServer.ts"

const answer = reply.json({
  id: "c",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1 }
})

const start = async () => {
  const method = decisionMethods.find(({ name }) => name === "logprobs") ?? decisionMethods[0]!
  const server = await TestServer.start({ method: { ...method, supportedParameters: [] } })
  server.upstreams.first.always(answer)
  server.upstreams.second.always(answer)
  return server
}

const messages = [{ role: "user", content: "hi" }]

const post = ({ root }: TestServer, path: string, body: string | object, headers = {}) =>
  send(root + path, {
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: {
      authorization: `Bearer ${keys.member}`,
      "content-type": "application/json",
      ...headers
    }
  })

const save = (server: TestServer, slug: string, settings: object) =>
  post(server, `/api/v1/presets/${slug}/chat/completions`, {
    model: "proof/model",
    messages,
    ...settings
  })

const chats = [
  ["/api/v1/chat/completions", { messages }],
  ["/api/v1/messages", { messages, max_tokens: 50 }],
  ["/api/v1/responses", { input: "hi" }]
] as const

test.each([
  [{ allowed_providers: ["second"] }, { provider: { only: ["first"] } }],
  [{ ignored_providers: ["first"] }, { provider: { order: ["first"], allow_fallbacks: false } }],
  [{ ignored_models: ["proof/model"] }, {}],
  [{ allowed_models: ["proof/none"] }, {}],
  [{ enforce_zdr: true }, { provider: { zdr: false, data_collection: "allow" } }],
  [{ allowed_models: ["proof/none"] }, { models: ["proof/model:floor", "proof/model"] }],
  [{ allowed_data_regions: ["europe" as const] }, { provider: { data_collection: "allow" } }],
  [{ allowed_providers: ["second"] }, { provider: { only: ["first"], max_price: { prompt: 1e6 } } }]
])("a preset does not widen the guardrail %j", async (guardrail, settings) => {
  await using server = await start()
  const { data: made } = await server.instance.guardrails.create({ name: "tight", ...guardrail })
  expect((await save(server, "wide", settings)).status).toBe(200)
  await server.instance.guardrails.assignMembers({
    id: made.id,
    member_user_ids: ["mem-1"]
  })
  for (const [path, body] of chats) {
    const refused = await post(server, path, { model: "@preset/wide", ...body })
    expect([path, refused.status]).toEqual([path, 404])
  }
  const decided = await post(
    server,
    "/api/alpha/decisions",
    makeDecisionRequest({ model: "@preset/wide", provider: undefined })
  )
  expect(decided.status).toBe(404)
  expect([...server.upstreams.first.requests, ...server.upstreams.second.requests]).toEqual([])
})

test("what a preset says passes the content filters, and its cache no guardrail that forbids storing", async () => {
  await using server = await start()
  const system = { role: "system", content: "The word is xyzzy." }
  await save(server, "told", { messages: [system, ...messages], cache_enabled: true })
  const { data: made } = await server.instance.guardrails.create({
    name: "tight",
    enforce_no_store: true,
    content_filters: [{ pattern: "xyzzy", action: "block", label: "WORD", scope: "prompts" }]
  })
  await server.instance.guardrails.assignMembers({ id: made.id, member_user_ids: ["mem-1"] })
  for (const [path, body] of chats) {
    const refused = await post(server, path, { model: "@preset/told", ...body })
    expect([path, refused.status]).toEqual([path, 403])
    expect(refused.text).toContain("WORD")
  }
  expect(server.calls).toEqual({ first: 0, second: 0 })
  await server.instance.guardrails.update({ id: made.id, content_filters: null })
  for (const [path, body] of chats) {
    for (let sent = 0; sent < 2; sent++) {
      const { headers, status } = await post(server, path, { model: "@preset/told", ...body })
      expect([status, headers["x-openrouter-cache-status"]]).toEqual([200, undefined])
    }
  }
  // Either provider may be drawn.
  expect(server.calls.first + server.calls.second).toBe(6)
})

test("a preset asks for no model or price beyond what the request itself says", async () => {
  await using server = await start()
  await save(server, "dear", { provider: { max_price: { prompt: 1e6 }, data_collection: "allow" } })
  const provider = { max_price: { prompt: 0 }, data_collection: "deny", zdr: true }
  for (const [path, body] of chats) {
    const refused = await post(server, path, { model: "@preset/dear", provider, ...body })
    expect([path, refused.status]).toEqual([path, 404])
  }
  expect([...server.upstreams.first.requests, ...server.upstreams.second.requests]).toEqual([])
})

test("names that objects inherit are no presets, and keys such as __proto__ are data", async () => {
  await using server = await start()
  for (const slug of ["constructor", "__proto__", "hasownproperty", "..%2fsupport"]) {
    for (const [path, body] of chats) {
      const refused = await post(server, path, { model: `@preset/${slug}`, ...body })
      expect([slug, refused.status]).toEqual([slug, 400])
    }
  }
  const saved = await post(
    server,
    "/api/v1/presets/constructor/chat/completions",
    `{"model":"proof/model","messages":[{"role":"user","content":"hi"}],"__proto__":{"polluted":1},"metadata":{"__proto__":"a"}}`
  )
  expect(saved.status).toBe(200)
  expect(saved.text).toContain('"__proto__":{"polluted":1}')
  expect(Reflect.get({}, "polluted")).toBeUndefined()
  const used = await post(server, "/api/v1/chat/completions", {
    model: "@preset/constructor",
    messages
  })
  expect(used.status).toBe(200)
})

test("settings that are too deep are a 400, and no version is made", async () => {
  await using server = await start()
  const depth = 50_000
  const refused = await post(
    server,
    "/api/v1/presets/deep/chat/completions",
    `{"model":"proof/model","messages":[{"role":"user","content":"hi"}],"metadata":${"[".repeat(depth)}${"]".repeat(depth)}}`
  )
  expect(refused.status).toBe(400)
  await expect(server.instance.presets.get({ slug: "deep" })).rejects.toMatchObject({ status: 404 })
})

test("settings of a preset that an API cannot say, which were left out in silence, are told", async () => {
  await using server = await start()
  await save(server, "seeded", { seed: 7, min_p: 0.1, temperature: 0.5 })
  const ask = (path: string, body: object, headers = {}) =>
    post(server, path, { model: "@preset/seeded", ...body }, headers)
  const [, [path, body]] = chats
  const told = await ask(path, body)
  expect(told.status).toBe(200)
  expect(told.headers["x-signalbox-ignored"]?.split(", ")).toEqual(
    expect.arrayContaining(["preset.seed", "preset.min_p"])
  )
  expect(told.headers["x-signalbox-ignored"]).not.toContain("preset.temperature")
  const strict = await ask(path, body, { "x-signalbox-strict": "true" })
  expect(strict.status).toBe(400)
  expect(strict.text).toContain("preset.seed")
  const decided = await ask(
    "/api/alpha/decisions",
    makeDecisionRequest({ model: "@preset/seeded" })
  )
  expect(decided.headers["x-signalbox-ignored"]).toBe(
    "preset.seed, preset.min_p, preset.temperature"
  )
})
