import { assert, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import fc from "fast-check"
import { pickScope, scaleRuns } from "../../../../../vitest.scope.ts"
import { Catalog } from "../../../src/engine/catalog/Catalog.ts"
import type { Model } from "../../../src/engine/catalog/model/Model.ts"
import { Health } from "../../../src/engine/health/Health.ts"
import { ModelUsage } from "../../../src/engine/health/ModelUsage.ts"
import { renderModelsFeed } from "../../../src/api/listing/renderModelsFeed.ts"
import {
  type ListingPage,
  Listing,
  type ListingPageRequest
} from "../../../src/domains/listing/Listing.ts"
import {
  type ModelQuery,
  type ModelSort,
  modelSorts
} from "../../../src/domains/listing/ModelQuery.ts"
import { describeWithReference } from "../../reference.ts"
import { makeListing } from "./makeListing.ts"
import { type SearchContext, type Filter, searchByScan, computeScore } from "./searchByScan.ts"
import { makeQueries } from "./queries.ts"
import { loadReferenceModels } from "./referenceCatalog.ts"

/** The middle of 2026, when the reference list was read. */
const now = Date.UTC(2026, 5, 1)

const ids = (models: ReadonlyArray<Model>): ReadonlyArray<string> => models.map(({ id }) => id)

const success = (endpoint: string, latencyMillis: number, tokensPerSecond: number) => ({
  endpoint,
  startedAt: now - 1_000 - latencyMillis,
  at: now - 1_000,
  result: "success" as const,
  latencyMillis,
  outputTokens: Math.round((tokensPerSecond * latencyMillis) / 1000)
})

/**
 * The catalog after a week of use: a third of the endpoints has measurements, half of the models
 * has usage.
 */
const recordUsage = Effect.gen(function* () {
  yield* TestClock.setTime(now)
  const health = yield* Health
  const usage = yield* ModelUsage
  const catalog = yield* Catalog
  const { models, upstreams } = catalog.current()
  const endpoints = models.flatMap((model) => model.endpoints)
  for (const [place, { id }] of endpoints.entries()) {
    if (place % 3 !== 0) continue
    for (let sample = 0; sample < 3; sample++) {
      health.record(success(id, 100 + ((place * 37) % 4_000), 5 + ((place * 13) % 200)))
    }
  }
  for (const [place, { id }] of models.entries()) {
    if (place % 2 === 0) continue
    // Few different numbers, so that many models are equally popular.
    usage.record(id, { inputTokens: 1 + ((place * 7) % 50), outputTokens: 9 }, now - 3_600_000)
  }
  const nameOf = (provider: string): string => upstreams.get(provider)?.name ?? provider
  const around: SearchContext = {
    now: yield* Clock.currentTimeMillis,
    nameOf,
    health: yield* health.reportAll,
    weeklyTokens: (model) => usage.getWeeklyTokens(model, now)
  }
  const listing = yield* Listing
  // Loads the listing; later searches answer synchronously.
  yield* listing.search({}, { offset: 0, limit: 1 })
  const context = yield* Effect.context()
  const find = (query: ModelQuery, page: ListingPageRequest = { offset: 0 }): ListingPage =>
    Effect.runSyncWith(context)(listing.search(query, page))
  return { around, find, models, asked: makeQueries({ models, nameOf, now }, { maxLength: 6 }) }
})

describeWithReference("a search of the catalog", (path) => {
  const catalog = () => makeListing(loadReferenceModels(path))

  it.effect(
    "matches a simple filter and sort, for every filter and every sort",
    () =>
      Effect.gen(function* () {
        const { around, asked, find, models } = yield* recordUsage
        const enough = pickScope({ full: 100, sample: 1 })
        const counts = new Map<Filter | ModelSort, number>()
        const tell = (name: Filter | ModelSort): void =>
          void counts.set(name, (counts.get(name) ?? 0) + 1)
        let run = 0
        fc.assert(
          fc.property(asked, (query) => {
            run++
            const plain = searchByScan(models, query, around)
            const { models: found, total } = find(query)
            assert.deepStrictEqual(ids(found), ids(plain))
            assert.strictEqual(total, plain.length)

            const { sort, ...filters } = query
            // The keys of a query without its sort.
            for (const filter of Object.keys(filters) as ReadonlyArray<Filter>) {
              const { [filter]: _, ...others } = filters
              const without = searchByScan(models, others, around)
              if (plain.length > 0 && plain.length < without.length) tell(filter)
            }
            if (sort === undefined) return
            const unsorted = searchByScan(models, filters, around)
            // The default sort is by age, so it only changes the order of the host.
            const before =
              sort === "newest" ? models.filter((model) => plain.includes(model)) : unsorted
            if (ids(before).some((id, place) => id !== plain[place]!.id)) tell(sort)
          }),
          { numRuns: scaleRuns(12_000) }
        )
        assert.isAtLeast(run, scaleRuns(10_000))
        const names: ReadonlyArray<Filter | ModelSort> = [...allFilters, ...modelSorts]
        assert.deepStrictEqual(
          names
            .filter((name) => (counts.get(name) ?? 0) < enough)
            .map((name) => [name, counts.get(name)]),
          [],
          `each of them decided something ${enough} times`
        )
      }).pipe(Effect.provide(catalog())),
    // Thousands of searches take minutes on a busy machine.
    1_200_000
  )

  it.effect("has the same models in pages of any size as on one page", () =>
    Effect.gen(function* () {
      const { asked, find } = yield* recordUsage
      fc.assert(
        fc.property(asked, fc.integer({ min: 1, max: 120 }), (query, limit) => {
          const { models: whole, total } = find(query)
          const pages: Array<Model> = []
          for (let offset = 0; offset < total + limit; offset += limit) {
            const page = find(query, { offset, limit })
            assert.strictEqual(page.total, total)
            assert.isAtMost(page.models.length, limit)
            pages.push(...page.models)
          }
          assert.deepStrictEqual(ids(pages), ids(whole))
          assert.deepStrictEqual(ids(find(query, { offset: 3 }).models), ids(whole.slice(3)))
        }),
        { numRuns: scaleRuns(1_000) }
      )
    }).pipe(Effect.provide(catalog()))
  )

  it.effect(
    "puts models without a number last, and equal ones in the default order, in every sort",
    () =>
      Effect.gen(function* () {
        const { around, asked, find } = yield* recordUsage
        const seen = new Set<string>()
        fc.assert(
          fc.property(asked, fc.constantFrom(...modelSorts), (query, sort) => {
            const { sort: _, ...filters } = query
            const byDefault = ids(find(filters).models)
            const found = find({ ...filters, sort }).models
            const scores = found.map((model) => computeScore(sort, model, around))
            const firstWithout = scores.indexOf(undefined)
            if (firstWithout !== -1) {
              if (firstWithout > 0) seen.add(`${sort}: last`)
              assert.isTrue(scores.slice(firstWithout).every((score) => score === undefined))
            }
            for (let place = 1; place < found.length; place++) {
              if (scores[place] !== scores[place - 1]) continue
              seen.add(`${sort}: equals`)
              assert.isBelow(
                byDefault.indexOf(found[place - 1]!.id),
                byDefault.indexOf(found[place]!.id)
              )
            }
          }),
          { numRuns: scaleRuns(2_000) }
        )
        for (const sort of modelSorts) {
          // An unused model has a known usage of 0.
          if (sort !== "most-popular" && sort !== "top-weekly")
            assert.include([...seen], `${sort}: last`)
          assert.include([...seen], `${sort}: equals`)
        }
      }).pipe(Effect.provide(catalog()))
  )

  it.effect("puts prices decided per request last in both orders, and in no price range", () =>
    Effect.gen(function* () {
      const { find, models } = yield* recordUsage
      const dynamic = models
        .filter(({ card, hidden }) => card.pricing.prompt === "-1" && !hidden)
        .map(({ id }) => id)
      assert.includeMembers(dynamic, ["openrouter/auto", "openrouter/pareto-code"])
      for (const sort of ["pricing-low-to-high", "pricing-high-to-low"] as const) {
        const last = ids(find({ sort }).models).slice(-dynamic.length)
        assert.sameMembers([...last], dynamic)
      }
      for (const range of [{}, { min: 0 }, { max: 1e9 }, { min: 0, max: 1e9 }]) {
        for (const query of [{ price: range }, { outputPrice: range }]) {
          const priced = ids(find(query).models)
          assert.isNotEmpty(priced)
          assert.notIncludeMembers([...priced], dynamic)
        }
      }
    }).pipe(Effect.provide(catalog()))
  )

  it.effect("has an item in the feed for each model that it finds", () =>
    Effect.gen(function* () {
      const { asked, find } = yield* recordUsage
      const sizes = new Set<number>()
      for (const query of fc.sample(asked, 300)) {
        const { models, total } = find(query)
        const feed = yield* renderModelsFeed(models, {
          site: undefined,
          chatLinks: false
        })
        assert.strictEqual(feed.split("<item>").length - 1, total)
        assert.strictEqual(feed.split("</item>").length - 1, total)
        sizes.add(total)
      }
      assert.isAbove(sizes.size, 20)
    }).pipe(Effect.provide(catalog()))
  )
})

const allFilters = Object.keys({
  category: 0,
  supportedParameters: 0,
  outputModalities: 0,
  inputModalities: 0,
  text: 0,
  context: 0,
  price: 0,
  outputPrice: 0,
  architecture: 0,
  authors: 0,
  providers: 0,
  distillable: 0,
  zdr: 0,
  region: 0,
  ageDays: 0,
  intelligence: 0,
  coding: 0,
  agentic: 0,
  toolSuccessRate: 0
  // The type checker derives the keys, but the list needs an annotation.
} satisfies Record<Filter, 0>) as ReadonlyArray<Filter>
