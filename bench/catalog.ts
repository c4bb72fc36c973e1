/**
 * Compares a search of the catalog with a plain filter and sort: 400, 5,000 and 50,000 models, 0 to 6 filters, any sort, a
 * page of 50. Compare ratios, because absolute times depend on the machine.
 *
 * Usage: node bench/catalog.ts [rounds] [milliseconds per measurement]
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import fc from "fast-check"
import { Catalog } from "../packages/core/src/engine/catalog/Catalog.ts"
import { Listing } from "../packages/core/src/domains/listing/Listing.ts"
import {
  type ModelQuery,
  type ModelSort,
  modelSorts
} from "../packages/core/src/domains/listing/ModelQuery.ts"
import { makeListing } from "../packages/core/test/domains/listing/makeListing.ts"
import {
  type SearchContext,
  searchByScan
} from "../packages/core/test/domains/listing/searchByScan.ts"
import { makeQueries } from "../packages/core/test/domains/listing/queries.ts"
import { makeModels } from "./makeModels.ts"
import { median } from "./quantile.ts"

const [rounds = 7, span = 30] = process.argv.slice(2).map(Number)
const page = { offset: 0, limit: 50 }

/** Repeats its queries, and continues where it stopped. */
interface Workload {
  readonly queries: ReadonlyArray<ModelQuery>
  readonly search: (query: ModelQuery) => unknown
  readonly times: Array<number>
  next: number
}

const micros = (work: Workload): number => {
  const started = performance.now()
  const before = work.next
  let elapsed = 0
  while (elapsed < span) {
    work.search(work.queries[work.next++ % work.queries.length]!)
    elapsed = performance.now() - started
  }
  return (elapsed * 1_000) / (work.next - before)
}

const makeSearchers = Effect.gen(function* () {
  const { search: find } = yield* Listing
  const { current } = yield* Catalog
  const { models, upstreams } = current()
  const context = yield* Effect.context()
  const now = yield* Clock.currentTimeMillis
  const nameOf = (provider: string): string => upstreams.get(provider)?.name ?? provider
  const around: SearchContext = {
    now,
    nameOf,
    health: { at: now, endpoints: {} },
    weeklyTokens: () => 0
  }
  const every = Math.ceil(models.length / 500)
  const asking = { models: models.filter((_, index) => index % every === 0), nameOf, now }
  return {
    engine: (query: ModelQuery): unknown => Effect.runSyncWith(context)(find(query, page)),
    plain: (query: ModelQuery): unknown => {
      const found = searchByScan(models, query, around)
      return { models: found.slice(0, page.limit), total: found.length }
    },
    asked: (filters: number): ReadonlyArray<ModelQuery> =>
      fc.sample(makeQueries(asking, { minLength: filters, maxLength: filters }), {
        numRuns: 300,
        seed: filters
      })
  }
})

const withSort = (query: ModelQuery, sort: ModelSort | undefined): ModelQuery => {
  const { sort: _, ...filters } = query
  return sort === undefined ? filters : { ...filters, sort }
}

const makeWorkload = (search: Workload["search"], queries: Workload["queries"]): Workload => ({
  queries,
  search,
  times: [],
  next: 0
})

const catalogs = await Promise.all(
  [400, 5_000, 50_000].map(async (count) => {
    const runtime = ManagedRuntime.make(makeListing(makeModels(count)))
    const { asked, engine, plain } = await runtime.runPromise(makeSearchers)
    const started = performance.now()
    engine({})
    const prepared = performance.now() - started
    const pair = (name: string, queries: ReadonlyArray<ModelQuery>) => ({
      name,
      engine: makeWorkload(engine, queries),
      plain: makeWorkload(plain, queries)
    })
    return {
      count,
      prepared,
      runtime,
      byFilters: [0, 1, 2, 3, 4, 5, 6].map((filters) => pair(`${filters}`, asked(filters))),
      bySort:
        count === 5_000
          ? [undefined, ...modelSorts].map((sort) =>
              pair(
                sort ?? "none",
                asked(3).map((query) => withSort(query, sort))
              )
            )
          : []
    }
  })
)
for (let round = 0; round < rounds; round++) {
  for (const { byFilters, bySort } of catalogs) {
    for (const { engine, plain } of [...byFilters, ...bySort]) {
      engine.times.push(micros(engine))
      plain.times.push(micros(plain))
    }
  }
}
type Pair = (typeof catalogs)[number]["byFilters"][number]
const toRow = ({ engine, plain }: Pair) => {
  const [us, plainUs] = [median(engine.times), median(plain.times)]
  return {
    us: us.toFixed(1),
    "plain us": plainUs.toFixed(1),
    "plain = 1": (us / plainUs).toFixed(3)
  }
}
console.log(
  catalogs
    .map(({ count, prepared }) => `${count} models are prepared in ${prepared.toFixed(0)} ms`)
    .join("\n")
)
console.table(
  catalogs.flatMap(({ byFilters, count }) =>
    byFilters.map((pair) => ({ models: count, filters: pair.name, ...toRow(pair) }))
  )
)
console.table(
  catalogs.flatMap(({ bySort, count }) =>
    bySort.map((pair) => ({ models: count, "3 filters, sort": pair.name, ...toRow(pair) }))
  )
)
for (const { runtime } of catalogs) await runtime.dispose()
