/** Responses match the schemas of the public client's OpenAPI document for their operation and status. */
import { readFileSync } from "node:fs"
import { parseModelList } from "@signalbox/core/upstream"
import { expect, test } from "vitest"
import { describeWithReference } from "../../packages/core/test/reference.ts"
import { CatalogTestServer } from "../catalog/CatalogTestServer.ts"
import { errorCases, toRequest } from "../decisions/errorCases.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { listJsonPaths, replaceAtPath } from "../support/jsonPaths.ts"
import { getProperty } from "../support/getProperty.ts"
import { providers } from "../catalog/catalogFixture.ts"
import { send } from "../support/send.ts"
import { keys, makeDecisionRequest, TestServer } from "../support/TestServer.ts"
import { decisionMethods } from "../support/decisionMethods.ts"
import { loadOpenApiSchemas } from "../support/OpenApiSchemas.ts"

const hosts = pickHosts(import.meta.filename)

/** The operations of the catalog in the document, with a request that succeeds. */
const operations = [
  {
    path: "/models",
    asked: [
      "/models",
      "/models?output_modalities=all",
      "/models?limit=1",
      "/models?q=nothing",
      "/models?offset=99"
    ]
  },
  { path: "/models/count", asked: ["/models/count", "/models/count?output_modalities=all"] },
  { path: "/models/user", asked: ["/models/user", "/models/user?output_modalities=all&limit=3"] },
  {
    path: "/model/{author}/{slug}",
    asked: [
      "/model/acme/alpha",
      "/model/acme/alpha:nitro",
      "/model/~acme/sage-latest",
      "/model/corp/epsilon",
      "/model/bolt/film"
    ]
  },
  {
    path: "/models/{author}/{slug}/endpoints",
    asked: [
      "/models/acme/alpha/endpoints",
      "/models/~acme/sage-latest/endpoints",
      "/models/corp/epsilon/endpoints",
      "/models/bolt/film/endpoints"
    ]
  },
  { path: "/endpoints/zdr", asked: ["/endpoints/zdr"] },
  { path: "/providers", asked: ["/providers"] },
  { path: "/videos/models", asked: ["/videos/models"] }
] as const

const invalidRequests = [
  { path: "/models", asked: "/models?sort=beauty", status: 400 },
  { path: "/models/count", asked: "/models/count?output_modalities=smell", status: 400 },
  { path: "/models/user", asked: "/models/user?limit=0", status: 400 },
  { path: "/model/{author}/{slug}", asked: "/model/acme/omega", status: 404 },
  { path: "/models/{author}/{slug}/endpoints", asked: "/models/acme/omega/endpoints", status: 404 }
] as const

describeWithReference("the OpenAPI document of the public client", (pathOf) => {
  const schemas = () => loadOpenApiSchemas(pathOf("wire/openapi.json"))

  test.each(hosts)("matches the catalog's responses, behind $name", async (host) => {
    const { listProblems } = schemas()
    await using server = await CatalogTestServer.start({ host })
    for (const { asked, path } of operations) {
      for (const each of asked) {
        const answer = await server.ask(each)
        expect({
          each,
          status: answer.status,
          problems: listProblems("get", path, answer)
        }).toEqual({
          each,
          status: 200,
          problems: []
        })
      }
    }
  })

  test.each(hosts)("matches the catalog's errors, behind $name", async (host) => {
    const { listProblems } = schemas()
    await using server = await CatalogTestServer.start({ host })
    for (const { asked, path, status } of invalidRequests) {
      const answer = await server.ask(asked)
      expect({ asked, status: answer.status, problems: listProblems("get", path, answer) }).toEqual(
        {
          asked,
          status,
          problems: []
        }
      )
    }
    for (const key of ["", "sk-nobody"]) {
      for (const { asked, path } of operations) {
        const answer = await server.ask(asked[0], { key })
        expect({
          asked,
          status: answer.status,
          problems: listProblems("get", path, answer)
        }).toEqual({
          asked,
          status: 401,
          problems: []
        })
      }
    }
  })

  test("matches the errors of a rate-limited and of a closed instance", async () => {
    const { listProblems } = schemas()
    const settings = { rateLimit: { requests: operations.length, windowMillis: 600_000 } }
    await using server = await CatalogTestServer.start({ settings })
    for (const status of [200, 429, 503]) {
      if (status === 503) await server.instance.close()
      for (const { asked, path } of operations) {
        const answer = await server.ask(asked[0])
        expect({ path, status: answer.status }).toEqual({ path, status })
        expect(answer.headers["retry-after"] !== undefined).toBe(status !== 200)
        expect(listProblems("get", path, answer)).toEqual([])
      }
    }
  })

  test("lists all statuses of the catalog except a few that the client decodes as generic errors", () => {
    const { listStatuses } = schemas()
    const ours = [...invalidRequests, ...operations.map(({ path }) => ({ path, status: 401 }))]
    const unlisted = ours.filter(({ path, status }) => !listStatuses("get", path).includes(status))
    expect(unlisted.map(({ path, status }) => `${status} ${path}`)).toEqual([
      "400 /models/user",
      "401 /models",
      "401 /models/count",
      "401 /model/{author}/{slug}",
      "401 /models/{author}/{slug}/endpoints",
      "401 /endpoints/zdr",
      "401 /providers",
      "401 /videos/models"
    ])
  })

  test("matches the measurements of endpoints", async () => {
    const { listProblems } = schemas()
    await using server = await CatalogTestServer.start({
      settings: { uptimeMinSamples: 1, rankMinSamples: 1 }
    })
    for (let count = 0; count < 12; count++) {
      await server.instance.decide({
        model: "bolt/delta",
        state: `${count}`,
        questions: { ok: { type: "noul", instructions: "Is it?" } }
      })
    }
    const answer = await server.ask("/models/bolt/delta/endpoints")
    const [endpoint] = getProperty(
      getProperty(answer.body, "data"),
      "endpoints"
    ) as ReadonlyArray<unknown>
    expect(getProperty(endpoint, "uptime_last_30m")).toBe(100)
    expect(getProperty(endpoint, "latency_last_30m")).toEqual({
      p50: expect.any(Number),
      p75: expect.any(Number),
      p90: expect.any(Number),
      p99: expect.any(Number)
    })
    expect(listProblems("get", "/models/{author}/{slug}/endpoints", answer)).toEqual([])
  })

  test("matches a catalog imported from the public model list", async () => {
    const { listProblems } = schemas()
    const listed: unknown = JSON.parse(readFileSync(pathOf("data/models-snapshot.json"), "utf8"))
    const models = parseModelList(listed, { servedBy: { provider: "first" } })
    await using server = await CatalogTestServer.start({ models, upstreams: providers })
    const all = await server.ask("/models?output_modalities=all")
    expect(getProperty(all.body, "total_count")).toBe(models.length)
    expect(listProblems("get", "/models", all)).toEqual([])
    for (const { id } of models) {
      const [one, endpoints] = await Promise.all([
        server.ask(`/model/${id}`),
        server.ask(`/models/${id}/endpoints`)
      ])
      expect({ id, statuses: [one.status, endpoints.status] }).toEqual({ id, statuses: [200, 200] })
      expect(listProblems("get", "/model/{author}/{slug}", one)).toEqual([])
      expect(listProblems("get", "/models/{author}/{slug}/endpoints", endpoints)).toEqual([])
    }
  })

  test.each(decisionMethods)("matches decisions with the method $name", async (method) => {
    const { listProblems } = schemas()
    await using server = await TestServer.start({ method })
    for (const path of ["/api/alpha/decisions", "/systemone"]) {
      for (const [key, status] of [
        [keys.member, 200],
        ["sk-nobody", 401]
      ] as const) {
        const answer = await send(
          `${server.root}${path === "/systemone" ? "/api/v1" : ""}${path}`,
          {
            body: JSON.stringify(makeDecisionRequest()),
            headers: {
              authorization: `Bearer ${key}`,
              "content-type": "application/json",
              "x-openrouter-metadata": "enabled"
            }
          }
        )
        expect(answer.status).toBe(status)
        expect(getProperty(answer.body, "openrouter_metadata") !== undefined).toBe(status === 200)
        expect(listProblems("post", path, answer)).toEqual([])
      }
    }
  })

  test.each(errorCases)("matches the $status of $name", async (cause) => {
    const { listProblems, listStatuses } = schemas()
    const { key, prepare, server, status } = cause
    await using testServer = await TestServer.start(server)
    await prepare?.(testServer)
    const answer = await testServer.ask(toRequest(cause), {
      headers: { "x-openrouter-metadata": "enabled" },
      ...(key === undefined ? undefined : { key })
    })
    expect(answer.status).toBe(status)
    expect(listStatuses("post", "/api/alpha/decisions")).toContain(status)
    expect(listProblems("post", "/api/alpha/decisions", answer)).toEqual([])
  })

  test("detects most invalid values", async () => {
    const { listProblems } = schemas()
    await using server = await CatalogTestServer.start()
    const answer = await server.ask("/model/acme/alpha")
    const spoiled = listJsonPaths(answer.body).filter((place) => {
      const body = replaceAtPath(answer.body, place, { strange: true })
      return listProblems("get", "/model/{author}/{slug}", { ...answer, body }).length > 0
    })
    // Objects without required fields accept the invalid value.
    expect(spoiled.length).toBeGreaterThan(listJsonPaths(answer.body).length - 5)
    const { headers: _, ...rest } = answer
    expect(listProblems("get", "/model/{author}/{slug}", { ...rest, headers: {} })).toHaveLength(1)
    expect(listProblems("get", "/model/{author}/{slug}", { ...answer, status: 201 })).toHaveLength(
      1
    )
    expect(listProblems("get", "/model/{author}/{slug}", { ...answer, status: 404 })).not.toEqual(
      []
    )
    expect(listProblems("get", "/nowhere", answer)).toHaveLength(1)
  })
})
