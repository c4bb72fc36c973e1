import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { makeEndpointIndex } from "../../../src/domains/live/EndpointIndex.ts"
import {
  type BreakerState,
  breakerStates,
  type EndpointSort,
  endpointSorts
} from "../../../src/domains/live/EndpointQuery.ts"
import { selectEndpoints } from "../../../src/domains/live/selectEndpoints.ts"
import * as Measures from "../../../src/engine/observability/rollups/Measures.ts"
import * as Histogram from "../../../src/values/Histogram.ts"

const toEndpoint = (model: string, provider: string) => ({
  id: `${model}@${provider}`,
  model,
  provider
})

/** Names with an `@` are legal, and `b` is not the first. */
const configuration = {
  upstreams: new Map(),
  models: ["b/two", "a/one", "c/th@ree"].map((id) => ({
    id,
    endpoints: ["north", "wood", "dri@ft"].map((provider) => toEndpoint(id, provider))
  }))
}
const ids = configuration.models.flatMap(({ endpoints }) => endpoints.map(({ id }) => id))

const toMeasures = (requests: number, errors: number, latency?: number): Measures.Measures => ({
  ...Measures.empty,
  requests,
  errors,
  latency: latency === undefined ? Histogram.empty : Histogram.add(Histogram.empty, latency)
})

const activity = {
  unhealthy: new Map<string, BreakerState>([
    ["a/one@wood", "open"],
    ["c/th@ree@dri@ft", "ramping"],
    ["a key of its own#0", "open"]
  ]),
  recent: new Map([
    ["b/two@north", toMeasures(10, 1, 500)],
    ["a/one@north", toMeasures(100, 5, 50)],
    ["a/one@wood", toMeasures(4, 4)],
    ["gone/model@north", toMeasures(1_000, 0, 5)]
  ])
}

const select = (
  filter: Parameters<typeof makeEndpointIndex>[1],
  query: Partial<Parameters<typeof selectEndpoints>[1]> = {}
) => {
  const index = makeEndpointIndex(configuration as never, filter)
  const { endpoints, total } = selectEndpoints(index, { offset: 0, ...query }, activity)
  return { ids: endpoints.map(({ id }) => id), total }
}

describe("selectEndpoints", () => {
  it("keeps the order of the host", () => {
    assert.deepStrictEqual(select({}), { ids, total: 9 })
    assert.deepStrictEqual(select({}, { offset: 4, limit: 2 }).ids, ids.slice(4, 6))
  })

  it.each([
    ["requests", ["a/one@north", "b/two@north", "a/one@wood", "a/one@dri@ft"]],
    ["failures", ["a/one@wood", "b/two@north", "a/one@north", "a/one@dri@ft"]],
    ["latency", ["b/two@north", "a/one@north", "a/one@wood", "a/one@dri@ft"]],
    ["state", ["a/one@wood", "c/th@ree@dri@ft", "a/one@north", "b/two@north"]],
    ["model", ["a/one@north", "a/one@wood", "a/one@dri@ft", "b/two@north"]]
  ] satisfies ReadonlyArray<[EndpointSort, Array<string>]>)(
    "sorts by %s, those without it last",
    (sort, expected) => {
      assert.deepStrictEqual(select({}, { sort, limit: 4 }), { ids: expected, total: 9 })
    }
  )

  it("searches words of the id in any order and case", () => {
    assert.deepStrictEqual(select({ q: " WOOD one " }), { ids: ["a/one@wood"], total: 1 })
    assert.deepStrictEqual(select({ q: "nobody" }), { ids: [], total: 0 })
  })

  it("filters by model, provider and state", () => {
    assert.strictEqual(select({ provider: "dri@ft" }).total, 3)
    assert.strictEqual(select({ model: "c/th@ree" }).total, 3)
    assert.deepStrictEqual(select({}, { state: ["open"] }), { ids: ["a/one@wood"], total: 1 })
    assert.deepStrictEqual(select({ q: "two" }, { state: ["open"] }), { ids: [], total: 0 })
    assert.strictEqual(select({}, { state: ["closed"] }).total, 7)
  })

  it("shows each endpoint that matches on one page, once", () => {
    fc.assert(
      fc.property(
        fc.record(
          {
            sort: fc.constantFrom(...endpointSorts),
            state: fc.subarray([...breakerStates], { minLength: 1 })
          },
          { requiredKeys: [] }
        ),
        fc.constantFrom("", "one", "@", "dri@ft"),
        fc.integer({ min: 1, max: 10 }),
        (query, q, limit) => {
          const all = select({ q }, query)
          const pages: Array<string> = []
          for (let offset = 0; offset < ids.length + limit; offset += limit) {
            pages.push(...select({ q }, { ...query, limit, offset }).ids)
          }
          assert.deepStrictEqual(pages, all.ids)
          assert.strictEqual(new Set(pages).size, all.total)
        }
      )
    )
  })
})
