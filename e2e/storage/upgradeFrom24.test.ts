/**
 * This version opens a database at migration 24 and continues with its data. An instance of the version before kept content,
 * presets, codes and cached answers wrote the rows.
 */
import { createHash } from "node:crypto"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Upstream } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { parseJson } from "../support/HttpResponse.ts"
import { openStores } from "../support/openStores.ts"
import { readSnapshot, restoreSnapshot } from "../support/restoreSnapshot.ts"
import { makeTestDatabase, type TestDatabase } from "../support/TestDatabase.ts"

const snapshotFile = join(import.meta.dirname, "databaseAtMigration24.json")

const usage = { inputTokens: 10, outputTokens: 2 }

const upstream: Upstream = {
  slug: "first",
  name: "First",
  decisions: {
    decide: ({ questions }) =>
      Effect.succeed({
        verdicts: new Map(Object.keys(questions).map((key) => [key, { weights: [3, 1] }])),
        usage,
        method: "native"
      }),
    estimateWorstCase: () => ({ inputTokens: 100, outputTokens: 10 })
  },
  chat: {
    complete: () =>
      Effect.succeed({
        choices: [
          {
            index: 0,
            answer: { parts: [{ type: "text", text: "It is." }], end: { reason: "stop" } }
          }
        ],
        usage
      }),
    stream: () => Stream.empty,
    estimateWorstCase: () => ({ inputTokens: 100, outputTokens: 10 })
  }
}

/** As the instance that wrote the snapshot. */
const start = async (database: TestDatabase) => {
  const instance = await Signalbox.make({
    stores: openStores(database),
    upstreams: [upstream],
    models: ["acme/model", "acme/new", "other/model"].map((id) => ({
      id,
      endpoints: [{ provider: "first", price: { prompt: "0", completion: "0", request: "0.01" } }]
    })),
    keys: [
      { key: "sk-fixture-member", kind: "member", user: "ada", limit: 100 },
      { key: "sk-fixture-management", kind: "management" }
    ],
    credits: { default: "1000" },
    sealing: { current: "k1", keys: { k1: "a sealing key that nobody is going to guess" } },
    experiments: [{ match: { model: "acme/model" }, to: "acme/new", mode: "canary", share: 0.5 }],
    pkce: { callbackUrls: [] }
  })
  onTestFinished(() => instance.close())
  return async (
    path: string,
    body?: object,
    { key = "sk-fixture-management", method = body === undefined ? "GET" : "POST", ...more } = {}
  ) => {
    const response = await instance.fetch(
      new Request(`http://signalbox.invalid/api${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...more },
        ...(body === undefined ? undefined : { body: JSON.stringify(body) })
      })
    )
    const answer = parseJson(await response.text())
    return {
      status: response.status,
      body: answer,
      data: getProperty(answer, "data"),
      headers: response.headers
    }
  }
}

const member = { key: "sk-fixture-member" }

const say = { model: "acme/model", messages: [{ role: "user", content: "Is it calm now?" }] }

const databases: Readonly<Record<string, () => TestDatabase>> = {
  SQLite: () => makeTestDatabase(mkdtempSync(join(tmpdir(), "signalbox-")), undefined),
  Postgres: () => makeTestDatabase("", inject("postgresUrl"))
}

describe.each(Object.entries(databases))("a %s database at migration 24", (_, makeDatabase) => {
  const open = async () => {
    const { facts, ...snapshot } = readSnapshot(snapshotFile, "")
    const database = makeDatabase()
    await restoreSnapshot(database, { facts, ...snapshot }, 24)
    return { call: await start(database), fact: (name: string) => facts[name] ?? "" }
  }

  test("keeps records, of which no content is kept, and keeps that of requests from now on", async () => {
    const { call, fact } = await open()
    const old = await call(`/v1/generation?id=${fact("chat")}`)
    expect(old.data).toMatchObject({ external_user: "customer-7", preset_id: null, usage: 0.01 })
    expect((await call(`/v1/generation/content?id=${fact("chat")}`)).status).toBe(404)

    await call("/v1/workspaces/default", { keep_content: true }, { method: "PATCH" })
    const asked = await call("/v1/chat/completions", say, member)
    const id = asked.headers.get("x-generation-id")
    const kept = await call(`/v1/generation/content?id=${id}`, undefined, member)
    expect(kept.data).toMatchObject({
      input: { messages: say.messages },
      output: { completion: "It is." }
    })
    const forbid = { keep_content: false }
    await call(`/v1/guardrails/${fact("guardrail")}`, forbid, { method: "PATCH" })
    const later = await call("/v1/chat/completions", say, member)
    const laterId = later.headers.get("x-generation-id")
    expect((await call(`/v1/generation/content?id=${laterId}`)).status).toBe(404)
    expect((await call("/v1/key", undefined, member)).data).toMatchObject({ usage: 0.04 })
  })

  test("takes feedback on its records, in series, experiments and calibrations", async () => {
    const { call, fact } = await open()
    for (const [name, category] of [
      ["chat", "formatting"],
      ["decision", "incorrect_response"]
    ] as const) {
      const given = await call("/v1/generation/feedback", { generation_id: fact(name), category })
      expect(given.status).toBe(200)
    }
    const figures = await call("/v1/signalbox/series?group_by=user&interval=hour")
    expect(getProperty(figures.data, "series")).toMatchObject([
      { value: "ada", totals: { requests: 2 }, feedback: { formatting: 1, incorrect_response: 1 } }
    ])
    expect(JSON.stringify((await call("/v1/signalbox/experiments")).data)).toContain(
      '"feedback":{"formatting":1}'
    )
    const audit = JSON.stringify((await call("/v1/signalbox/audit")).data)
    expect(audit).toContain("calibration.label")
  })

  test("stores presets in its workspaces, for its keys", async () => {
    const { call, fact } = await open()
    const settings = { ...say, temperature: 0.5 }
    for (const version of [1, 2]) {
      const saved = await call("/v1/presets/calm/chat/completions", settings, member)
      expect(saved.data).toMatchObject({ designated_version: { version } })
    }
    const named = { ...say, model: "@preset/calm" }
    const used = await call("/v1/chat/completions", named, { key: fact("issuedKey") })
    const id = used.headers.get("x-generation-id")
    const { data } = await call(`/v1/generation?id=${id}`)
    const preset = String(getProperty(data, "preset_id"))
    expect(preset).toMatch(/calm$/)
    const found = await call(`/v1/signalbox/generations?preset_id=${encodeURIComponent(preset)}`)
    expect(found.data).toMatchObject([{ id }])

    const lab = { name: "of the lab", workspace_id: fact("workspace") }
    const key = String(getProperty((await call("/v1/keys", lab)).body, "key"))
    expect((await call("/v1/presets/calm", undefined, { key })).status).toBe(404)
    const own = await call("/v1/presets/calm/chat/completions", settings, { key })
    expect(own.data).toMatchObject({ workspace_id: fact("workspace") })
    expect((await call(`/v1/workspaces/lab`, undefined, { method: "DELETE" })).status).toBe(200)
  })

  test("lets its users consent to keys, which are bound as they are", async () => {
    const { call } = await open()
    const verifier = "v".repeat(43)
    const code_challenge = createHash("sha256").update(verifier).digest("base64url")
    const code = await call("/v1/auth/keys/code", { code_challenge, limit: 1 }, member)
    const exchanged = await call("/v1/auth/keys", {
      code: getProperty(code.data, "id"),
      code_verifier: verifier
    })
    expect(exchanged.body).toMatchObject({ user_id: "ada" })
    const key = String(getProperty(exchanged.body, "key"))
    expect((await call("/v1/chat/completions", say, { key })).status).toBe(200)
    const forbidden = { ...say, model: "other/model" }
    expect((await call("/v1/chat/completions", forbidden, { key })).status).toBe(404)
  })

  test("takes endpoints out of service, and puts them back", async () => {
    const { call } = await open()
    const control = { kind: "endpoint", id: "acme/new@first" }
    const controls = "/v1/signalbox/traffic-controls"
    expect((await call(controls)).data).toEqual([])
    const drained = await call(controls, { ...control, state: "drained" }, { method: "PUT" })
    expect(drained.data).toMatchObject({ ...control, state: "drained", version: 1 })
    const ask = { ...say, model: "acme/new" }
    expect((await call("/v1/chat/completions", ask, member)).status).toBe(503)
    expect((await call(controls, control, { method: "PUT" })).data).toMatchObject({ version: 2 })
    expect((await call("/v1/chat/completions", ask, member)).status).toBe(200)
  })

  test("answers its callers from the cache, and erases them", async () => {
    const { call, fact } = await open()
    const cached = { ...member, "x-openrouter-cache": "true" }
    const statuses = []
    for (let at = 0; at < 2; at++) {
      const { headers } = await call("/v1/chat/completions", { ...say, model: "acme/new" }, cached)
      statuses.push(headers.get("x-openrouter-cache-status"))
    }
    expect(statuses).toEqual(["MISS", "HIT"])
    const exported = await call("/v1/signalbox/people/export", { user: "ada" })
    expect(JSON.stringify(exported.data)).toContain(fact("chat"))
    expect((await call("/v1/signalbox/people/erase", { user: "ada" })).status).toBe(200)
    expect(JSON.stringify((await call("/v1/signalbox/generations")).data)).not.toContain('"ada"')
    expect((await call("/v1/chat/completions", say, member)).status).toBe(401)
  })
})
