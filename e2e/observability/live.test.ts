/** What endpoints do now, which a console shows. */
import { describe, expect, test } from "vitest"
import { AccountTestServer, accountKeys } from "../support/AccountTestServer.ts"
import { getProperty } from "../support/getProperty.ts"

const path = "/signalbox/endpoints"

const readEvents = (text: string): ReadonlyArray<unknown> =>
  text
    .split("\n\n")
    .filter((event) => event.startsWith("data: "))
    .map((event): unknown => JSON.parse(event.slice("data: ".length)))

describe("live endpoints", () => {
  test("tell breaker, failures and recent figures, also of endpoints never tried", async () => {
    await using server = await AccountTestServer.start()
    /** The first of the test server's endpoints. */
    const findFirst = async (): Promise<unknown> => {
      const { body } = await server.ask(path, "management")
      const endpoints = getProperty(getProperty(body, "data"), "endpoints")
      return Array.isArray(endpoints) ? endpoints[0] : undefined
    }
    const untried = {
      endpoint_id: "proof/model@first",
      model: "proof/model",
      provider: "first",
      breaker: { state: "closed", since: null, cause: null, next_probe_at: null, share: null },
      uptime: { m5: null, m30: null, d1: null },
      failures: {},
      requests_per_minute: 0,
      error_share: null,
      points: []
    }
    expect(await findFirst()).toMatchObject(untried)
    await server.decide()
    for (let failures = 0; failures < 30; failures++) await server.decide({ state: "fail" })
    expect(await findFirst()).toMatchObject({
      endpoint_id: "proof/model@first",
      breaker: {
        state: "open",
        cause: expect.stringContaining("failed in"),
        since: expect.stringContaining("T"),
        next_probe_at: expect.stringContaining("T")
      },
      failures: { server_error: expect.any(Number) },
      requests_per_minute: expect.any(Number),
      error_share: expect.any(Number),
      figures: { tokens_prompt: 10, cost: 26e-6 }
    })
  })

  test("are sent as events, the later ones with what has changed", async () => {
    await using server = await AccountTestServer.start()
    await server.decide()
    const { headers, status, text } = await server.ask(
      `${path}/events?interval=1&count=2`,
      "management"
    )
    expect([status, headers["content-type"]]).toEqual([200, "text/event-stream"])
    expect(readEvents(text)).toMatchObject([
      { endpoints: expect.arrayContaining([expect.objectContaining({ points: [] })]) },
      { endpoints: [] }
    ])
  })

  test("are searched, filtered, sorted and paged", async () => {
    await using server = await AccountTestServer.start()
    await server.decide()
    for (let failures = 0; failures < 30; failures++) await server.decide({ state: "fail" })
    const list = async (query: string) => {
      const { body, status } = await server.ask(`${path}?${query}`, "management")
      expect(status).toBe(200)
      const data = getProperty(body, "data")
      const rows = getProperty(data, "endpoints")
      return {
        ids: Array.isArray(rows) ? rows.map((row) => String(getProperty(row, "endpoint_id"))) : [],
        total: getProperty(data, "total_count")
      }
    }
    const all = await list("")
    expect(all.total).toBe(all.ids.length)
    expect(await list("offset=1&limit=1")).toEqual({ ids: [all.ids[1]], total: all.total })
    for (const query of ["state=open", "sort=state&limit=1", "sort=failures&limit=1"]) {
      expect((await list(query)).ids).toEqual(["proof/model@first"])
    }
    expect(await list("q=FIRST%20proof%2Fmodel&state=closed")).toEqual({ ids: [], total: 0 })
    const byProvider = await list("provider=first")
    expect(byProvider.ids.every((id) => id.endsWith("@first"))).toBe(true)
    expect(await list("model=proof/model&sort=model")).toMatchObject({
      ids: expect.arrayContaining(["proof/model@first"])
    })
    for (const wrong of ["sort=x", "state=x", "limit=201", "minutes=61"]) {
      expect((await server.ask(`${path}?${wrong}`, "management")).status).toBe(400)
    }
  })

  test("events tell which endpoints the page has when that changes", async () => {
    await using server = await AccountTestServer.start()
    const events = server.instance.live.watchEndpoints({ interval: 1, sort: "failures", limit: 1 })
    const first = await events[Symbol.asyncIterator]().next()
    expect(first.value).toMatchObject({ endpoints: [{}] })
    expect(first.value).not.toHaveProperty("order")
    const shown = first.value?.endpoints[0]?.endpoint_id
    let later: Awaited<ReturnType<typeof server.instance.live.listEndpoints>>["data"] | undefined
    await server.decide({ state: "fail" })
    for await (const event of events) {
      later = event
      if (event.order !== undefined) break
    }
    expect(later?.order).toEqual(later?.endpoints.map(({ endpoint_id: id }) => id))
    expect(later?.order).not.toEqual([shown])
  })

  test("are iterated in process", async () => {
    await using server = await AccountTestServer.start()
    const sizes: Array<number> = []
    for await (const { endpoints } of server.instance.live.watchEndpoints({ interval: 1 })) {
      sizes.push(endpoints.length)
      if (sizes.length === 2) break
    }
    expect(sizes[0]).toBeGreaterThan(1)
    expect(sizes[1]).toBe(0)
  })

  test("end when the instance closes", async () => {
    await using server = await AccountTestServer.start({ settings: { drainTimeoutMillis: 50 } })
    const response = await fetch(`${server.root}/api/v1${path}/events`, {
      headers: { authorization: `Bearer ${accountKeys.management}` }
    })
    const closing = server.instance.close()
    expect(readEvents(await response.text()).length).toBeGreaterThan(0)
    await closing
  })

  test("are for management keys of the host's own account", async () => {
    await using server = await AccountTestServer.start()
    for (const each of [path, `${path}/events`]) {
      expect((await server.ask(each, "member")).status).toBe(403)
      expect((await server.ask(each, "foreign")).status).toBe(403)
    }
    expect((await server.ask(`${path}/events?interval=0`, "management")).status).toBe(400)
  })
})
