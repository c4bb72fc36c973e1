/** The figures of an account, as the reference client queries them. */
import { createHash } from "node:crypto"
import type { OpenRouter } from "@openrouter/sdk"
import { BadRequestResponseError, ForbiddenResponseError } from "@openrouter/sdk/models/errors"
import { memoryStores } from "@signalbox/core/stores"
import { sqlite } from "@signalbox/sql"
import { describe, expect, inject, test } from "vitest"
import { AccountTestServer, accountKeys, otherWorkspaceId } from "../support/AccountTestServer.ts"
import { getProperty } from "../support/getProperty.ts"
import { makeClient } from "../support/makeClient.ts"
import { openStores } from "../support/openStores.ts"
import { makeTestDatabase } from "../support/TestDatabase.ts"

type RequestBody = Parameters<OpenRouter["analytics"]["queryAnalytics"]>[0]["requestBody"]

/** Queries with the reference client. Its types leave the rows out, so the rows come from the decoded response. */
const queryWith = async (
  server: AccountTestServer,
  requestBody: RequestBody,
  key: keyof typeof accountKeys = "management"
) => {
  const bodies: Array<Promise<unknown>> = []
  const client = makeClient(server, accountKeys[key], undefined, (response) =>
    bodies.push(response.json())
  )
  const { data } = await client.analytics.queryAnalytics({ requestBody })
  const rows = getProperty(getProperty(await bodies[0], "data"), "data") as ReadonlyArray<unknown>
  expect(data.data).toHaveLength(rows.length)
  expect(data.metadata).toEqual({
    queryTimeMs: expect.any(Number),
    rowCount: rows.length,
    truncated: expect.any(Boolean)
  })
  return { ...data, rows }
}

const keyHash = (key: keyof typeof accountKeys): string =>
  createHash("sha256").update(accountKeys[key]).digest("hex")

/** Long enough for a test that runs at midnight. */
const lastHours = () => {
  const hour = 3_600_000
  const end = Math.ceil((Date.now() + 1) / hour) * hour
  return { start: new Date(end - 6 * hour), end: new Date(end) }
}

const toFigures = (answered: number, failed: number, requests = answered + failed) => ({
  request_count: requests,
  error_count: failed,
  tokens_total: 12 * answered,
  tokens_prompt: 10 * answered,
  tokens_completion: 2 * answered,
  cache_hit_rate: answered === 0 ? null : 0,
  total_usage: (26 * answered) / 1e6,
  credits_usage: (26 * answered) / 1e6,
  byok_usage: 0
})

describe.each([
  ["memory", () => memoryStores],
  ["SQLite", () => sqlite({ path: ":memory:" })],
  ["Postgres", () => openStores(makeTestDatabase("", inject("postgresUrl")))]
])("the reference client, with stores in %s", (_, makeStores) => {
  const start = async () => {
    const server = await AccountTestServer.start({ stores: makeStores() })
    for (const user of ["u-1", "u-1", "u-2"]) await server.decide({ user })
    await server.decide({}, "otherWorkspace")
    expect((await server.decide({ state: "fail" })).status).toBe(502)
    return server
  }

  test("queries requests, errors, tokens and cost, in total and by every dimension", async () => {
    await using server = await start()
    const metrics = [
      "request_count",
      "error_count",
      "tokens_total",
      "tokens_prompt",
      "tokens_completion",
      "cache_hit_rate",
      "total_usage",
      "credits_usage",
      "byok_usage"
    ]
    const total = await queryWith(server, { metrics })
    expect(total.rows).toEqual([toFigures(4, 1)])
    expect(total.metadata.truncated).toBe(false)
    expect(total.warnings).toBeUndefined()

    const expected = {
      model: [["proof/model", toFigures(4, 1)]],
      // The requests that it answered, and the attempts that failed.
      provider: [["First", toFigures(4, 1, 4)]],
      endpoint: [["proof/model@first", toFigures(4, 1, 4)]],
      api_key_id: [
        [keyHash("member"), toFigures(3, 1)],
        [keyHash("otherWorkspace"), toFigures(1, 0)]
      ],
      user: [
        ["mem-1", toFigures(3, 1)],
        ["mem-2", toFigures(1, 0)]
      ],
      external_user: [
        ["u-1", toFigures(2, 0)],
        [null, toFigures(1, 1)],
        ["u-2", toFigures(1, 0)]
      ],
      workspace: [
        ["00000000-0000-4000-8000-000000000000", toFigures(3, 1)],
        [otherWorkspaceId, toFigures(1, 0)]
      ],
      operation: [["decisions", toFigures(4, 1)]],
      outcome: [
        ["answered", toFigures(4, 0)],
        ["AttemptsFailed", toFigures(0, 1)]
      ],
      // None of the requests names one.
      preset: []
    } as const
    for (const [dimension, values] of Object.entries(expected)) {
      const { rows, warnings } = await queryWith(server, { metrics, dimensions: [dimension] })
      expect(rows).toHaveLength(values.length)
      expect(rows).toEqual(
        expect.arrayContaining(
          values.map(([value, figures]) => ({ [dimension]: value, ...figures }))
        )
      )
      expect(warnings).toBeUndefined()
    }
    const meta = await makeClient(server, accountKeys.management).analytics.getAnalyticsMeta()
    expect(meta.data.dimensions.map(({ name }) => name)).toEqual(Object.keys(expected))
  })

  test("filters, orders, limits and divides by time", async () => {
    await using server = await start()
    const metrics = ["request_count"]
    const byUser = { metrics, dimensions: ["external_user"] }
    const isOfUser = { field: "external_user", operator: "eq", value: "u-1" }
    const rowsOf = async (body: RequestBody) => (await queryWith(server, body)).rows
    expect(await rowsOf({ metrics, filters: [isOfUser] })).toEqual([{ request_count: 2 }])
    expect(await rowsOf({ metrics, filters: [{ ...isOfUser, operator: "neq" }] })).toEqual([
      { request_count: 1 }
    ])
    expect(
      await rowsOf({
        ...byUser,
        filters: [{ ...isOfUser, operator: "not_in", value: ["u-1"], includeUnset: true }],
        orderBy: { field: "external_user", direction: "asc" }
      })
    ).toEqual([
      { external_user: "u-2", request_count: 1 },
      { external_user: null, request_count: 2 }
    ])
    const limited = await queryWith(server, {
      ...byUser,
      limit: 1,
      orderBy: { field: "external_user", direction: "desc" }
    })
    expect(limited.rows).toEqual([{ external_user: "u-2", request_count: 1 }])
    expect(limited.metadata.truncated).toBe(true)

    for (const granularity of ["minute", "hour", "day", "week", "month"]) {
      const { rows, warnings } = await queryWith(server, {
        metrics,
        granularity,
        filters: [isOfUser],
        timeRange: lastHours()
      })
      expect(warnings).toBeUndefined()
      // A minute may end between the requests.
      expect(
        rows.reduce((sum: number, row) => sum + Number(getProperty(row, "request_count")), 0)
      ).toBe(2)
      for (const row of rows) {
        expect(row).toEqual({
          [`date__${granularity}`]: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/),
          request_count: expect.any(Number)
        })
      }
    }
    const { end } = lastHours()
    const before = await queryWith(server, {
      metrics,
      timeRange: {
        start: new Date(end.getTime() - 86_400_000),
        end: new Date(end.getTime() - 43_200_000)
      }
    })
    expect(before.rows).toEqual([{ request_count: 0 }])
  })

  test("queries with management keys, of their own account", async () => {
    await using server = await start()
    const { rows } = await queryWith(server, { metrics: ["request_count"] }, "foreign")
    expect(rows).toEqual([{ request_count: 0 }])
    const { analytics } = makeClient(server, accountKeys.member)
    await expect(analytics.getAnalyticsMeta()).rejects.toBeInstanceOf(ForbiddenResponseError)
    await expect(
      analytics.queryAnalytics({ requestBody: { metrics: ["request_count"] } })
    ).rejects.toBeInstanceOf(ForbiddenResponseError)
  })
})

describe("analytics", () => {
  test("list what a query may name, all of which is answered", async () => {
    await using server = await AccountTestServer.start()
    const { data } = await makeClient(server, accountKeys.management).analytics.getAnalyticsMeta()
    expect(data.metrics[0]).toEqual({
      name: "request_count",
      displayLabel: "Request Count",
      displayFormat: "number",
      isRate: false
    })
    expect(data.operators).toEqual([
      { name: "eq", valueType: "scalar" },
      { name: "neq", valueType: "scalar" },
      { name: "in", valueType: "array" },
      { name: "not_in", valueType: "array" }
    ])
    const metrics = data.metrics.map(({ name }) => name)
    for (const { name: granularity } of data.granularities) {
      await queryWith(server, { metrics, granularity, timeRange: lastHours() })
    }
    for (const { name: field } of data.dimensions) {
      for (const { name: operator, valueType } of data.operators) {
        const value = valueType === "array" ? ["x", 1] : "x"
        await queryWith(server, {
          metrics: ["request_count"],
          dimensions: [field],
          filters: [{ field, operator, value }]
        })
      }
    }
  })

  test("say how an answer differs from the question", async () => {
    await using server = await AccountTestServer.start()
    const { warnings } = await queryWith(server, {
      metrics: ["request_count"],
      timeRange: { start: new Date(Date.now() - 10 * 86_400_000 + 1), end: new Date() }
    })
    expect(warnings?.[0]).toMatch(/^time_range\.start is taken as .*:00:00\.000Z, because/)
  })

  test("refuse what is not known, and say what is", async () => {
    await using server = await AccountTestServer.start()
    const refused = await makeClient(server, accountKeys.management)
      .analytics.queryAnalytics({ requestBody: { metrics: ["p50_latency"] } })
      .catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(BadRequestResponseError)
    expect(getProperty(getProperty(refused, "error"), "message")).toContain(
      "metrics.0: is not supported; the metrics are request_count, error_count"
    )
  })

  test.each([
    [{}, "metrics: missing"],
    [{ metrics: [] }, "metrics: "],
    [
      { metrics: ["request_count"], dimension: ["model"] },
      "dimension: is no field of this operation"
    ],
    [
      {
        metrics: ["request_count"],
        filters: [{ field: "model", operator: "eq", value: "a", negate: true }]
      },
      "filters.0.negate: is no field of this operation"
    ],
    [{ metrics: ["request_count"], limit: 10_001 }, "limit: "],
    [
      {
        metrics: ["request_count"],
        time_range: { start: "2026-11-01T00:00Z", end: "2026-11-02T00:00Z" }
      },
      "time_range.start: expected a time such as 2030-01-31T12:00:00Z, with seconds"
    ],
    [
      { metrics: ["request_count"], dimensions: ["model", "api_key_id"] },
      "dimensions: figures are kept for one dimension at a time"
    ]
  ])("refuse %j", async (body, message) => {
    await using server = await AccountTestServer.start()
    const response = await server.ask("/analytics/query", "management", "POST", body)
    expect(response.status).toBe(400)
    expect(getProperty(getProperty(response.body, "error"), "message")).toContain(message)
  })
})
