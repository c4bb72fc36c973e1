/** Names that nothing has, that are misspelt, that are too long, or that would fool a reader. */
import { Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { afterAll, describe, expect, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"

const organization = "sk-names-organization-4410"
const narrow = "sk-names-narrow-71fe"
const management = "sk-names-management-c0de"

const instance = await Signalbox.make({
  upstreams: [openai({ slug: "first", apiKey: "sk-unused", baseUrl: "http://127.0.0.1:1/v1" })],
  models: [
    { id: "acme/talker", endpoints: [{ provider: "first", price: {} }] },
    { id: "acme/secret", hidden: true, endpoints: [{ provider: "first", price: {} }] },
    {
      id: "acme/gpt-5",
      endpoints: [
        {
          provider: "first",
          price: { prompt: "0.000001", completion: "0.000002" },
          contextLength: 8_192
        }
      ]
    }
  ],
  keys: [
    { key: organization, kind: "organization" },
    { key: narrow, kind: "member", user: "mem-1" },
    { key: management, kind: "management" }
  ],
  authenticate: ({ headers }) =>
    headers["x-user"] === undefined ? undefined : { user: "ada", limit: 0 }
})
afterAll(() => instance.close())

const ask = async (
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = { authorization: `Bearer ${organization}` }
) => {
  const response = await instance.fetch(
    new Request(`http://names.invalid${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? undefined : { body: JSON.stringify(body) })
    })
  )
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text) as unknown }
}

const manage = (method: string, path: string, body?: unknown) =>
  ask(method, `/api/v1${path}`, body, { authorization: `Bearer ${management}` })

const getMessage = (body: unknown): unknown => getProperty(getProperty(body, "error"), "message")

/** Requests of every API that names a model, whole and streamed. */
const requests: ReadonlyArray<readonly [name: string, path: string, rest: object]> = [
  ["chat", "/api/v1/chat/completions", { messages: [{ role: "user", content: "hi" }] }],
  [
    "streamed chat",
    "/api/v1/chat/completions",
    { stream: true, messages: [{ role: "user", content: "hi" }] }
  ],
  ["Messages", "/api/v1/messages", { max_tokens: 10, messages: [{ role: "user", content: "hi" }] }],
  ["Responses", "/api/v1/responses", { input: "hi" }],
  ["embeddings", "/api/v1/embeddings", { input: "hi" }],
  ["rerank", "/api/v1/rerank", { query: "hi", documents: ["a"] }],
  [
    "Decisions",
    "/api/alpha/decisions",
    { state: "hi", questions: { q: { type: "noul", instructions: "?" } } }
  ],
  ["videos", "/api/v1/videos", { prompt: "hi" }]
]

describe.each(requests)("an unknown model of %s", (_, path, rest) => {
  test("is answered with the nearest one", async () => {
    const { body } = await ask("POST", path, { model: "acme/tolker", ...rest })
    expect(getMessage(body)).toContain(
      "acme/tolker is not a valid model ID; did you mean acme/talker?"
    )
  })

  test("is not answered with a hidden model", async () => {
    const { body } = await ask("POST", path, { model: "acme/secrets", ...rest })
    expect(getMessage(body)).not.toContain("did you mean")
  })

  test("of a megabyte is repeated with 200 characters", async () => {
    const { status, text } = await ask("POST", path, { model: "x".repeat(1_000_000), ...rest })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(text.length).toBeLessThan(2_000)
  })
})

test("a model that the caller may not use is not suggested", async () => {
  const made = await manage("POST", "/guardrails", {
    name: "numbers only",
    allowed_models: ["acme/gpt-5"]
  })
  const id = String(getProperty(getProperty(made.body, "data"), "id"))
  await manage("POST", `/guardrails/${id}/assignments/members`, { member_user_ids: ["mem-1"] })
  const { body } = await ask(
    "POST",
    "/api/v1/chat/completions",
    { model: "acme/tolker", messages: [{ role: "user", content: "hi" }] },
    { authorization: `Bearer ${narrow}` }
  )
  expect(getMessage(body)).toBe("acme/tolker is not a valid model ID")
})

test("a model that GET /model does not find is answered with the nearest listed one", async () => {
  const { body, status } = await ask("GET", "/api/v1/model/acme/tolker")
  expect([status, getMessage(body)]).toEqual([
    404,
    "acme/tolker is not a model of this catalog; did you mean acme/talker?"
  ])
})

describe("a guardrail", () => {
  test.each([
    ["allowed_models", "acme/tlaker", "acme/talker"],
    ["ignored_models", "acme/talkr", "acme/talker"],
    ["allowed_providers", "frist", "first"],
    ["ignored_providers", "firs", "first"]
  ])("with a misspelt name in %s is refused", async (field, name, meant) => {
    const { body, status } = await manage("POST", "/guardrails", { name: "x", [field]: [name] })
    expect([status, getMessage(body)]).toEqual([400, expect.stringContaining(`mean ${meant}?`)])
  })

  test("may name a model that comes later, and keeps what it has", async () => {
    const names = ["nobody/knows", "acme/gpt-6", "ACME/talker"]
    const made = await manage("POST", "/guardrails", { name: "x", allowed_models: names })
    expect(made.status).toBe(201)
    const id = String(getProperty(getProperty(made.body, "data"), "id"))
    const changed = await manage("PATCH", `/guardrails/${id}`, {
      allowed_models: [...names, "acme/talkr"]
    })
    expect(changed.status).toBe(400)
    expect((await manage("PATCH", `/guardrails/${id}`, { allowed_models: names })).status).toBe(200)
  })
})

describe.each([
  ["a line break", "ci\nforged line"],
  ["an escape sequence", "\u001b]0;title\u0007"],
  ["a C1 control", "a\u009b2Jb"],
  ["a character that reverses text", "evil\u202egpj.exe"],
  ["an isolate", "a\u2066b"],
  ["half a character", "a\ud800b"]
])("a name with %s", (_, name) => {
  test.each([
    ["a key", "POST", "/keys", {}],
    ["a workspace", "POST", "/workspaces", { slug: "plain" }],
    ["a guardrail", "POST", "/guardrails", {}],
    ["a credential", "POST", "/byok", { provider: "first", key: "sk-of-the-customer" }]
  ])("is refused for %s", async (_what, method, path, rest) => {
    const { body, status } = await manage(method, path, { ...rest, name })
    expect([status, getMessage(body)]).toEqual([400, expect.stringContaining("control characters")])
  })

  test.each([
    ["the user of a key", "/keys", { name: "k", creator_user_id: name }],
    ["a new member", "/workspaces/default/members/add", { user_ids: [name] }],
    ["a member of a guardrail", "/guardrails/none/assignments/members", { member_user_ids: [name] }]
  ])("is refused for %s", async (_what, path, sent) => {
    const { body, status } = await manage("POST", path, sent)
    expect([status, getMessage(body)]).toEqual([400, expect.stringContaining("control characters")])
  })
})

test("a user without a key learns that the limit is the user's", async () => {
  const { body, status } = await ask(
    "POST",
    "/api/v1/chat/completions",
    { model: "acme/gpt-5", max_tokens: 1, messages: [{ role: "user", content: "hi" }] },
    { "x-user": "ada" }
  )
  expect([status, getMessage(body)]).toEqual([402, expect.stringMatching(/^User limit exceeded/)])
})

describe("an unknown context length", () => {
  test("is null on a card, in no filter, and null in Anthropic's format", async () => {
    const listed = await ask("GET", "/api/v1/models")
    expect(listed.body).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({
          id: "acme/talker",
          context_length: null,
          top_provider: { is_moderated: false }
        })
      ])
    })
    const filtered = await ask("GET", "/api/v1/models?context=1")
    expect(filtered.body).toMatchObject({ data: [{ id: "acme/gpt-5", context_length: 8_192 }] })
    const feed = await instance.fetch(
      new Request("http://names.invalid/api/v1/models?context=1&use_rss=true", {
        headers: { authorization: `Bearer ${organization}` }
      })
    )
    expect(await feed.text()).not.toContain("acme/talker")
    const anthropic = await ask("GET", "/api/v1/models", undefined, {
      authorization: `Bearer ${organization}`,
      "anthropic-version": "2023-06-01"
    })
    expect(anthropic.body).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({ id: "acme/talker", max_input_tokens: null, max_tokens: null }),
        expect.objectContaining({ id: "acme/gpt-5", max_input_tokens: 8_192 })
      ])
    })
  })
})
