/** What the cache of responses saves: in records, series, analytics, the export and the metrics. */
import { fault } from "@signalbox/testing"
import { expect, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { send } from "../support/send.ts"
import { startCacheServer } from "./startCacheServer.ts"

/** An answer of the first provider costs 16 millionths of a dollar. */
const cost = 0.000016

/** Two requests, of which one comes three times, one that fails, and one that does not use the cache. */
const startAndAsk = async () => {
  const { ask, first, host, manage, second } = await startCacheServer()
  await ask()
  await ask()
  await ask()
  await ask({ seed: 1 }, undefined, "sk-two")
  await ask({ seed: 2 }, {})
  first.always(fault.status(500))
  second.always(fault.status(500))
  expect((await ask({ seed: 3 })).status).toBe(503)
  const read = async (path: string) => {
    const answer = await send(`${host.origin}/api/v1${path}`, {
      method: "GET",
      headers: { authorization: "Bearer sk-management" }
    })
    expect(answer.status).toBe(200)
    return answer
  }
  return { manage, read }
}

const saving = {
  response_cache_hits: 2,
  response_cache_misses: 3,
  response_cache_saved: 2 * cost
}

test("series and records count hits, misses and what they saved, apart from the cost", async () => {
  const { read } = await startAndAsk()
  const findTotals = async (query: string) => {
    const { body } = await read(`/signalbox/series?${query}`)
    const { data } = body as {
      readonly data: {
        readonly series: ReadonlyArray<{ readonly value: string | null; readonly totals: object }>
      }
    }
    return data.series.map(({ totals, value }) => [value, totals])
  }
  expect(await findTotals("group_by=total")).toEqual([
    [null, expect.objectContaining({ requests: 6, cost: 3 * cost, ...saving })]
  ])
  expect(await findTotals("group_by=model")).toEqual([
    ["proof/model", expect.objectContaining({ ...saving, response_cache_misses: 2 })],
    // It failed before there was a model.
    ["proof/model:floor", expect.objectContaining({ response_cache_misses: 1 })]
  ])
  // A hit has no attempts.
  for (const [, totals] of await findTotals("group_by=provider"))
    expect(totals).toMatchObject({ response_cache_hits: 0, response_cache_misses: 0 })

  const { body } = await read("/signalbox/generations?limit=10")
  const records = getProperty(body, "data") as ReadonlyArray<{
    readonly cache: { readonly status: string; readonly saved: number | null } | null
  }>
  expect(records.map(({ cache }) => [cache?.status, cache?.saved])).toEqual(
    expect.arrayContaining([
      ["hit", cost],
      ["hit", cost],
      ["miss", null],
      ["miss", null],
      ["miss", null],
      [undefined, undefined]
    ])
  )
})

test("analytics, the export and metrics say the same", async () => {
  const { manage, read } = await startAndAsk()
  const metrics = [
    "response_cache_hit_count",
    "response_cache_miss_count",
    "response_cache_hit_rate",
    "response_cache_savings"
  ]
  const { body } = await manage("/analytics/query", { metrics })
  expect(getProperty(getProperty(body, "data"), "data")).toEqual([
    {
      response_cache_hit_count: 2,
      response_cache_miss_count: 3,
      response_cache_hit_rate: 0.4,
      response_cache_savings: 2 * cost
    }
  ])
  const refused = await manage("/analytics/query", { metrics, dimensions: ["provider"] })
  expect(refused.status).toBe(400)
  const csv = (await read("/signalbox/spend.csv")).text.trimEnd().split("\r\n")
  expect(csv[0]).toMatch(/,response_cache_hits,response_cache_misses,response_cache_saved_usd$/)
  expect(csv[1]).toMatch(/,2,3,0\.000032$/)
  const { text } = await read("/signalbox/metrics")
  expect(text).toContain('signalbox_response_cache_total{operation="chat",status="hit"} 2')
  expect(text).toContain('signalbox_response_cache_total{operation="chat",status="miss"} 3')
  expect(text).toContain('signalbox_response_cache_saved_nano_usd_total{operation="chat"} 32000')
})
