import { expect, test } from "vitest"
import { fromLive } from "../../app/pages/now/toEndpointRows.ts"
import type { LiveEndpoint } from "../../app/pages/now/useEndpoints.ts"

const at = Date.parse("2026-11-23T12:00:30.000Z")

/** What rows do not depend on is left out. */
const live = (id: string, state: LiveEndpoint["breaker"]["state"], requests = 0) =>
  // Safe: rows pass the rest on.
  ({
    endpoint_id: id,
    breaker: { state },
    points: requests === 0 ? [] : [{ at: "2026-11-23T12:00:00.000Z", requests }]
  }) as unknown as LiveEndpoint

const state = (endpoints: ReadonlyArray<LiveEndpoint>) => ({
  at,
  endpoints: new Map(endpoints.map((endpoint) => [endpoint.endpoint_id, endpoint] as const))
})

test("the most urgent endpoints come first, then those with traffic", () => {
  const { rows, total } = fromLive(
    state([
      live("b/idle", "closed"),
      live("a/idle", "closed"),
      live("c/busy", "closed", 7),
      live("d/open", "open")
    ]),
    { limit: 10, search: "" }
  )
  expect(rows.map(({ id }) => id)).toEqual(["d/open", "c/busy", "a/idle", "b/idle"])
  expect(rows[1]?.attempts.at(-1)).toBe(7)
  expect(total).toBe(4)
})

test("of 20,000 endpoints as many rows are made as are shown, and a search finds any", () => {
  const many = state(
    Array.from({ length: 20_000 }, (_, at) =>
      live(`Model-${at % 500}@p${Math.floor(at / 500)}`, at === 15_000 ? "open" : "closed")
    )
  )
  const all = fromLive(many, { limit: 50, search: "" })
  expect(all.rows).toHaveLength(50)
  expect(all.rows[0]?.id).toBe("Model-0@p30")
  expect(all.total).toBe(20_000)
  const found = fromLive(many, { limit: 50, search: " model-499@P30 " })
  expect(found.rows.map(({ id }) => id)).toEqual(["Model-499@p30"])
})
