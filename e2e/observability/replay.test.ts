/** Running recorded requests again from their kept content, over HTTP and in process. */
import { Signalbox } from "@signalbox/node"
import { sqlite } from "@signalbox/sql"
import type { ChatCall, Upstream } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, onTestFinished, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"

const keys = { member: "sk-replay-member", management: "sk-replay-management" } as const

const start = async (options: Partial<Parameters<typeof Signalbox.make>[0]> = {}) => {
  const calls: Array<{ readonly provider: string; readonly call: ChatCall }> = []
  const makeUpstream = (slug: string): Upstream => ({
    slug,
    name: slug,
    chat: {
      complete: (call) => {
        calls.push({ provider: slug, call })
        return Effect.succeed({
          choices: [
            {
              index: 0,
              answer: {
                parts: [{ type: "text", text: `Answer ${calls.length} of ${slug}.` }],
                end: { reason: "stop" }
              }
            }
          ],
          usage: { inputTokens: 100, outputTokens: 10 }
        })
      },
      stream: () => Stream.empty,
      estimateWorstCase: () => ({ inputTokens: 100, outputTokens: 10 })
    },
    decisions: {
      decide: ({ questions }) =>
        Effect.succeed({
          verdicts: new Map(Object.keys(questions).map((name) => [name, { weights: [3, 1] }])),
          usage: { inputTokens: 10, outputTokens: 2 },
          method: "native"
        }),
      estimateWorstCase: () => ({ inputTokens: 100, outputTokens: 10 })
    }
  })
  const price = { prompt: "0.00001", completion: "0.00002" }
  const instance = await Signalbox.make({
    upstreams: [makeUpstream("first"), makeUpstream("second")],
    models: [
      { id: "proof/model", endpoints: [{ provider: "first", price }] },
      { id: "proof/other", endpoints: [{ provider: "second", price }] },
      {
        id: "proof/both",
        endpoints: [
          { provider: "first", price },
          { provider: "second", price }
        ]
      }
    ],
    keys: [
      { key: keys.member, kind: "member", user: "ada" },
      { key: keys.management, kind: "management" }
    ],
    sealing: { current: "k1", keys: { k1: "a key that seals what customers write" } },
    workspaceDefaults: { keepContent: true },
    ...options
  })
  onTestFinished(() => instance.close())
  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    key: keyof typeof keys = "management"
  ) => {
    const response = await instance.fetch(
      new Request(`http://replay.test/api${path}`, {
        method,
        headers: { authorization: `Bearer ${keys[key]}`, "content-type": "application/json" },
        body: body === undefined ? null : JSON.stringify(body)
      })
    )
    const json: unknown = await response.json()
    return { status: response.status, json, data: getProperty(json, "data") }
  }
  const send = async (path: string, body: unknown): Promise<string> =>
    String(getProperty((await ask("POST", path, body, "member")).json, "id"))
  return { instance, calls, ask, send }
}

const chat = {
  model: "proof/model",
  messages: [{ role: "user", content: "Is it calm?" }],
  temperature: 0.5,
  max_tokens: 50,
  session_id: "of-the-user",
  user: "their customer"
}

const toPath = (id: string) => `/v1/signalbox/generations/${id}/replay`

describe.each([
  ["memory", {}],
  ["SQLite", { stores: sqlite({ path: ":memory:" }) }]
])("on %s", (_, stores) => {
  test("a chat runs again with the same body, as the operator, and its record names the first", async () => {
    const { ask, calls, send } = await start(stores)
    const id = await send("/v1/chat/completions", chat)
    const { data, status } = await ask("POST", toPath(id), {})
    expect(status).toBe(200)
    expect(data).toMatchObject({
      replay_of: id,
      models: ["proof/model"],
      model: "proof/model",
      provider_name: "first",
      cost: 0.0012,
      output: { completion: "Answer 2 of first.", reasoning: null },
      omitted_fields: ["session_id", "user"],
      is_redacted: false
    })
    const [before, after] = calls.map(({ call: { native } }) => native?.body)
    expect(after).toEqual(before)
    const record = await ask("GET", `/v1/signalbox/generations/${String(getProperty(data, "id"))}`)
    expect(record.data).toMatchObject({
      replay_of: id,
      cost: 0.0012,
      session_id: null,
      external_user: null,
      key_hash: expect.any(String)
    })
    expect(getProperty(record.data, "key_hash")).not.toBe(
      getProperty((await ask("GET", `/v1/signalbox/generations/${id}`)).data, "key_hash")
    )
    // A replay keeps its content, too, so it can be replayed.
    expect((await ask("POST", toPath(String(getProperty(data, "id"))), {})).status).toBe(200)
  })

  test("a preview names the endpoints and what they would cost, and asks no provider", async () => {
    const { ask, calls, send } = await start(stores)
    const id = await send("/v1/chat/completions", chat)
    const { data } = await ask("POST", `${toPath(id)}/preview`, { model: "proof/both" })
    expect(data).toMatchObject({ replay_of: id, models: ["proof/both"] })
    const endpoints = getProperty(data, "endpoints") as ReadonlyArray<unknown>
    expect(new Set(endpoints.map((each) => getProperty(each, "provider_name")))).toEqual(
      new Set(["first", "second"])
    )
    for (const each of endpoints) {
      expect(getProperty(each, "estimated_cost")).toBeGreaterThan(0)
    }
    expect(calls).toHaveLength(1)
  })
})

test("another model and other preferences take the place of those of the record", async () => {
  const { ask, calls, send } = await start()
  const id = await send("/v1/chat/completions", {
    ...chat,
    model: "proof/both",
    models: ["proof/model"],
    provider: { only: ["first"] }
  })
  await ask("POST", toPath(id), {})
  await ask("POST", toPath(id), { provider: { only: ["second"] } })
  const { data } = await ask("POST", toPath(id), { model: "proof/other", provider: null })
  expect(calls.map(({ provider }) => provider)).toEqual(["first", "first", "second", "second"])
  expect(data).toMatchObject({ models: ["proof/other"], provider_name: "second" })
})

test("a Decision runs again, and a call in process does the same", async () => {
  const { instance, send } = await start()
  const id = await send("/alpha/decisions", {
    model: "proof/model",
    state: "I was charged twice!",
    questions: { urgent: { type: "noul", instructions: "Is it urgent?" } }
  })
  const { data } = await instance.generations.replay({ id })
  expect(data).toMatchObject({ replay_of: id, provider_name: "first" })
  expect(JSON.parse(data.output.completion ?? "")).toMatchObject({ urgent: { type: "noul" } })
})

test("the restrictions of the workspace hold", async () => {
  const { ask, calls, instance, send } = await start()
  const id = await send("/v1/chat/completions", chat)
  await instance.guardrails.update({
    id: String(
      getProperty((await ask("GET", "/v1/workspaces/default")).data, "default_guardrail_id")
    ),
    allowed_providers: ["second"]
  })
  const { json, status } = await ask("POST", toPath(id), {})
  expect([status, JSON.stringify(json)]).toEqual([404, expect.stringContaining("guardrail")])
  expect(calls).toHaveLength(1)
})

test("what cannot be repeated is refused, with the reason", async () => {
  const { ask, calls, instance, send } = await start()
  const id = await send("/v1/chat/completions", chat)
  expect((await ask("POST", toPath(id), {}, "member")).status).toBe(403)
  expect((await ask("POST", toPath(id), { model: "" })).status).toBe(400)
  expect((await ask("POST", toPath(id), { provider: { onyl: ["first"] } })).status).toBe(400)
  expect((await ask("POST", toPath("gen-none"), {})).status).toBe(404)

  const image = `data:image/png;base64,${"A".repeat(2_000)}`
  const withImage = await send("/v1/chat/completions", {
    ...chat,
    messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: image } }] }]
  })
  const refused = await ask("POST", toPath(withImage), {})
  expect(refused.status).toBe(400)
  expect(JSON.stringify(refused.json)).toContain("inline media were left out")

  const withSecret = await send("/v1/chat/completions", {
    ...chat,
    messages: [{ role: "user", content: "AKIAIOSFODNN7EXAMPLF" }]
  })
  const { data } = await ask("POST", toPath(withSecret), {})
  expect(data).toMatchObject({ is_redacted: true })

  await instance.workspaces.update({ id: "default", keep_content: false })
  const before = calls.length
  const unkept = await send("/v1/chat/completions", chat)
  const missing = await ask("POST", toPath(unkept), {})
  expect(missing.status).toBe(404)
  expect(getProperty(missing.json, "error")).toMatchObject({
    message: "There is no such kept content"
  })
  expect(calls).toHaveLength(before + 1)
})
