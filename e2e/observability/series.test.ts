/** Figures of requests over time, which a console shows. */
import { createHash } from "node:crypto"
import { defaultAccountId, defaultWorkspaceId, type Options } from "@signalbox/core"
import { type Generation, GenerationId, GenerationStore, NanoUsd } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { describe, expect, onTestFinished, test } from "vitest"
import { AccountTestServer, accountKeys, otherWorkspaceId } from "../support/AccountTestServer.ts"
import { getProperty } from "../support/getProperty.ts"
import { jumpClock } from "../support/jumpClock.ts"

const getData = async (server: AccountTestServer, query = "", key: Key = "management") => {
  const { body, status } = await server.ask(`/signalbox/series${query}`, key)
  expect(status).toBe(200)
  return getProperty(body, "data")
}
type Key = keyof typeof accountKeys

const listSeries = async (server: AccountTestServer, dimension: string, key: Key = "management") =>
  getProperty(await getData(server, `?group_by=${dimension}`, key), "series")

const toHash = (key: Key): string => createHash("sha256").update(accountKeys[key]).digest("hex")

const toTotals = (requests: number, errors: number) => ({
  requests,
  errors,
  tokens_prompt: 10 * (requests - errors),
  tokens_completion: 2 * (requests - errors),
  cost: (26 * (requests - errors)) / 1e6
})

describe("the series of an account", () => {
  test("tell requests, errors, tokens and cost by every dimension", async () => {
    await using server = await AccountTestServer.start()
    await server.decide({ user: "u-1" })
    await server.decide({}, "otherWorkspace")
    expect((await server.decide({ state: "fail" })).status).toBe(502)

    const expected: Record<string, ReadonlyArray<readonly [string | null, number, number]>> = {
      total: [[null, 3, 1]],
      outcome: [
        ["answered", 2, 0],
        ["AttemptsFailed", 1, 1]
      ],
      operation: [["decisions", 3, 1]],
      model: [["proof/model", 3, 1]],
      provider: [["First", 3, 1]],
      endpoint: [["proof/model@first", 3, 1]],
      workspace: [
        ["00000000-0000-4000-8000-000000000000", 2, 1],
        [otherWorkspaceId, 1, 0]
      ],
      key: [
        [toHash("member"), 2, 1],
        [toHash("otherWorkspace"), 1, 0]
      ],
      user: [
        ["mem-1", 2, 1],
        ["mem-2", 1, 0]
      ],
      external_user: [
        [null, 2, 1],
        ["u-1", 1, 0]
      ]
    }
    for (const [dimension, values] of Object.entries(expected)) {
      expect(await listSeries(server, dimension)).toMatchObject(
        values.map(([value, requests, errors]) => ({
          value,
          is_other: false,
          totals: toTotals(requests, errors),
          points: [{ requests }]
        }))
      )
    }
    const [total] = (await listSeries(server, "total")) as [unknown]
    expect(getProperty(getProperty(total, "totals"), "latency")).toEqual({
      p50: expect.any(Number),
      p90: expect.any(Number),
      p95: expect.any(Number),
      p99: expect.any(Number)
    })
  })

  test("name the time and the interval they cover, and pick a readable one", async () => {
    await using server = await AccountTestServer.start()
    for (const [query, answer] of [
      [
        "?from=2026-11-01T10:20:30Z&to=2026-11-01T11:00:00Z",
        { interval: "minute", from: "2026-11-01T10:20:00.000Z", to: "2026-11-01T11:00:00.000Z" }
      ],
      ["?from=2026-11-01&to=2026-11-03", { interval: "hour", from: "2026-11-01T00:00:00.000Z" }],
      ["?from=2026-10-01T07:00:00%2B02:00&to=2026-11-03", { interval: "day" }],
      ["?interval=hour&group_by=model", { interval: "hour", group_by: "model", series: [] }]
    ] as const) {
      expect(await getData(server, query)).toMatchObject(answer)
    }
  })

  test("add what is beyond the limit up, and pick one value", async () => {
    await using server = await AccountTestServer.start()
    for (const user of ["a", "a", "a", "b", "c"]) await server.decide({ user })
    expect(
      getProperty(await getData(server, "?group_by=external_user&limit=1"), "series")
    ).toMatchObject([
      { value: "a", is_other: false, totals: { requests: 3 } },
      {
        value: null,
        is_other: true,
        totals: { requests: 2, cost: 52e-6 },
        points: [{ requests: 2 }]
      }
    ])
    expect(
      getProperty(await getData(server, "?group_by=external_user&value=c"), "series")
    ).toMatchObject([{ value: "c", totals: { requests: 1 } }])
    expect(getProperty(await getData(server, "?group_by=external_user&value=d"), "series")).toEqual(
      []
    )
  })

  test("are for management keys, of their own account", async () => {
    await using server = await AccountTestServer.start()
    await server.decide()
    expect((await server.ask("/signalbox/series", "member")).status).toBe(403)
    expect(await listSeries(server, "total", "foreign")).toEqual([])
  })

  test.each([
    ["from=yesterday", "from: must be a time such as 2026-11-01T00:00:00Z"],
    ["from=2026-11-01T10:00:00", "from: must be a time such as"],
    ["from=2026-11-02&to=2026-11-01", "from: must be before `to`"],
    ["from=2026-01-01&interval=minute", "interval: gives more than 2881 points"],
    ["group_by=colour", "group_by: must be one of total"],
    ["limit=0", "limit: must be a whole number from 1 to 200"]
  ])("are refused for %s", async (query, message) => {
    await using server = await AccountTestServer.start()
    const { body, status } = await server.ask(`/signalbox/series?${query}`, "management")
    expect(status).toBe(400)
    expect(getProperty(getProperty(body, "error"), "message")).toContain(message)
  })
})

/** Records requests of one account, each with its cost in USD, on the tenth of a November at noon UTC. */
const startOnTheTenth = async (
  costs: ReadonlyArray<readonly [at: number, usd: number]>,
  settings: Options["settings"] = {}
) => {
  jumpClock(Date.UTC(2026, 10, 10, 12) - Date.now())
  const server = await AccountTestServer.start({ settings })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const store = Context.get(server.instance.context, GenerationStore)
  const record = (more: typeof costs) =>
    Effect.runPromise(store.record(more.map(([at, usd]) => makeRecord(`forecast${at}`, at, usd))))
  await record(costs)
  return { server, record, ask: async () => (await server.instance.series.forecast({})).data }
}

const makeRecord = (id: string, startedAt: number, usd: number): Generation => ({
  id: GenerationId.make(`gen-1796000000-${id}`),
  account: defaultAccountId,
  workspace: defaultWorkspaceId,
  operation: "chat",
  startedAt,
  latencyMillis: 1,
  requestedModel: "proof/model",
  attempts: [],
  configuration: 1,
  rejected: [],
  demoted: [],
  cost: NanoUsd.fromUsdNumber(usd)
})

describe("the forecast of a month", () => {
  test("is what is spent, and the mean of the latest full days for each day to come", async () => {
    await using server = await AccountTestServer.start()
    const day = 86_400_000
    const now = Date.now()
    const today = Math.floor(now / day) * day
    const store = Context.get(server.instance.context, GenerationStore)
    await Effect.runPromise(
      store.record(
        Array.from({ length: 9 }, (_, ago) => makeRecord(`forecast${ago}`, today - ago * day, 2))
      )
    )
    const { body } = await server.ask("/signalbox/forecast", "management")
    const data = getProperty(body, "data") as Awaited<
      ReturnType<typeof server.instance.series.forecast>
    >["data"]
    expect(data.spent + data.former).toBe(18)
    const expected = data.spent + (2 * (Date.parse(data.ends_at) - now)) / day
    expect(data.forecast?.days).toBe(7)
    expect(data.forecast?.expected).toBeCloseTo(expected, 1)
    expect(data.forecast?.low).toBeCloseTo(expected, 1)
    expect(data.forecast?.high).toBeCloseTo(expected, 1)
    expect((await server.instance.series.forecast({})).data.spent).toBe(data.spent)
    expect((await server.ask("/signalbox/forecast", "foreign")).body).toMatchObject({
      data: { spent: 0, former: 0, forecast: null }
    })
    expect((await server.ask("/signalbox/forecast", "member")).status).toBe(403)
  })

  test("the edges of a month were those of days in UTC", async () => {
    const { ask } = await startOnTheTenth(
      [
        [Date.UTC(2026, 9, 10, 11), 5],
        // Later after the beginning of its month than it is now after that of this one.
        [Date.UTC(2026, 9, 10, 13), 7],
        [Date.UTC(2026, 10, 1, 3), 3],
        [Date.UTC(2026, 10, 1, 4), 2]
      ],
      { limitTimeZone: "America/New_York" }
    )
    expect(await ask()).toMatchObject({
      began_at: "2026-11-01T04:00:00.000Z",
      spent: 2,
      former: 15,
      former_so_far: 5
    })
  })

  test("a day whose first request came in the evening was a full day", async () => {
    const { ask, record } = await startOnTheTenth([
      [Date.UTC(2026, 10, 8, 18), 1],
      [Date.UTC(2026, 10, 9, 12), 1]
    ])
    expect(await ask()).toMatchObject({ spent: 2, forecast: null })
    await record([[Date.UTC(2026, 10, 7, 23), 1]])
    expect(await ask()).toMatchObject({ spent: 3, forecast: { days: 2 } })
  })
})
