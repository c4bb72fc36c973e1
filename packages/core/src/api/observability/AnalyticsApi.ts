/** Operations that query the figures of an account, as OpenRouter's clients do. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  authenticatedErrors,
  Authentication,
  BadRequest,
  PayloadTooLarge
} from "../contract/ErrorEnvelope.ts"
import { dataEnvelope } from "../contract/envelopes.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import {
  AnalyticsQuery,
  granularities
} from "../../engine/observability/analytics/AnalyticsQuery.ts"

const MetaResponse = Schema.Struct({
  metrics: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      display_label: Schema.String,
      display_format: Schema.Literals(["number", "currency", "percent"]),
      /** Whether it is a ratio, which does not add up. */
      is_rate: Schema.Boolean
    })
  ),
  dimensions: Schema.Array(Schema.Struct({ name: Schema.String, display_label: Schema.String })),
  operators: Schema.Array(
    Schema.Struct({ name: Schema.String, value_type: Schema.Literals(["scalar", "array"]) })
  ),
  granularities: Schema.Array(
    Schema.Struct({ name: Schema.Literals(granularities), display_label: Schema.String })
  )
})

const QueryResponse = Schema.Struct({
  /**
   * Each has the metrics by name; the dimension, null for requests without a value; and with a granularity the time, such
   * as `date__day`, in ISO 8601. `is_other` is true for the values that are only kept together.
   */
  data: Schema.Array(
    Schema.Record(
      Schema.String,
      Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null])
    )
  ),
  metadata: Schema.Struct({
    query_time_ms: Schema.Finite,
    row_count: Schema.Int,
    /** Whether `limit` or `group_limit` left rows out. */
    truncated: Schema.Boolean
  }),
  /** How the answer differs from the question; absent when it does not. */
  warnings: Schema.optionalKey(Schema.Array(Schema.String))
})

export class AnalyticsApi extends HttpApiGroup.make("analytics")
  .add(
    HttpApiEndpoint.get("getMeta", "/api/v1/analytics/meta", {
      success: dataEnvelope(MetaResponse),
      error: authenticatedErrors
    }).annotate(
      OpenApi.Summary,
      "Get the metrics, dimensions, operators and granularities that a query on analytics may name."
    ),
    HttpApiEndpoint.post("query", "/api/v1/analytics/query", {
      payload: AnalyticsQuery,
      success: dataEnvelope(QueryResponse),
      error: [...authenticatedErrors, BadRequest, PayloadTooLarge]
    }).annotate(
      OpenApi.Summary,
      "Query requests, errors, tokens and cost of the account, by time and one dimension."
    )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "Analytics") {}
