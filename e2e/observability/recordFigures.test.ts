/** Lists of records by what requests took and cost. */
import { expect, test } from "vitest"
import { AccountTestServer } from "../support/AccountTestServer.ts"
import { getProperty } from "../support/getProperty.ts"

const day = 86_400_000

test("records are filtered by latency, cost and tokens, and sorted by them", async () => {
  await using server = await AccountTestServer.start()
  const ids: Array<string> = []
  for (let at = 0; at < 3; at++) ids.push(String(getProperty((await server.decide()).body, "id")))
  await server.decide({ state: "fail" })
  const since = new Date(Date.now() - day).toISOString()
  const ask = (query: string) => server.ask(`/signalbox/generations?${query}`, "management")
  const list = async (query: string) => {
    const { body, status } = await ask(query)
    expect(status).toBe(200)
    const rows = getProperty(body, "data")
    return {
      rows: Array.isArray(rows) ? rows : [],
      next: getProperty(body, "next_cursor")
    }
  }
  const count = async (query: string) => (await list(query)).rows.length
  expect(await count("min_cost=0.000026&max_cost=0.000026")).toBe(3)
  expect(await count("min_cost=0.000026001")).toBe(0)
  expect(await count("min_tokens=12&max_tokens=12&outcome=answered")).toBe(3)
  expect(await count("min_tokens=13")).toBe(0)
  expect(await count("min_latency=0")).toBe(4)
  expect(await count("min_latency=3600000")).toBe(0)

  const latencies: Array<number> = []
  let after: unknown
  do {
    const page: Awaited<ReturnType<typeof list>> = await list(
      `from=${since}&sort=latency&limit=1${typeof after === "string" ? `&starting_after=${after}` : ""}`
    )
    latencies.push(...page.rows.map((row) => Number(getProperty(row, "latency"))))
    after = page.next
  } while (after !== undefined)
  expect(latencies).toHaveLength(4)
  expect(latencies).toEqual(latencies.toSorted((one, other) => other - one))

  for (const wrong of [
    "sort=latency",
    `sort=cost&from=${new Date(Date.now() - 8 * day).toISOString()}`,
    "sort=price",
    "min_cost=-1",
    "max_latency=soon"
  ]) {
    expect((await ask(wrong)).status).toBe(400)
  }
  expect(getProperty(getProperty((await ask("sort=latency")).body, "error"), "message")).toContain(
    "at most 7 days"
  )
})
