import * as Result from "effect/Result"
import { assert, describe, it } from "vitest"
import type { AnalyticsQuery } from "../../../../src/engine/observability/analytics/AnalyticsQuery.ts"
import { planAnalytics } from "../../../../src/engine/observability/analytics/planAnalytics.ts"

const now = Date.parse("2026-11-23T18:39:14.567Z")
const day = 86_400_000
const retention = { minute: 2 * day, hour: 90 * day, day: 730 * day }

const plan = (query: Partial<AnalyticsQuery>) =>
  planAnalytics({ metrics: ["request_count"], ...query }, now, retention)

const readBy = (query: Partial<AnalyticsQuery>) => Result.getOrThrow(plan(query)).dimension

const isModel = { field: "model", operator: "eq", value: "a/b" }

describe("a query on analytics", () => {
  it("reads the dimension that it groups or filters by, else the total", () => {
    assert.strictEqual(readBy({}), "total")
    assert.strictEqual(readBy({ dimensions: ["api_key_id"] }), "key")
    assert.strictEqual(readBy({ filters: [isModel] }), "model")
    assert.strictEqual(readBy({ dimensions: ["model"], filters: [isModel, isModel] }), "model")
  })

  it("has no rows for each value without a dimension", () => {
    assert.strictEqual(Result.getOrThrow(plan({ group_limit: 3 })).groupLimit, Infinity)
    assert.strictEqual(
      Result.getOrThrow(plan({ dimensions: ["model"], group_limit: 3 })).groupLimit,
      3
    )
  })

  it.each<[Partial<AnalyticsQuery>, string, string]>([
    [{ metrics: ["p50_latency"] }, "metrics.0", "the metrics are request_count, error_count"],
    [{ dimensions: ["country"] }, "dimensions.0", "the dimensions are model, provider"],
    [{ dimensions: ["model", "provider"] }, "dimensions", "one dimension at a time"],
    [
      { dimensions: ["provider"], filters: [isModel] },
      "filters.0.field",
      "one dimension at a time"
    ],
    [
      { filters: [isModel, { ...isModel, field: "workspace" }] },
      "filters.1.field",
      "one dimension at a time"
    ],
    [{ filters: [{ ...isModel, field: "app" }] }, "filters.0.field", "the dimensions are model"],
    [
      { filters: [{ ...isModel, operator: "gt" }] },
      "filters.0.operator",
      "the operators are eq, neq, in, not_in"
    ],
    [{ filters: [{ ...isModel, value: ["a"] }] }, "filters.0.value", "must be one value for eq"],
    [{ filters: [{ ...isModel, operator: "in" }] }, "filters.0.value", "must be a list for in"],
    [
      { filters: [{ ...isModel, include_unset: true }] },
      "filters.0.include_unset",
      "applies to the operators in and not_in alone"
    ],
    [
      { filters: [{ ...isModel, operator: "in", value: [], include_unset: true }] },
      "filters.0.include_unset",
      "model has no unset bucket"
    ],
    [
      { metrics: ["byok_request_count"], dimensions: ["provider"] },
      "metrics.0",
      "byok_request_count is not known by provider or endpoint"
    ],
    [
      { granularity: "quarter" },
      "granularity",
      "the granularities are minute, hour, day, week, month"
    ],
    [
      { order_by: { field: "date", direction: "asc" } },
      "order_by.field",
      "must be one of request_count"
    ],
    [
      { dimensions: ["model"], order_by: { field: "total_usage", direction: "asc" } },
      "order_by.field",
      "must be one of model, request_count"
    ],
    [{ classifier_dimensions: {} }, "classifier_dimensions", "is not supported"],
    [{ classifier_filters: {} }, "classifier_filters", "is not supported"]
  ])("%j is refused", (query, path, problem) => {
    const refused = Result.getOrThrow(Result.flip(plan(query)))
    assert.strictEqual(refused.path.join("."), path)
    assert.include(refused.problem, problem)
  })
})
