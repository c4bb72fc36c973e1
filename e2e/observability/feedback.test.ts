/** Feedback on generations: who gives it, where it is counted, and what it says about a Decision. */
import type { Upstream } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import { sqlite } from "@signalbox/sql"
import * as Effect from "effect/Effect"
import { describe, expect, onTestFinished, test } from "vitest"
import { accountKeys, AccountTestServer } from "../support/AccountTestServer.ts"
import { getProperty } from "../support/getProperty.ts"
import { fastify5, hosts } from "../support/hosts.ts"
import { makeClient } from "../support/makeClient.ts"
import { keys } from "../support/TestServer.ts"

type Options = NonNullable<Parameters<typeof AccountTestServer.start>[0]>

const start = async (options: Options = {}) => {
  const server = await AccountTestServer.start(options)
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server
}

const chat = async (server: AccountTestServer, changes: object = {}) => {
  const { headers } = await server.ask("/chat/completions", "member", "POST", {
    model: "proof/model",
    messages: [{ role: "user", content: "Is it calm?" }],
    ...changes
  })
  return headers["x-generation-id"] ?? "none"
}

const give = (
  server: AccountTestServer,
  body: object,
  key: Parameters<AccountTestServer["ask"]>[1] = "management"
) => server.ask("/generation/feedback", key, "POST", body)

const listFeedback = async (server: AccountTestServer, query = "") => {
  const { body } = await server.ask(`/signalbox/feedback${query}`, "management")
  return getProperty(body, "data")
}

describe.each([
  ["Express", hosts[1]!],
  ["Fastify", fastify5]
])("on %s", (_, host) => {
  test("the reference client gives it, and series count it by what answered", async () => {
    const server = await start({ host })
    const client = makeClient(server, accountKeys.management)
    const id = await chat(server)
    const feedback = {
      generationId: id,
      category: "incorrect_response",
      comment: "It is not."
    } as const
    const request = { submitGenerationFeedbackRequest: feedback } as const
    const given = await client.generations.submitFeedback(request)
    expect(given.data).toEqual({ success: true })
    await client.generations.submitFeedback(request)
    await give(server, { generation_id: id, category: "latency" })
    expect(await listFeedback(server, `?generation_id=${id}&category=incorrect_response`)).toEqual([
      {
        generation_id: id,
        category: "incorrect_response",
        comment: "It is not.",
        created_at: expect.any(String),
        given_by: { key_hash: expect.any(String), user_id: null },
        workspace_id: expect.any(String),
        operation: "chat",
        model: "proof/model",
        provider: "First",
        endpoint: expect.any(String)
      }
    ])
    for (const dimension of ["total", "model", "provider", "endpoint", "user", "user,model"]) {
      const { body } = await server.ask(`/signalbox/series?group_by=${dimension}`, "management")
      const series = getProperty(getProperty(body, "data"), "series")
      const counts = { incorrect_response: 1, latency: 1 }
      expect({ dimension, series }).toMatchObject({
        dimension,
        series: [{ feedback: counts, points: [{ feedback: counts }] }]
      })
    }
  })
})

describe("what is refused", () => {
  test("bad categories and comments, unknown generations, other tenants and other keys", async () => {
    const server = await start()
    const id = await chat(server)
    const valid = { generation_id: id, category: "other" }
    const statuses = await Promise.all([
      give(server, { ...valid, category: "great" }),
      give(server, { ...valid, comment: "x".repeat(1_001) }),
      give(server, { ...valid, generation_id: "" }),
      give(server, { category: "other" }),
      give(server, { ...valid, remark: "x" }),
      give(server, { ...valid, generation_id: "gen-unknown" }),
      give(server, valid, "foreign"),
      give(server, valid, "member")
    ])
    expect(statuses.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 404, 404, 403])
    expect(await listFeedback(server)).toEqual([])
    expect((await give(server, { ...valid, comment: "😀".repeat(1_000) })).status).toBe(200)
  })
})

test("it is audited once for each change, without its comment, which has no secrets", async () => {
  const server = await start()
  const id = await chat(server)
  const secret = "sk-or-v1-0123456789abcdef0123456789abcdef"
  // Only the detector of content filters knows its form.
  const ofFilters = `dapi${"a3b6c9d2e5f8".repeat(3).slice(0, 32)}`
  const body = { generation_id: id, category: "other", comment: `leaks ${secret} and ${ofFilters}` }
  await Promise.all([give(server, body), give(server, body), give(server, body)])
  await give(server, { ...body, comment: "another" })
  const { body: log } = await server.ask("/signalbox/audit", "management")
  const entries = Array.from(getProperty(log, "data") as Iterable<unknown>).filter(
    (entry) => getProperty(entry, "action") === "generation.feedback"
  )
  expect(entries).toMatchObject([
    { target: id, after: { category: "other", has_comment: true } },
    { target: id, before: null }
  ])
  expect(JSON.stringify(log)).not.toContain(secret)
  await give(server, body)
  expect(JSON.stringify(await listFeedback(server))).toContain("leaks [redacted] and [redacted]")
})

test("it is exported with a person, and what is said of them goes when they are erased", async () => {
  const server = await start({ stores: sqlite({ path: ":memory:" }) })
  const id = await chat(server, { user: "ada" })
  await give(server, { generation_id: id, category: "other", comment: "Ada was rude" })
  const person = { external_user: "ada" }
  const exported = await server.ask("/signalbox/people/export", "management", "POST", person)
  expect(getProperty(exported.body, "data")).toMatchObject({
    feedback: [{ generation_id: id, comment: "Ada was rude" }]
  })
  await server.ask("/signalbox/people/erase", "management", "POST", person)
  expect(await listFeedback(server)).toMatchObject([{ generation_id: id, comment: null }])
  const { body } = await server.ask("/signalbox/series?group_by=external_user", "management")
  expect(JSON.stringify(body)).not.toContain("ada")
})

const upstream: Upstream = {
  slug: "one",
  name: "One",
  decisions: {
    decide: ({ questions }) =>
      Effect.succeed({
        verdicts: new Map(
          Object.entries(questions).map(([name, question]) => [
            name,
            { weights: question.type === "noul" ? [0.9, 0.1] : [0.5, 0.3, 0.2] }
          ])
        ),
        usage: { inputTokens: 1, outputTokens: 1 },
        method: "logprobs"
      }),
    estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 })
  }
}

const startDecisions = async () => {
  const instance = await Signalbox.make({
    upstreams: [upstream],
    models: ["proof/usual", "proof/new"].map((id) => ({
      id,
      endpoints: [{ provider: "one", price: { prompt: "0", completion: "0" } }]
    })),
    keys: [
      { key: keys.member, kind: "member", user: "mem-1" },
      { key: keys.management, kind: "management" }
    ],
    experiments: [{ match: { model: "proof/usual" }, to: "proof/new", mode: "canary", share: 0.5 }]
  })
  onTestFinished(() => instance.close())
  const ask = async (path: string, body?: unknown, key: string = keys.management) => {
    const response = await instance.fetch(
      new Request(`http://signalbox.invalid/api${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? undefined : { body: JSON.stringify(body) })
      })
    )
    return getProperty(await response.json(), "data")
  }
  const decide = async (questions: object, session = "s") => {
    const response = await instance.fetch(
      new Request("http://signalbox.invalid/api/alpha/decisions", {
        method: "POST",
        headers: { authorization: `Bearer ${keys.member}`, "content-type": "application/json" },
        body: JSON.stringify({
          model: "proof/usual",
          state: "I was charged twice!",
          session_id: session,
          calibration: { mode: "auto" },
          questions
        })
      })
    )
    const body: unknown = await response.json()
    return { id: String(getProperty(body, "id")), model: String(getProperty(body, "model")) }
  }
  return { ask, decide }
}

const urgent = { urgent: { type: "noul", instructions: "Is it urgent?" } }

test("an incorrect answer to the only question with two options is a label, and no other is", async () => {
  const { ask, decide } = await startDecisions()
  const countLabels = async () => {
    const log = Array.from((await ask("/v1/signalbox/audit?limit=100")) as Iterable<unknown>)
    return log.filter((entry) => getProperty(entry, "action") === "calibration.label").length
  }
  const team = {
    team: { type: "choice", instructions: "Whose?", criteria: { a: "A", b: "B", c: "C" } }
  }
  for (const questions of [team, { ...urgent, ...team }]) {
    const { id } = await decide(questions)
    await ask("/v1/generation/feedback", { generation_id: id, category: "incorrect_response" })
  }
  const { id } = await decide(urgent)
  await ask("/v1/generation/feedback", { generation_id: id, category: "formatting" })
  expect(await countLabels()).toBe(0)
  await ask("/v1/generation/feedback", { generation_id: id, category: "incorrect_response" })
  expect(await countLabels()).toBe(1)
})

test("an experiment counts it by the side of its canary", async () => {
  const { ask, decide } = await startDecisions()
  const counts = { "proof/usual": 0, "proof/new": 0 }
  for (let session = 0; session < 20; session++) {
    const { id, model } = await decide(urgent, `session-${session}`)
    await ask("/v1/generation/feedback", { generation_id: id, category: "formatting" })
    counts[model as keyof typeof counts]++
  }
  expect(counts["proof/new"]).toBeGreaterThan(0)
  expect(await ask("/v1/signalbox/experiments")).toMatchObject([
    {
      control: { feedback: { formatting: counts["proof/usual"] } },
      trial: { feedback: { formatting: counts["proof/new"] } }
    }
  ])
})
