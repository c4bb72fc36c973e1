/** Operations on figures of requests over time. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  Authentication,
  BadRequest,
  Forbidden,
  InternalServerError,
  TooManyRequests,
  Unauthorized
} from "../contract/ErrorEnvelope.ts"
import { dataEnvelope } from "../contract/envelopes.ts"
import { FeedbackCountsResponse, measureFields } from "../contract/measures.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import {
  integerParameter,
  literalParameter,
  textParameter,
  timeParameter
} from "../contract/queryParameters.ts"
import { dimensionParameter } from "./dimensionParameters.ts"
import { resolutions } from "../../engine/observability/rollups/Resolution.ts"

/** Milliseconds, within 7.5 %; null without a measurement. */
const PercentilesResponse = Schema.NullOr(
  Schema.Struct({
    p50: Schema.Finite,
    p90: Schema.Finite,
    p95: Schema.Finite,
    p99: Schema.Finite
  })
)

/** What requests add up to; attempts when grouped by `endpoint` or `provider`. */
export const FiguresResponse = Schema.Struct({
  ...measureFields,
  /** To the whole answer, of answered requests. */
  latency: PercentilesResponse,
  /** The time of streams until their first token. */
  time_to_first_token: PercentilesResponse
})

const SeriesItem = Schema.Struct({
  /** The value of the dimension, such as the slug of a model; null for requests without one, and for the rest. */
  value: Schema.NullOr(Schema.String),
  /** For a pair with the model: that, beside the `value` of the first one; else null. */
  model: Schema.NullOr(Schema.String),
  /** For `workspace,user`: the user, beside the workspace in `value`; else null. */
  user: Schema.NullOr(Schema.String),
  /** True for everything that is not in another series. */
  is_other: Schema.Boolean,
  totals: FiguresResponse,
  /** How often each category of feedback was given on these requests, as far as it is kept. */
  feedback: FeedbackCountsResponse,
  /** Oldest first; buckets without requests are left out. */
  points: Schema.Array(
    Schema.Struct({
      /** When the bucket begins, in ISO 8601. */
      at: Schema.String,
      ...FiguresResponse.fields,
      feedback: FeedbackCountsResponse
    })
  )
})

const SeriesResponse = Schema.Struct({
  interval: Schema.Literals(resolutions),
  /** The start of the first bucket, in ISO 8601. */
  from: Schema.String,
  /** Exclusive, in ISO 8601. */
  to: Schema.String,
  /** As the query named it. */
  group_by: Schema.String,
  /**
   * The most important first, by requests and cost. They add up to all requests of the time; those of a tag or a pair, to the
   * requests that have it.
   */
  series: Schema.Array(SeriesItem)
})

const ForecastResponse = Schema.Struct({
  /** When the running month began, as `settings.limitTimeZone` says, in ISO 8601. */
  began_at: Schema.String,
  ends_at: Schema.String,
  /** USD of this month, so far. */
  spent: Schema.Finite,
  /** USD of the month before, and of it until the same time after it began. */
  former: Schema.Finite,
  former_so_far: Schema.Finite,
  /** Null before two full days have had requests. */
  forecast: Schema.NullOr(
    Schema.Struct({
      /** USD at the end of the month, if each day to come costs as much as the mean of the latest full ones. */
      expected: Schema.Finite,
      /** USD between which it ends with a probability of 90 %, if days do not depend on each other. */
      low: Schema.Finite,
      high: Schema.Finite,
      /** Full days that the mean is of, at most 7. */
      days: Schema.Int
    })
  )
})

/** The first row has the names of the columns: https://www.rfc-editor.org/rfc/rfc4180#section-3. */
export const csvContentType = "text/csv; charset=utf-8; header=present"

export class SeriesApi extends HttpApiGroup.make("series")
  .add(
    HttpApiEndpoint.get("get", "/api/v1/signalbox/series", {
      query: {
        from: timeParameter("Beginning, rounded down to the interval. Default: a day before `to`."),
        to: timeParameter("End, exclusive. Default: now."),
        interval: literalParameter(
          resolutions,
          "Length of a bucket. Default: `minute` up to two hours, `hour` up to a week, else `day`."
        ),
        group_by: dimensionParameter(
          "One series for each value: a dimension, a tag such as `tag:customer`, or a pair such as `workspace,model`. `endpoint` and `provider` count attempts. Default: `total`."
        ),
        value: textParameter("Only the series of this value; of a pair, the value of the first."),
        limit: integerParameter({
          minimum: 1,
          maximum: 200,
          default: 10,
          description: "Number of series besides the one for the rest."
        })
      },
      success: dataEnvelope(SeriesResponse),
      error: [Unauthorized, Forbidden, TooManyRequests, InternalServerError, BadRequest]
    }).annotate(
      OpenApi.Summary,
      "Get requests, errors, tokens, cost and latency of the account over time, by dimension."
    ),
    HttpApiEndpoint.get("forecast", "/api/v1/signalbox/forecast", {
      success: dataEnvelope(ForecastResponse),
      error: [Unauthorized, Forbidden, TooManyRequests, InternalServerError]
    }).annotate(
      OpenApi.Summary,
      "Get what the account has spent this month, where the month will end, and what the month before cost."
    ),
    HttpApiEndpoint.get("exportSpend", "/api/v1/signalbox/spend.csv", {
      query: {
        from: timeParameter("Beginning, rounded down to the interval. Default: a day before `to`."),
        to: timeParameter("End, exclusive. Default: now."),
        interval: literalParameter(resolutions, "Time of a row. Default: `day`."),
        group_by: dimensionParameter(
          "One row for each value and interval, as in series. Default: `total`."
        )
      },
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: csvContentType })),
      error: [Unauthorized, Forbidden, TooManyRequests, InternalServerError, BadRequest]
    }).annotate(
      OpenApi.Summary,
      "Export requests, tokens and cost of the account over time as CSV, by dimension."
    )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "Series") {}
