/** Checks a query on analytics: what rollups cannot answer exactly is refused with what they can. Pure. */
import * as Result from "effect/Result"
import { InvalidRequest } from "../../../values/errors/RequestErrors.ts"
import { type Dimension, isTagDimension, parseDimension } from "../../../values/Dimension.ts"
import type { Resolution } from "../rollups/Resolution.ts"
import {
  type AnalyticsDimension,
  type AnalyticsMetric,
  type AnalyticsQuery,
  type ComputeMetric,
  type Granularity,
  type ValueFilter,
  analyticsDimensions,
  analyticsMetrics,
  granularities,
  parseValueFilter
} from "./AnalyticsQuery.ts"
import { type AnalyticsRange, resolveAnalyticsRange } from "./resolveAnalyticsRange.ts"

/** What to read, and what to make of it. */
export interface AnalyticsPlan {
  /** The dimension of rollups. */
  readonly dimension: Dimension
  readonly range: AnalyticsRange
  /** All apply. */
  readonly filters: ReadonlyArray<ValueFilter>
  /** The dimension to have a row for each value of. */
  readonly groupBy: AnalyticsDimension | undefined
  readonly granularity: Granularity | undefined
  /** The columns of a row. */
  readonly metrics: ReadonlyArray<{ readonly name: string; readonly compute: ComputeMetric }>
  readonly orderBy: {
    readonly field: "date" | "value" | ComputeMetric
    readonly isAscending: boolean
  }
  readonly limit: number
  readonly groupLimit: number
}

export const planAnalytics = (
  query: AnalyticsQuery,
  now: number,
  retention: Readonly<Record<Resolution, number>>
): Result.Result<AnalyticsPlan, InvalidRequest> =>
  Result.gen(function* () {
    for (const field of ["classifier_dimensions", "classifier_filters"] as const) {
      if (query[field] !== undefined) {
        return yield* refuse([field], `is not supported; ${listNames("dimensions", dimensions)}`)
      }
    }
    const granularity =
      query.granularity === undefined
        ? undefined
        : yield* findNamed(granularitiesByName, query.granularity, ["granularity"], "granularities")
    const names = new Set(query.dimensions)
    const [groupBy] = yield* Result.all(
      Array.from(names, (name, index) => findDimension(name, ["dimensions", index]))
    )
    if (names.size > 1) return yield* refuse(["dimensions"], oneDimension)
    const filters = yield* Result.all(
      (query.filters ?? []).map((filter, index) =>
        Result.flatMap(findDimension(filter.field, ["filters", index, "field"]), (dimension) =>
          Result.map(parseValueFilter(filter, dimension, ["filters", index]), (parsed) => ({
            dimension,
            parsed
          }))
        )
      )
    )
    const dimension = groupBy ?? filters[0]?.dimension
    const other = filters.findIndex((filter) => filter.dimension.name !== dimension?.name)
    if (other >= 0) return yield* refuse(["filters", other, "field"], oneDimension)

    const findMetric = (name: string, path: ReadonlyArray<string | number>) =>
      Result.flatMap(findNamed(metrics, name, path, "metrics"), (metric) => {
        const compute = pickCompute(metric, dimension)
        return compute === undefined
          ? refuse(path, `${name} is not known by provider or endpoint, which count attempts`)
          : Result.succeed({ name, compute })
      })
    const columns = yield* Result.all(
      query.metrics.map((name, index) => findMetric(name, ["metrics", index]))
    )

    const orderable = new Map<string, AnalyticsPlan["orderBy"]["field"]>([
      ...(granularity === undefined ? [] : [["date", "date"] as const]),
      ...(groupBy === undefined ? [] : [[groupBy.name, "value"] as const]),
      ...columns.map(({ compute, name }) => [name, compute] as const),
      ["request_count", (yield* findMetric("request_count", ["order_by", "field"])).compute]
    ])
    const order = query.order_by ?? {
      field: granularity === undefined ? "request_count" : "date",
      direction: "desc"
    }
    const field = orderable.get(order.field)
    if (field === undefined) {
      return yield* refuse(
        ["order_by", "field"],
        `must be one of ${Array.from(orderable.keys()).join(", ")}`
      )
    }

    const range = yield* resolveAnalyticsRange({
      start: query.time_range === undefined ? undefined : Date.parse(query.time_range.start),
      end: query.time_range === undefined ? undefined : Date.parse(query.time_range.end),
      granularity,
      now,
      retention
    })
    return {
      dimension: dimension?.reads ?? "total",
      range,
      filters: filters.map(({ parsed }) => parsed),
      groupBy,
      granularity,
      metrics: columns,
      orderBy: { field, isAscending: order.direction === "asc" },
      limit: query.limit ?? defaultLimit,
      groupLimit: groupBy === undefined ? Infinity : (query.group_limit ?? Infinity)
    }
  })

const pickCompute = (
  { compute, computeOfAttempts }: AnalyticsMetric,
  dimension: AnalyticsDimension | undefined
): ComputeMetric | undefined => (dimension?.isOfAttempts === true ? computeOfAttempts : compute)

const byName = <A extends { readonly name: string }>(all: ReadonlyArray<A>) =>
  new Map(all.map((each) => [each.name, each]))

const dimensions = byName(analyticsDimensions)
const metrics = byName(analyticsMetrics)
const granularitiesByName = new Map<string, Granularity>(granularities.map((name) => [name, name]))

const findNamed = <A>(
  known: ReadonlyMap<string, A>,
  name: string,
  path: ReadonlyArray<string | number>,
  what: string
): Result.Result<A, InvalidRequest> => {
  const found = known.get(name)
  return found === undefined
    ? refuse(path, `is not supported; ${listNames(what, known)}`)
    : Result.succeed(found)
}

/** The dimensions with a name, and those of tags, which hosts choose. */
const findDimension = (
  name: string,
  path: ReadonlyArray<string | number>
): Result.Result<AnalyticsDimension, InvalidRequest> => {
  const reads = parseDimension(name)
  return reads !== undefined && isTagDimension(reads)
    ? Result.succeed({ name, label: name, reads, isOfAttempts: false, hasUnset: false })
    : findNamed(dimensions, name, path, "dimensions")
}

const listNames = (what: string, known: ReadonlyMap<string, unknown>): string =>
  `the ${what} are ${Array.from(known.keys()).join(", ")}`

const oneDimension =
  "figures are kept for one dimension at a time: choose one, and filter by no other"

const refuse = (path: ReadonlyArray<string | number>, problem: string) =>
  Result.fail(new InvalidRequest({ path, problem }))

const defaultLimit = 1_000
