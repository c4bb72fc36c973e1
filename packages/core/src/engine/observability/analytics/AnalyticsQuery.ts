/** What a query on analytics asks, in the fields of OpenRouter's API. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { IsoDateTime } from "../../../values/IsoDateTime.ts"
import { InvalidRequest } from "../../../values/errors/RequestErrors.ts"
import * as NanoUsd from "../../../values/usage/NanoUsd.ts"
import {
  type Dimension,
  type DimensionValue,
  maxValueCharacters
} from "../../../values/Dimension.ts"
import type { Measures } from "../rollups/Measures.ts"
import { type Resolution, resolutions, toBucketStart } from "../rollups/Resolution.ts"

const Name = Schema.String.check(Schema.isMaxLength(64))
const Scalar = Schema.Union([
  Schema.String.check(Schema.isMaxLength(maxValueCharacters)),
  Schema.Finite
])
const Rows = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 }))

const AnalyticsFilter = Schema.Struct({
  /** A dimension. */
  field: Name,
  operator: Name,
  /** A list for `in` and `not_in`. */
  value: Schema.Union([Scalar, Schema.Array(Scalar).check(Schema.isMaxLength(1_000))]),
  /** Whether `in` and `not_in` also select what has no value. Default: false. */
  include_unset: Schema.optionalKey(Schema.Boolean)
})
type AnalyticsFilter = typeof AnalyticsFilter.Type

const AnalyticsOrder = Schema.Struct({
  /** A requested metric, the requested dimension, `request_count`, or `date` with a granularity. */
  field: Name,
  direction: Schema.Literals(["asc", "desc"])
})
type AnalyticsOrder = typeof AnalyticsOrder.Type

/** The names are those that `GET /analytics/meta` lists. */
export const AnalyticsQuery = Schema.Struct({
  metrics: Schema.Array(Name).check(Schema.isMinLength(1), Schema.isMaxLength(64)),
  /** At most one. Default: none, one row for everything. */
  dimensions: Schema.optionalKey(Schema.Array(Name).check(Schema.isMaxLength(64))),
  /** All apply; all are on one dimension, which is the requested one if there is any. */
  filters: Schema.optionalKey(Schema.Array(AnalyticsFilter).check(Schema.isMaxLength(20))),
  /** One row for each such time. Default: one row for the whole time. */
  granularity: Schema.optionalKey(Name),
  /** `end` is exclusive. Default: the last seven days. */
  time_range: Schema.optionalKey(Schema.Struct({ start: IsoDateTime, end: IsoDateTime })),
  /** Default: by `date` with a granularity, else by `request_count`, both `desc`. */
  order_by: Schema.optionalKey(AnalyticsOrder),
  /** Rows of the answer. Default: 1000. */
  limit: Schema.optionalKey(Rows),
  /** Rows for each value of the dimension. Default: all. */
  group_limit: Schema.optionalKey(Rows),
  /** Not supported: answered with 400. */
  classifier_dimensions: Schema.optionalKey(Schema.Json),
  /** Not supported: answered with 400. */
  classifier_filters: Schema.optionalKey(Schema.Json)
})
export type AnalyticsQuery = typeof AnalyticsQuery.Type

/** The dimensions of analytics, by the names of OpenRouter's API where it has them. */
export interface AnalyticsDimension {
  readonly name: string
  readonly label: string
  /** The dimension of rollups. */
  readonly reads: Dimension
  /** Whether it breaks down attempts; the others break down requests. */
  readonly isOfAttempts: boolean
  /** Whether requests may have no value. */
  readonly hasUnset: boolean
}

const ofRequests = { isOfAttempts: false, hasUnset: false }
const ofCallers = { isOfAttempts: false, hasUnset: true }
const ofAttempts = { isOfAttempts: true, hasUnset: false }

export const analyticsDimensions: ReadonlyArray<AnalyticsDimension> = [
  { name: "model", label: "Model", reads: "model", ...ofRequests },
  { name: "provider", label: "Provider", reads: "provider", ...ofAttempts },
  { name: "endpoint", label: "Endpoint", reads: "endpoint", ...ofAttempts },
  { name: "api_key_id", label: "API Key", reads: "key", ...ofCallers },
  { name: "user", label: "User", reads: "user", ...ofCallers },
  { name: "external_user", label: "External User", reads: "external_user", ...ofCallers },
  { name: "workspace", label: "Workspace", reads: "workspace", ...ofRequests },
  { name: "operation", label: "Operation", reads: "operation", ...ofRequests },
  { name: "outcome", label: "Outcome", reads: "outcome", ...ofRequests },
  { name: "preset", label: "Preset", reads: "preset", ...ofRequests }
]

/** Null where it has no value, such as a ratio of nothing. */
export type ComputeMetric = (measures: Measures) => number | null

/** The metrics of analytics, by the names of OpenRouter's API where it has them: those that rollups give exactly. */
export interface AnalyticsMetric {
  readonly name: string
  readonly label: string
  readonly format: "number" | "currency" | "percent"
  readonly isRate: boolean
  readonly compute: ComputeMetric
  /** The same by provider or endpoint, where measures are of attempts; absent where attempts do not tell. */
  readonly computeOfAttempts?: ComputeMetric
}

const metric = (
  name: string,
  label: string,
  compute: ComputeMetric,
  {
    computeOfAttempts = compute,
    format = "number"
  }: Partial<Pick<AnalyticsMetric, "computeOfAttempts" | "format">> = {}
): AnalyticsMetric => ({
  name,
  label,
  format,
  isRate: format === "percent",
  compute,
  computeOfAttempts
})

const currency = { format: "currency" } as const

/** A hit has no attempts. */
const cacheMetric = (
  name: string,
  label: string,
  compute: ComputeMetric,
  format: AnalyticsMetric["format"] = "number"
): AnalyticsMetric => ({ name, label, format, isRate: format === "percent", compute })

export const analyticsMetrics: ReadonlyArray<AnalyticsMetric> = [
  metric("request_count", "Request Count", ({ requests }) => requests, {
    // A request has any number of attempts, but one at most answers it.
    computeOfAttempts: ({ errors, requests }) => requests - errors
  }),
  metric("error_count", "Error Count", ({ errors }) => errors),
  {
    name: "byok_request_count",
    label: "BYOK Request Count",
    format: "number",
    isRate: false,
    compute: ({ byok }) => byok
  },
  metric("unpriced_request_count", "Unpriced Request Count", ({ unpriced }) => unpriced),
  metric("tokens_total", "Total Tokens", (of) => of.inputTokens + of.outputTokens),
  metric("tokens_prompt", "Prompt Tokens", ({ inputTokens }) => inputTokens),
  metric("tokens_completion", "Completion Tokens", ({ outputTokens }) => outputTokens),
  metric("reasoning_tokens", "Reasoning Tokens", ({ reasoningTokens }) => reasoningTokens),
  metric("cached_tokens", "Cached Tokens", ({ cachedTokens }) => cachedTokens),
  metric(
    "cache_hit_rate",
    "Cache Hit Rate",
    ({ cachedTokens, inputTokens }) => (inputTokens === 0 ? null : cachedTokens / inputTokens),
    { format: "percent" }
  ),
  metric("characters", "Characters Spoken", ({ characters }) => characters),
  metric("audio_seconds", "Seconds Transcribed", ({ audioMillis }) => audioMillis / 1_000),
  metric("output_images", "Images Made", ({ outputImages }) => outputImages),
  metric(
    "total_usage",
    "Total Usage",
    ({ cost, upstreamCost }) => NanoUsd.toUsdNumber(NanoUsd.make(cost + upstreamCost)),
    currency
  ),
  metric("credits_usage", "Credits Usage", ({ cost }) => NanoUsd.toUsdNumber(cost), currency),
  metric(
    "byok_usage",
    "BYOK Usage",
    ({ upstreamCost }) => NanoUsd.toUsdNumber(upstreamCost),
    currency
  ),
  cacheMetric("response_cache_hit_count", "Response Cache Hits", ({ cacheHits }) => cacheHits),
  cacheMetric(
    "response_cache_miss_count",
    "Response Cache Misses",
    ({ cacheMisses }) => cacheMisses
  ),
  cacheMetric(
    "response_cache_hit_rate",
    "Response Cache Hit Rate",
    ({ cacheHits, cacheMisses }) =>
      cacheHits + cacheMisses === 0 ? null : cacheHits / (cacheHits + cacheMisses),
    "percent"
  ),
  cacheMetric(
    "response_cache_savings",
    "Response Cache Savings",
    ({ saved }) => NanoUsd.toUsdNumber(saved),
    "currency"
  )
]

/** From the finest to the coarsest. */
export const granularities = ["minute", "hour", "day", "week", "month"] as const
/** The lengths of time that analytics have a row for, in UTC. */
export type Granularity = (typeof granularities)[number]

/** When the minute, hour, day, week or month of a time begins, in milliseconds since the epoch. Weeks begin on Monday. */
export const toGranularityStart = (granularity: Granularity, at: number): number => {
  switch (granularity) {
    case "week": {
      const day = toBucketStart("day", at)
      const date = new Date(day)
      return date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
    }
    case "month": {
      const date = new Date(at)
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
    }
    case "minute":
    case "hour":
    case "day":
      return toBucketStart(granularity, at)
  }
}

/** The resolutions of rollups that add up to it, from the finest to the coarsest. */
export const listResolutions = (granularity: Granularity | undefined): ReadonlyArray<Resolution> =>
  granularity === undefined
    ? resolutions
    : resolutions.slice(0, granularities.indexOf(granularity) + 1)

/** Selects values of a dimension. Pure. */
export interface ValueFilter {
  readonly matches: (value: DimensionValue) => boolean
  /** Whether it selects all but the values it names. */
  readonly isNegative: boolean
}

interface Operator {
  readonly name: string
  readonly valueType: "scalar" | "array"
  readonly isNegative: boolean
}

/** Values are texts without an order, so there is no `gt`. */
export const analyticsOperators: ReadonlyArray<Operator> = [
  { name: "eq", valueType: "scalar", isNegative: false },
  { name: "neq", valueType: "scalar", isNegative: true },
  { name: "in", valueType: "array", isNegative: false },
  { name: "not_in", valueType: "array", isNegative: true }
]

/** Numbers are compared as text. What has no value is selected by `include_unset` alone. */
export const parseValueFilter = (
  { include_unset: includesUnset = false, operator: name, value }: AnalyticsFilter,
  dimension: AnalyticsDimension,
  path: ReadonlyArray<string | number>
): Result.Result<ValueFilter, InvalidRequest> => {
  const refuse = (field: string, problem: string) =>
    Result.fail(new InvalidRequest({ path: [...path, field], problem }))
  const operator = analyticsOperators.find((each) => each.name === name)
  if (operator === undefined) {
    const names = analyticsOperators.map((each) => each.name).join(", ")
    return refuse("operator", `is not supported; the operators are ${names}`)
  }
  const { isNegative, valueType } = operator
  if (isList(value) !== (valueType === "array")) {
    return refuse("value", `must be ${valueType === "array" ? "a list" : "one value"} for ${name}`)
  }
  if (includesUnset && valueType !== "array") {
    return refuse("include_unset", "applies to the operators in and not_in alone")
  }
  if (includesUnset && !dimension.hasUnset) {
    return refuse("include_unset", `is not possible: ${dimension.name} has no unset bucket`)
  }
  const named = new Set((isList(value) ? value : [value]).map(String))
  return Result.succeed({
    matches: (value) => (value === null ? includesUnset : named.has(value) !== isNegative),
    isNegative
  })
}

/** `Array.isArray` does not narrow read-only arrays. */
const isList = (value: AnalyticsFilter["value"]): value is ReadonlyArray<string | number> =>
  Array.isArray(value)
