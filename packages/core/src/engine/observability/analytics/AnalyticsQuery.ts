/** What a query on analytics asks, in the fields of OpenRouter's API. */
import * as Schema from "effect/Schema"
import { IsoDateTime } from "../../../values/IsoDateTime.ts"
import { maxValueCharacters } from "../rollups/Dimension.ts"

const Name = Schema.String.check(Schema.isMaxLength(64))
const Scalar = Schema.Union([
  Schema.String.check(Schema.isMaxLength(maxValueCharacters)),
  Schema.Finite
])
const Rows = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 }))

export const AnalyticsFilter = Schema.Struct({
  /** A dimension. */
  field: Name,
  operator: Name,
  /** A list for `in` and `not_in`. */
  value: Schema.Union([Scalar, Schema.Array(Scalar).check(Schema.isMaxLength(1_000))]),
  /** Whether `in` and `not_in` also select what has no value. Default: false. */
  include_unset: Schema.optionalKey(Schema.Boolean)
})
export type AnalyticsFilter = typeof AnalyticsFilter.Type

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
