import * as FastCheck from "fast-check"
import * as Result from "effect/Result"
import { assert, describe, it } from "vitest"
import {
  type AnalyticsQuery,
  analyticsMetrics,
  granularities
} from "../../../../src/engine/observability/analytics/AnalyticsQuery.ts"
import { planAnalytics } from "../../../../src/engine/observability/analytics/planAnalytics.ts"
import { toAnalyticsRows } from "../../../../src/engine/observability/analytics/toAnalyticsRows.ts"
import * as Measures from "../../../../src/engine/observability/rollups/Measures.ts"
import type { RollupBucket } from "../../../../src/engine/observability/rollups/RollupStore.ts"
import * as NanoUsd from "../../../../src/values/usage/NanoUsd.ts"
import { rollup } from "../rollups/rollupArbitraries.ts"

const now = Date.parse("2026-11-23T18:39:14.567Z")
const day = 86_400_000
const retention = { minute: 2 * day, hour: 90 * day, day: 730 * day }

const answer = (buckets: ReadonlyArray<RollupBucket>, query: Partial<AnalyticsQuery>) =>
  toAnalyticsRows(
    buckets,
    Result.getOrThrow(
      planAnalytics({ metrics: ["request_count"], limit: 10_000, ...query }, now, retention)
    )
  )

const of = (requests: number, more: Partial<Measures.Measures> = {}): Measures.Measures => ({
  ...Measures.empty,
  requests,
  ...more
})
const monday = Date.parse("2026-11-16T00:00:00Z")
const bucket = (
  startedAt: number,
  values: ReadonlyArray<readonly [string | null, Measures.Measures]>,
  other?: Measures.Measures
): RollupBucket => ({
  startedAt,
  values: new Map(values),
  ...(other === undefined ? undefined : { other })
})

const week = [
  bucket(monday, [
    ["a", of(3)],
    [null, of(1)]
  ]),
  bucket(monday + day, [["b", of(5)]], of(2)),
  bucket(monday + 7 * day, [["a", of(4)]])
]

const buckets = FastCheck.array(FastCheck.tuple(FastCheck.nat({ max: 60 }), rollup), {
  maxLength: 8
}).map((all) => all.map(([days, each]) => ({ startedAt: monday + days * day, ...each })))

const exclude = { field: "external_user", operator: "not_in", value: ["a", "__proto__"] }
const select = { ...exclude, operator: "in", include_unset: true }

const sum = (rows: ReadonlyArray<Readonly<Record<string, unknown>>>, name: string): number =>
  rows.reduce((total, row) => total + Number(row[name]), 0)

describe("rows of analytics", () => {
  it("are one for everything, even for nothing", () => {
    assert.deepStrictEqual(answer([], {}), {
      rows: [{ request_count: 0 }],
      isTruncated: false,
      warnings: []
    })
    assert.deepStrictEqual(answer(week, {}).rows, [{ request_count: 15 }])
    assert.deepStrictEqual(answer([], { dimensions: ["model"] }).rows, [])
    assert.deepStrictEqual(answer([], { granularity: "day" }).rows, [])
  })

  it("are one for each value, the largest first, and one for what was not kept apart", () => {
    const { rows, warnings } = answer(week, { dimensions: ["external_user"] })
    assert.deepStrictEqual(rows, [
      { external_user: "a", request_count: 7 },
      { external_user: "b", request_count: 5 },
      { external_user: null, is_other: true, request_count: 2 },
      { external_user: null, request_count: 1 }
    ])
    assert.lengthOf(warnings, 1)
  })

  it("are one for each time, the latest first", () => {
    assert.deepStrictEqual(answer(week, { granularity: "week" }).rows, [
      { date__week: "2026-11-23T00:00:00.000Z", request_count: 4 },
      { date__week: "2026-11-16T00:00:00.000Z", request_count: 11 }
    ])
  })

  it("are ordered as asked, with what has no value last", () => {
    const order = (direction: "asc" | "desc") =>
      answer(week, {
        dimensions: ["external_user"],
        order_by: { field: "external_user", direction }
      }).rows.map((row) => (row["is_other"] === true ? "rest" : row["external_user"]))
    assert.deepStrictEqual(order("asc"), ["a", "b", null, "rest"])
    assert.deepStrictEqual(order("desc"), ["b", "a", null, "rest"])
    assert.deepStrictEqual(
      answer(week, {
        granularity: "day",
        order_by: { field: "request_count", direction: "asc" }
      }).rows.map((row) => row["request_count"]),
      [4, 4, 7]
    )
  })

  it("are limited for each value and as a whole, which is said", () => {
    const query = { dimensions: ["external_user"], granularity: "day" }
    assert.isFalse(answer(week, query).isTruncated)
    const each = answer(week, { ...query, group_limit: 1 })
    assert.deepStrictEqual(
      each.rows.filter((row) => row["external_user"] === "a").map((row) => row["date__day"]),
      ["2026-11-23T00:00:00.000Z"]
    )
    assert.isTrue(each.isTruncated)
    const few = answer(week, { ...query, limit: 2 })
    assert.lengthOf(few.rows, 2)
    assert.isTrue(few.isTruncated)
  })

  it("lack or have what was not kept apart as the filters say, with a warning", () => {
    const selected = answer(week, { filters: [{ ...select, value: ["b"] }] })
    assert.deepStrictEqual(selected.rows, [{ request_count: 6 }])
    assert.include(selected.warnings[0], "the figures lack them")
    const others = answer(week, { filters: [{ ...exclude, value: ["b"] }] })
    assert.deepStrictEqual(others.rows, [{ request_count: 9 }])
    assert.include(others.warnings[0], "the figures include them")
    assert.lengthOf(answer(week.slice(0, 1), { filters: [exclude] }).warnings, 0)
  })

  it("have every metric", () => {
    const measures = of(10, {
      errors: 2,
      byok: 1,
      unpriced: 3,
      inputTokens: 40,
      outputTokens: 8,
      cachedTokens: 10,
      reasoningTokens: 5,
      characters: 7,
      audioMillis: 1_500,
      outputImages: 6,
      cost: NanoUsd.make(1_500_000_000n),
      upstreamCost: NanoUsd.make(1n),
      cacheHits: 3,
      cacheMisses: 1,
      saved: NanoUsd.make(2_000_000_000n)
    })
    const metrics = analyticsMetrics.map(({ name }) => name)
    const expected = {
      request_count: 10,
      error_count: 2,
      byok_request_count: 1,
      unpriced_request_count: 3,
      tokens_total: 48,
      tokens_prompt: 40,
      tokens_completion: 8,
      reasoning_tokens: 5,
      cached_tokens: 10,
      cache_hit_rate: 0.25,
      characters: 7,
      audio_seconds: 1.5,
      output_images: 6,
      total_usage: 1.500000001,
      credits_usage: 1.5,
      byok_usage: 1e-9,
      response_cache_hit_count: 3,
      response_cache_miss_count: 1,
      response_cache_hit_rate: 0.75,
      response_cache_savings: 2
    }
    assert.deepStrictEqual(answer([bucket(monday, [[null, measures]])], { metrics }).rows, [
      expected
    ])
    assert.deepStrictEqual(
      answer([bucket(monday, [["First", measures]])], {
        metrics: metrics.filter((name) => !/^(?:byok_request_|response_cache_)/.test(name)),
        dimensions: ["provider"]
      }).rows.map((row) => row["request_count"]),
      [8]
    )
    assert.isNull(answer([], { metrics: ["cache_hit_rate"] }).rows[0]?.["cache_hit_rate"])
  })

  it("add up to everything, in any grouping", () =>
    FastCheck.assert(
      FastCheck.property(
        buckets,
        FastCheck.constantFrom(undefined, ...granularities.slice(2)),
        FastCheck.boolean(),
        (all, granularity, isGrouped) => {
          const metrics = ["request_count", "tokens_total"]
          const query = {
            metrics,
            ...(granularity === undefined ? undefined : { granularity }),
            ...(isGrouped ? { dimensions: ["external_user"] } : undefined)
          }
          const whole = answer(all, { metrics }).rows
          const { rows } = answer(all, query)
          for (const name of metrics) assert.strictEqual(sum(rows, name), sum(whole, name))
          assert.strictEqual(
            new Set(
              rows.map((row) =>
                JSON.stringify([row[`date__${granularity}`], row["external_user"], row["is_other"]])
              )
            ).size,
            rows.length
          )
        }
      )
    ))

  it("of a filter and of its opposite add up to everything", () =>
    FastCheck.assert(
      FastCheck.property(buckets, (all) => {
        const count = (filter: typeof select | typeof exclude) =>
          sum(answer(all, { filters: [filter] }).rows, "request_count")
        assert.strictEqual(
          count(select) + count(exclude),
          sum(answer(all, {}).rows, "request_count")
        )
      })
    ))
})
