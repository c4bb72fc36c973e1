/** Prompts and answers that a workspace or a guardrail keeps: who reads them, what forbids it, and when they are deleted. */
import { readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Options } from "@signalbox/core"
import { sqlite } from "@signalbox/sql"
import OpenAI from "openai"
import { describe, expect, onTestFinished, test } from "vitest"
import { accountKeys, AccountTestServer, otherWorkspaceId } from "../support/AccountTestServer.ts"
import { getProperty } from "../support/getProperty.ts"
import { fastify5, type Host, hosts } from "../support/hosts.ts"
import { makeClient } from "../support/makeClient.ts"
import { send } from "../support/send.ts"

const sealing = { current: "k1", keys: { k1: "a key that seals what customers write" } }

type StartOptions = Pick<
  Options,
  "ioLog" | "sealing" | "settings" | "stores" | "workspaceDefaults"
> & {
  readonly host?: Host
}

const start = async (options: StartOptions = {}) => {
  const server = await AccountTestServer.start({ sealing, ...options })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server
}

const keep = (
  server: AccountTestServer,
  changes: object = { keep_content: true },
  workspace = "default"
) => server.ask(`/workspaces/${workspace}`, "management", "PATCH", changes)

type Key = Parameters<AccountTestServer["ask"]>[1]

const post = (server: AccountTestServer, path: string, body: unknown, key: Key = "member") =>
  server.ask(path, key, "POST", body)

const chatBody = (prompt: string, changes: object = {}) => ({
  model: "proof/model",
  messages: [{ role: "user", content: prompt }],
  ...changes
})

/** Sends a chat and returns the id of its generation. */
const chat = async (server: AccountTestServer, prompt: string, changes: object = {}, key?: Key) => {
  const { headers, status } = await post(
    server,
    "/chat/completions",
    chatBody(prompt, changes),
    key
  )
  expect(status).toBe(200)
  return headers["x-generation-id"] ?? "none"
}

const read = (server: AccountTestServer, id: string, key: Key = "management") =>
  server.ask(`/generation/content?id=${encodeURIComponent(id)}`, key)

describe.each([
  ["Express", hosts[1]!],
  ["Fastify", fastify5]
])("on %s", (_, host) => {
  test("clients write by three APIs, streamed too, and the reference client reads it all", async () => {
    const server = await start({ host })
    const openai = new OpenAI({
      apiKey: accountKeys.member,
      baseURL: `${server.root}/api/v1`,
      maxRetries: 0
    })
    const reader = makeClient(server, accountKeys.management)
    const settings = makeClient(server, accountKeys.management)
    await settings.workspaces.update({
      id: "default",
      updateWorkspaceRequest: { isObservabilityIoLoggingEnabled: true }
    })

    const whole = await openai.chat.completions.create({
      model: "proof/model",
      messages: [{ role: "user", content: "whole 😀" }]
    })
    const kept = await reader.generations.listGenerationContent({ id: whole.id })
    expect(kept.data).toEqual({
      input: { messages: [{ role: "user", content: "whole 😀" }] },
      output: { completion: "It is.", reasoning: null },
      error: null
    })

    const stream = await openai.chat.completions.create({
      model: "proof/model",
      messages: [{ role: "user", content: "streamed" }],
      stream: true
    })
    let id = ""
    let text = ""
    for await (const chunk of stream) {
      id = chunk.id
      text += chunk.choices[0]?.delta.content ?? ""
    }
    const streamed = await reader.generations.listGenerationContent({ id })
    expect(streamed.data.output.completion).toBe(text)

    const message = await post(server, "/messages", {
      model: "proof/model",
      max_tokens: 9,
      messages: [{ role: "user", content: "by messages" }]
    })
    const response = await post(server, "/responses", {
      model: "proof/model",
      input: "by responses"
    })
    for (const [sent, said] of [
      [message, "by messages"],
      [response, "by responses"]
    ] as const) {
      const { data } = await reader.generations.listGenerationContent({
        id: sent.headers["x-generation-id"] ?? "none"
      })
      expect(JSON.stringify(data.input)).toContain(said)
      expect(data.output.completion).toBe("It is.")
    }

    const decision = await server.decide({ state: "Is it urgent?" })
    const decided = await reader.generations.listGenerationContent({
      id: String(getProperty(decision.body, "id"))
    })
    expect(getProperty(decided.data.input, "prompt")).toContain("Is it urgent?")
    expect(decided.data.output.completion).toContain("noul")
  })
})

describe("keeping is opt-in", () => {
  test("nothing is kept of a workspace that does not ask for it", async () => {
    const server = await start()
    const { status } = await read(server, await chat(server, "not kept"))
    expect(status).toBe(404)
  })

  test("a host with a log of its own keeps logged content only where a workspace says so", async () => {
    const server = await start({ ioLog: () => {} })
    await keep(server, { is_observability_io_logging_enabled: true })
    expect((await read(server, await chat(server, "logged"))).status).toBe(404)
    await keep(server)
    expect((await read(server, await chat(server, "kept"))).status).toBe(200)
  })

  test("without a key to seal it with, switching it on is refused", async () => {
    const server = await AccountTestServer.start()
    onTestFinished(() => server[Symbol.asyncDispose]())
    const workspace = await keep(server)
    const created = await post(
      server,
      "/workspaces",
      { name: "W", slug: "w", keep_content: true },
      "management"
    )
    const guardrail = await post(
      server,
      "/guardrails",
      { name: "G", keep_content: true },
      "management"
    )
    for (const { body, status } of [workspace, created, guardrail]) {
      expect(status).toBe(400)
      expect(JSON.stringify(body)).toContain("set the option `sealing`")
    }
    expect((await keep(server, { keep_content: false })).status).toBe(200)
    await expect(
      AccountTestServer.start({ workspaceDefaults: { keepContent: true } })
    ).rejects.toThrow(/workspaceDefaults\.keepContent/)
  })

  test("keys and the sampling rate select what is kept", async () => {
    const server = await start()
    await keep(server, { keep_content: true, io_logging_api_key_ids: [1] })
    expect((await read(server, await chat(server, "another key"))).status).toBe(404)
    await keep(server, { io_logging_api_key_ids: null })
    expect((await read(server, await chat(server, "all keys"))).status).toBe(200)
  })
})

describe("forbidding wins", () => {
  test.each([
    ["zero data retention of the request", { provider: { zdr: true } }],
    ["no data collection of the request", { provider: { data_collection: "deny" } }]
  ])("%s", async (_, changes) => {
    const server = await start()
    await keep(server)
    const sent = await post(server, "/chat/completions", chatBody("private", changes))
    const id = sent.headers["x-generation-id"] ?? "none"
    expect((await read(server, id)).status).toBe(404)
  })

  test("a guardrail that forbids it, over its workspace and a guardrail that wants it", async () => {
    const server = await start()
    await keep(server)
    const { body: first } = await server.ask("/workspaces/default", "management")
    const defaultGuardrail = String(getProperty(getProperty(first, "data"), "default_guardrail_id"))
    const patch = (changes: object) =>
      server.ask(`/guardrails/${defaultGuardrail}`, "management", "PATCH", changes)
    expect((await patch({ keep_content: false })).status).toBe(200)
    expect((await read(server, await chat(server, "forbidden"))).status).toBe(404)

    const { body } = await post(
      server,
      "/guardrails",
      { name: "wants it", keep_content: true },
      "management"
    )
    const wanting = String(getProperty(getProperty(body, "data"), "id"))
    await post(
      server,
      `/guardrails/${wanting}/assignments/members`,
      { member_user_ids: ["mem-1"] },
      "management"
    )
    expect((await read(server, await chat(server, "both"))).status).toBe(404)
    await patch({ keep_content: null })
    await keep(server, { keep_content: false })
    expect((await read(server, await chat(server, "wanted alone"))).status).toBe(200)
    await patch({ enforce_zdr: true })
    const retained = await post(server, "/chat/completions", chatBody("zdr"))
    expect((await read(server, retained.headers["x-generation-id"] ?? "none")).status).toBe(404)
  })
})

describe("who reads it", () => {
  test("the caller that sent it and managers of its account, and nobody else", async () => {
    const server = await start()
    await keep(server)
    await keep(server, { keep_content: true }, otherWorkspaceId)
    const id = await chat(server, "mine")
    const elsewhere = await chat(server, "elsewhere", {}, "otherWorkspace")
    expect((await read(server, id, "member")).status).toBe(200)
    expect((await read(server, id, "management")).status).toBe(200)
    expect((await read(server, id, "foreign")).status).toBe(404)
    expect((await read(server, id, "otherWorkspace")).status).toBe(404)
    expect((await read(server, elsewhere, "member")).status).toBe(404)
    expect((await read(server, "gen-unknown", "management")).status).toBe(404)
    expect((await read(server, "", "management")).status).toBe(400)
    const other = await post(server, "/keys", { name: "another key" }, "management")
    const { body } = await send(`${server.root}/api/v1/generation/content?id=${id}`, {
      method: "GET",
      headers: { authorization: `Bearer ${String(getProperty(other.body, "key"))}` }
    })
    expect(getProperty(body, "error")).toMatchObject({ code: 404 })
  })

  test("a failed request has its prompt and why it failed", async () => {
    const server = await start()
    await keep(server)
    const failed = await server.decide({ state: "fail" })
    const { body } = await read(server, failed.headers["x-generation-id"] ?? "none")
    expect(getProperty(body, "data")).toMatchObject({
      input: { prompt: expect.stringContaining("fail") },
      output: { completion: null, reasoning: null },
      error: { message: "AttemptsFailed", provider_name: "First", status: 503, previous_errors: [] }
    })
  })
})

describe("what goes", () => {
  test("content of a removed key and of a deleted workspace, at once", async () => {
    const server = await start()
    await keep(server)
    const { body } = await post(server, "/keys", { name: "short-lived" }, "management")
    const key = String(getProperty(body, "key"))
    const hash = String(getProperty(getProperty(body, "data"), "hash"))
    const sent = await send(`${server.root}/api/v1/chat/completions`, {
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(chatBody("of a key"))
    })
    const id = sent.headers["x-generation-id"] ?? "none"
    await server.ask(`/keys/${hash}`, "management", "DELETE")
    expect((await read(server, id)).status).toBe(404)

    await keep(server, { keep_content: true }, otherWorkspaceId)
    const elsewhere = await chat(server, "of a workspace", {}, "otherWorkspace")
    await server.ask(`/workspaces/${otherWorkspaceId}`, "management", "DELETE")
    expect((await read(server, elsewhere)).status).toBe(404)
  })

  test("an export has it, and erasing the person deletes it", async () => {
    const server = await start()
    await keep(server)
    const id = await chat(server, "exported words", { user: "ada" })
    const person = { external_user: "ada" }
    const exported = await post(server, "/signalbox/people/export", person, "management")
    expect(getProperty(exported.body, "data")).toMatchObject({
      contents: [{ generation_id: id, output: { completion: "It is." } }]
    })
    expect(JSON.stringify(exported.body)).toContain("exported words")
    await post(server, "/signalbox/people/erase", person, "management")
    expect((await read(server, id)).status).toBe(404)
  })
})

describe("at rest", () => {
  const secrets = [
    "sk-or-v1-0123456789abcdef0123456789abcdef",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "AKIAIOSFODNN7EXAMPLE",
    "hunter2hunter2"
  ]
  const prompt = `The plain words of a customer; keys ${secrets.slice(0, 3).join(", ")}; password: ${secrets[3]}`

  test("the database has neither the words nor the secrets in them, and the answer has no secrets", async () => {
    const path = join(tmpdir(), `signalbox-content-${crypto.randomUUID()}.db`)
    const server = await AccountTestServer.start({ sealing, stores: sqlite({ path }) })
    await keep(server)
    const id = await chat(server, prompt)
    await chat(server, prompt, { stream: true })
    const { body } = await read(server, id)
    const text = JSON.stringify(body)
    expect(text).toContain("The plain words of a customer")
    for (const secret of secrets) expect(text).not.toContain(secret)
    await server[Symbol.asyncDispose]()
    const files = await Promise.all(
      ["", "-wal", "-shm"].map((suffix) => readFile(path + suffix).catch(() => Buffer.alloc(0)))
    )
    const bytes = Buffer.concat(files).toString("latin1")
    expect(bytes).toContain(id)
    for (const word of ["plain words", ...secrets]) expect(bytes).not.toContain(word)
  })

  test("a new key opens what is sealed under it, and a removed one opens nothing", async () => {
    const path = join(tmpdir(), `signalbox-content-${crypto.randomUUID()}.db`)
    const [k1, k2] = [
      "the first key of a host, 32 characters",
      "the second key of a host, 32 characters"
    ]
    const first = await AccountTestServer.start({
      sealing: { current: "k1", keys: { k1 } },
      stores: sqlite({ path })
    })
    await keep(first)
    const id = await chat(first, "resealed")
    await first[Symbol.asyncDispose]()
    const both = await AccountTestServer.start({
      sealing: { current: "k2", keys: { k1, k2 } },
      stores: sqlite({ path })
    })
    expect((await read(both, id)).status).toBe(200)
    expect(await both.instance.resealCredentials()).toBe(1)
    await both[Symbol.asyncDispose]()
    const second = await AccountTestServer.start({
      sealing: { current: "k2", keys: { k2 } },
      stores: sqlite({ path })
    })
    expect((await read(second, id)).status).toBe(200)
    await second[Symbol.asyncDispose]()
    const neither = await AccountTestServer.start({ stores: sqlite({ path }) })
    expect((await read(neither, id)).status).toBe(404)
    await neither[Symbol.asyncDispose]()
  })

  test("what is too large is not kept, and counted", async () => {
    const server = await start({ settings: { maxKeptContentBytes: 500 } })
    await keep(server)
    const large = await chat(server, "words ".repeat(200))
    expect((await read(server, large)).status).toBe(404)
    expect(await server.instance.metrics()).toMatch(
      /signalbox_queue_failed_total\{queue="kept_content"\} 1/
    )
    const image = `data:image/png;base64,${"A".repeat(4_000)}`
    const id = await chat(server, "see", {
      messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: image } }] }]
    })
    const { body } = await read(server, id)
    expect(JSON.stringify(body)).toContain("characters omitted")
  })

  test("the retention ends it", async () => {
    const server = await start({ settings: { keptContentRetentionMillis: 1 } })
    await keep(server)
    const id = await chat(server, "short-lived")
    await chat(server, "later")
    await expect.poll(async () => (await read(server, id)).status).toBe(404)
  })
})

test("an answer that a content filter blocks is kept without what it blocks", async () => {
  const server = await start()
  await keep(server)
  const defaultGuardrail = "/guardrails/ffffffff-0000-4000-8000-000000000000"
  const written = await server.ask(defaultGuardrail, "management", "PATCH", {
    content_filters: [{ pattern: "It is", action: "block", label: "[SAID]", scope: "answers" }]
  })
  expect(written.status).toBe(200)
  const body = chatBody("Is it urgent?")
  const { headers, status } = await post(server, "/chat/completions", body)
  expect(status).toBe(403)
  const kept = JSON.stringify((await read(server, headers["x-generation-id"] ?? "none")).body)
  expect(kept).toContain("Is it urgent?")
  expect(kept).toContain("[SAID].")
  expect(kept).not.toContain("It is")
})
