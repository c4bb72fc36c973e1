/** Operations on figures of requests over time. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Authentication } from "../contract/Authentication.ts"
import { dataEnvelope } from "../contract/envelopes.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import {
  integerParameter,
  literalParameter,
  textParameter,
  timeParameter
} from "../contract/queryParameters.ts"
import {
  BadRequest,
  Forbidden,
  InternalServerError,
  TooManyRequests,
  Unauthorized
} from "../contract/ErrorEnvelope.ts"
import { dimensions } from "../../engine/observability/rollups/Dimension.ts"
import { resolutions } from "../../engine/observability/rollups/Resolution.ts"

/** Milliseconds, within 7.5 %; null without a measurement. */
const PercentilesResponse = Schema.NullOr(
  Schema.Struct({ p50: Schema.Finite, p90: Schema.Finite, p99: Schema.Finite })
)

/** What requests add up to; attempts when grouped by `endpoint` or `provider`. */
export const FiguresResponse = Schema.Struct({
  requests: Schema.Int,
  /** Requests that ended with an error. */
  errors: Schema.Int,
  /** Requests on the account's own credentials. */
  byok_requests: Schema.Int,
  /** Answered requests whose cost is unknown; `cost` lacks them. */
  unpriced_requests: Schema.Int,
  tokens_prompt: Schema.Finite,
  tokens_completion: Schema.Finite,
  /** The part of `tokens_prompt` read from prompt caches. */
  tokens_cached: Schema.Finite,
  /** The part of `tokens_completion` spent on reasoning. */
  tokens_reasoning: Schema.Finite,
  /** USD. */
  cost: Schema.Finite,
  /** USD that providers bill to the owners of credentials. */
  upstream_inference_cost: Schema.Finite,
  /** To the whole answer, of answered requests. */
  latency: PercentilesResponse,
  /** The time of streams until their first token. */
  time_to_first_token: PercentilesResponse
})

const SeriesItem = Schema.Struct({
  /** The value of the dimension, such as the slug of a model; null for requests without one, and for the rest. */
  value: Schema.NullOr(Schema.String),
  /** True for everything that is not in another series. */
  is_other: Schema.Boolean,
  totals: FiguresResponse,
  /** Oldest first; buckets without requests are left out. */
  points: Schema.Array(
    Schema.Struct({
      /** When the bucket begins, in ISO 8601. */
      at: Schema.String,
      ...FiguresResponse.fields
    })
  )
})

const SeriesResponse = Schema.Struct({
  interval: Schema.Literals(resolutions),
  /** The start of the first bucket, in ISO 8601. */
  from: Schema.String,
  /** Exclusive, in ISO 8601. */
  to: Schema.String,
  group_by: Schema.Literals(dimensions),
  /** The most important first, by requests and cost. They add up to all requests of the time. */
  series: Schema.Array(SeriesItem)
})

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
        group_by: literalParameter(
          dimensions,
          "One series for each value. `endpoint` and `provider` count attempts. Default: `total`."
        ),
        value: textParameter("Only the series of this value."),
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
    )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "Series") {}
