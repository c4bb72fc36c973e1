import { fault, reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { pickHosts } from "../support/pickHosts.ts"
import {
  makeDecisionRequest as makeAccountDecisionRequest,
  AccountTestServer
} from "../support/AccountTestServer.ts"
import { getProperty } from "../support/getProperty.ts"
import { send } from "../support/send.ts"
import { keys, makeDecisionRequest, slugs, TestServer } from "../support/TestServer.ts"
import { getId, startVideoTestServer, videoKeys } from "../videos/VideoTestServer.ts"

const hosts = pickHosts(import.meta.filename)

const metadataHeaders = ["X-Signalbox-Metadata", "X-OpenRouter-Metadata"]

const manage = (server: TestServer, path: string, body?: unknown, key: string = keys.management) =>
  send(`${server.root}/api/v1/signalbox/${path}`, {
    method: body === undefined ? "GET" : "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: {
      "content-type": "application/json",
      ...(key === "" ? undefined : { authorization: `Bearer ${key}` })
    }
  })

describe("routing metadata", () => {
  test.each(metadataHeaders)("is returned under both names when requested by %s", async (name) => {
    await using server = await TestServer.start()
    server.upstreams.first.always(fault.status(503))
    for (const value of ["enabled", "ENABLED"]) {
      const { body, status } = await server.ask(makeDecisionRequest(), {
        headers: { [name]: value }
      })
      expect(status).toBe(200)
      const metadata = getProperty(body, "service_metadata")
      expect(getProperty(body, "openrouter_metadata")).toEqual(metadata)
      expect(metadata).toMatchObject({
        requested: "proof/model",
        strategy: "direct",
        region: null,
        attempt: 2,
        is_byok: false,
        endpoints: {
          total: 2,
          available: [
            { provider: "First", model: "proof/model", selected: false },
            { provider: "Second", model: "proof/model", selected: true }
          ]
        },
        attempts: [
          { provider: "First", model: "proof/model", status: 503, error: "overloaded" },
          { provider: "Second", model: "proof/model", status: 200 }
        ],
        ordered_by: "order"
      })
    }
  })

  test("is included in errors, with the excluded endpoints and reasons", async () => {
    await using server = await TestServer.start()
    server.upstreams.first.always(fault.status(503))
    const requestBody = makeDecisionRequest({ provider: { only: ["first"] } })
    const headers = { "X-Signalbox-Metadata": "enabled" }
    const failed = await server.ask(requestBody, { headers })
    expect(failed.status).toBe(529)
    expect(getProperty(failed.body, "service_metadata")).toMatchObject({
      attempt: 0,
      attempts: [{ provider: "First", status: 503 }],
      rejected: [
        {
          endpoint: "proof/model@second",
          reasons: [{ rule: "only", source: "request", wanted: "one of first", found: "second" }]
        }
      ]
    })
    const excluded = await server.ask(makeDecisionRequest({ provider: { zdr: true } }), { headers })
    expect(excluded.status).toBe(404)
    expect(getProperty(excluded.body, "service_metadata")).toMatchObject({
      attempt: 0,
      attempts: [],
      endpoints: { total: 2, available: [] },
      relax: [{ rule: "zdr", source: "request" }]
    })
  })

  test("is omitted unless requested, and for requests that were not routed", async () => {
    await using server = await TestServer.start()
    const plain = await server.ask()
    expect(plain.status).toBe(200)
    const off = await server.ask(makeDecisionRequest(), {
      headers: { "X-Signalbox-Metadata": "yes" }
    })
    const enabled = { headers: { "X-Signalbox-Metadata": "enabled" } }
    const malformed = await server.ask("{", enabled)
    const stranger = await server.ask(makeDecisionRequest(), { ...enabled, key: "sk-nobody" })
    const unknown = await server.ask(makeDecisionRequest({ model: "nobody/knows" }), enabled)
    expect([malformed.status, stranger.status, unknown.status]).toEqual([400, 401, 400])
    for (const { body } of [plain, off, malformed, stranger, unknown]) {
      expect(getProperty(body, "service_metadata")).toBeUndefined()
      expect(getProperty(body, "openrouter_metadata")).toBeUndefined()
    }
  })

  test("is in the record, with the cost of each attempt", async () => {
    await using server = await TestServer.start({
      price: { prompt: "0", completion: "0", request: "0.01" }
    })
    server.upstreams.first.always(fault.flawed("wrong_type"))
    const { body } = await server.ask(
      makeDecisionRequest({ provider: { order: ["first", "second"], preferred_max_latency: 5 } })
    )
    const record = await server.generation(getProperty(body, "id"))
    expect(record).toMatchObject({
      strategy: "order",
      cost: 20_000_000n,
      attempts: [
        { endpoint: "proof/model@first", outcome: "invalid_answer", cost: 10_000_000n },
        { endpoint: "proof/model@second", outcome: "served", cost: 10_000_000n }
      ],
      rejected: [],
      demoted: []
    })
  })
})

describe.each(hosts)("a dry run on $name", (host) => {
  test("predicts the routing of the request and is reproducible", async () => {
    await using server = await TestServer.start({ host, mount: "/ai" })
    server.upstreams.first.always(fault.status(503))
    await server.ask()
    const requestBody = { ...makeDecisionRequest(), provider: { ignore: ["nobody"] } }
    const { body, status } = await manage(server, "plan", { request: requestBody })
    expect(status).toBe(200)
    const plan = Object(getProperty(body, "data"))
    // The first provider has just failed, so the second is preferred.
    expect(plan.ordered.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual([
      "proof/model@second",
      "proof/model@first"
    ])
    expect(plan.ordered[1].demoted).toEqual([
      {
        rule: "outage",
        source: "health",
        wanted: "less than half of the recent attempts failing",
        found: "1 of 1 failed"
      }
    ])
    expect(server.calls).toEqual({ first: 1, second: 1 })
    const served = await server.ask(requestBody)
    expect(getProperty(served.body, "provider")).toBe("Second")

    const { health, seed } = plan
    const again = await manage(server, "plan", { request: requestBody, seed, health })
    expect(getProperty(again.body, "data")).toEqual(plan)
    expect(await server.instance.explain(requestBody, { seed, health })).toEqual(plan)
  })

  test("and health require a management key, and invalid requests get a 400", async () => {
    await using server = await TestServer.start({ host })
    const requestBody = { request: makeDecisionRequest() }
    expect((await manage(server, "plan", requestBody, "")).status).toBe(401)
    expect((await manage(server, "plan", requestBody, keys.member)).status).toBe(403)
    expect((await manage(server, "health", undefined, keys.member)).status).toBe(403)
    for (const invalid of [
      "{",
      "null",
      {},
      { request: null },
      { request: makeDecisionRequest({ questions: {} }) },
      { request: makeDecisionRequest({ provider: { onyl: [] } }) },
      { ...requestBody, seed: "x" },
      { ...requestBody, health: { at: 0 } },
      { request: makeDecisionRequest({ model: "nobody/knows" }) }
    ]) {
      const { body, status } = await manage(server, "plan", invalid)
      expect([invalid, status]).toEqual([invalid, 400])
      expect(getProperty(getProperty(body, "error"), "code")).toBe(400)
    }
    expect(server.calls).toEqual({ first: 0, second: 0 })
  })

  test("health reports the measurements of each endpoint that was called", async () => {
    await using server = await TestServer.start({ host })
    server.upstreams.first.always(fault.status(503))
    await server.ask()
    const { body } = await manage(server, "health")
    expect(getProperty(body, "data")).toMatchObject({
      status: "ready",
      models: 1,
      endpoints: {
        "proof/model@first": {
          samples: 0,
          errors: { overloaded: 1 },
          outage: { failures: 1, of: 1 },
          breaker: { state: "closed" },
          longer: { m30: { errors: { overloaded: 1 } }, d1: { errors: { overloaded: 1 } } }
        },
        "proof/model@second": {
          samples: 1,
          latency: { p50: expect.any(Number) },
          answers: { valid: 1, invalid: 0 }
        }
      }
    })
    expect((await server.instance.health()).endpoints).toHaveProperty(["proof/model@first"])
  })
})

test("a dry run shows an account the health of its own credentials and not of shared endpoints", async () => {
  await using server = await AccountTestServer.start({
    sealing: { current: "k", keys: { k: "a sealing key that nobody is going to guess" } },
    keys: [{ key: "sk-proof-of-foreign-0000", kind: "organization", account: "foreign" }]
  })
  const credential = await server.ask("/byok", "foreign", "POST", {
    provider: "first",
    key: "sk-of-the-customer-0000"
  })
  expect(credential.status).toBe(201)
  await server.decide()
  const own = await send(`${server.root}/api/alpha/decisions`, {
    headers: {
      authorization: "Bearer sk-proof-of-foreign-0000",
      "content-type": "application/json"
    },
    body: JSON.stringify(makeAccountDecisionRequest())
  })
  expect(own.status).toBe(200)
  const listPlannedEndpoints = async (key: "foreign" | "management") => {
    const { body } = await server.ask("/signalbox/plan", key, "POST", {
      request: makeAccountDecisionRequest()
    })
    return Object.keys(
      Object(getProperty(getProperty(getProperty(body, "data"), "health"), "endpoints"))
    )
  }
  expect(await listPlannedEndpoints("foreign")).toEqual([
    expect.stringMatching(/^proof\/model@first#/)
  ])
  expect(await listPlannedEndpoints("management")).toEqual(["proof/model@first"])
})

describe("a dry run of a chat", () => {
  const chat = {
    messages: [{ role: "user", content: "Is it calm at sea?" }],
    provider: { order: slugs, max_price: { completion: 1 } }
  } as const

  test("predicts the routing of the request, with the default model of the workspace", async () => {
    await using server = await TestServer.start({
      prices: { second: { prompt: "0", completion: "0.000002" } }
    })
    server.upstreams.first.always(reply.chat(["All is well."]))
    const named = await server.instance.explain({ ...chat, model: "proof/model" }, { seed: 1 })
    expect(named).toMatchObject({
      strategy: "order",
      ordered: [{ endpoint: "proof/model@first" }],
      rejected: [{ endpoint: "proof/model@second", reasons: [{ rule: "max_price" }] }]
    })
    expect((await manage(server, "plan", { request: chat })).status).toBe(400)
    await send(`${server.root}/api/v1/workspaces/default`, {
      method: "PATCH",
      headers: {
        authorization: `Bearer ${keys.management}`,
        "content-type": "application/json"
      },
      body: JSON.stringify({ default_text_model: "proof/model" })
    })
    const { body } = await manage(server, "plan", { request: chat, seed: 1, health: named.health })
    expect(getProperty(body, "data")).toEqual(named)
    expect(server.calls).toEqual({ first: 0, second: 0 })
    const served = await send(`${server.root}/api/v1/chat/completions`, {
      headers: {
        authorization: `Bearer ${keys.member}`,
        "content-type": "application/json",
        "X-Signalbox-Metadata": "enabled"
      },
      body: JSON.stringify(chat)
    })
    expect(served.body).toMatchObject({
      provider: "First",
      service_metadata: {
        requested: "proof/model",
        rejected: [{ reasons: [{ rule: "max_price" }] }]
      }
    })
  })
})

const planVideo = (
  server: Awaited<ReturnType<typeof startVideoTestServer>>,
  request: unknown,
  key: string = videoKeys.management
) => server.ask("POST", "/signalbox/plan", { body: { request }, key })
const videoRequest = { model: "proof/film", prompt: "a tide pool", duration: 4 }

describe("routing metadata of a video", () => {
  const headers = { "x-signalbox-metadata": "enabled" }

  test("is included in the job and in errors when requested", async () => {
    const server = await startVideoTestServer()
    const provider = { order: ["second", "first"], ignore: ["first"] }
    const rejected = [{ endpoint: "proof/film@first", reasons: [{ rule: "ignore" }] }]
    const accepted = await server.submit({ provider }, { headers })
    expect([accepted.status, accepted.body]).toMatchObject([
      202,
      {
        status: "pending",
        service_metadata: {
          requested: "proof/film",
          attempt: 0,
          attempts: [],
          endpoints: { total: 2, available: [{ provider: "second", selected: false }] },
          ordered_by: "order",
          rejected
        }
      }
    ])
    const refused = await server.submit({ provider: { ignore: slugs } }, { headers })
    expect([refused.status, getProperty(refused.body, "service_metadata")]).toMatchObject([
      404,
      { attempts: [], endpoints: { total: 2, available: [] }, relax: [{ rule: "ignore" }] }
    ])
    const plain = await server.submit({ provider })
    expect(plain.body).not.toHaveProperty("service_metadata")
  })
})

describe("a dry run of a video", () => {
  test("creates no job and reserves no credits", async () => {
    const server = await startVideoTestServer({ options: { credits: { default: "0.4" } } })
    const requestBody = { ...videoRequest, provider: { order: slugs, ignore: ["first"] } }
    const answer = await planVideo(server, requestBody)
    expect(getProperty(answer.body, "data")).toMatchObject({
      strategy: "order",
      ordered: [{ endpoint: "proof/film@second" }],
      rejected: [{ endpoint: "proof/film@first", reasons: [{ rule: "ignore" }] }]
    })
    const jobs = await server.ask("GET", "/signalbox/videos", { key: videoKeys.management })
    expect(jobs.body).toMatchObject({ total_count: 0 })
    const id = getId(await server.submit(requestBody))
    await server.until(id, "completed")
    expect(server.upstreams.second.videos.jobs).toHaveLength(1)
  })

  test("explains why a continuation is pinned to its provider, only to its own account", async () => {
    const foreign = "sk-proof-of-foreign-0000"
    const server = await startVideoTestServer({
      options: {
        keys: [
          { key: videoKeys.member, kind: "member", user: "mem-1" },
          { key: videoKeys.management, kind: "management" },
          { key: foreign, kind: "management", account: "foreign" }
        ]
      }
    })
    const id = getId(await server.submit())
    await server.until(id, "completed")
    const continuation = { ...videoRequest, previous_job_id: id }
    expect(getProperty((await planVideo(server, continuation)).body, "data")).toMatchObject({
      ordered: [{ endpoint: "proof/film@first" }],
      rejected: [{ endpoint: "proof/film@second", reasons: [{ rule: "pin" }] }]
    })
    const theirs = await planVideo(server, continuation, foreign)
    const unknown = await planVideo(
      server,
      { ...videoRequest, previous_job_id: id.replace(/.{4}$/, "aaaa") },
      foreign
    )
    expect([theirs.status, theirs.text]).toEqual([404, unknown.text])
  })

  test("applies the restrictions of the given workspace", async () => {
    const server = await startVideoTestServer()
    const manageVideos = (path: string, body: unknown) =>
      server.ask("POST", path, { body, key: videoKeys.management })
    const made = await manageVideos("/workspaces", { name: "Lab", slug: "lab" })
    const { default_guardrail_id, id } = Object(getProperty(made.body, "data"))
    await server.ask("PATCH", `/guardrails/${default_guardrail_id}`, {
      body: { ignored_providers: ["first"] },
      key: videoKeys.management
    })
    const listRejected = async (where: object) => {
      const { body } = await manageVideos("/signalbox/plan", { request: videoRequest, ...where })
      return getProperty(getProperty(body, "data"), "rejected")
    }
    expect(await listRejected({})).toEqual([])
    for (const named of [id, "lab"]) {
      expect(await listRejected({ workspace_id: named })).toMatchObject([
        { endpoint: "proof/film@first", reasons: [{ rule: "ignore" }] }
      ])
    }
  })

  test("rejects parameters that its model does not support, and names the path", async () => {
    const server = await startVideoTestServer()
    const answer = await planVideo(server, { ...videoRequest, duration: 5 })
    expect([answer.status, getProperty(answer.body, "error")]).toMatchObject([
      400,
      { metadata: { path: ["request", "duration"] } }
    ])
  })
})
