/** Operations on what endpoints do now: their breakers, speed and recent figures. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { authenticatedErrors, Authentication, BadRequest } from "../contract/ErrorEnvelope.ts"
import { RequiredCaller, TimeLimited } from "../contract/operationAnnotations.ts"
import { integerParameter } from "../contract/queryParameters.ts"
import { FiguresResponse } from "./SeriesApi.ts"

const Amount = Schema.NullOr(Schema.Finite)
const Time = Schema.NullOr(Schema.String)

const BreakerResponse = Schema.Struct({
  state: Schema.Literals(["closed", "open", "ramping", "backing_off"]),
  /** Since when, in ISO 8601; null while closed. */
  since: Time,
  /** Such as `12 of 20 failed in 60 s`; null while closed or ramping. */
  cause: Schema.NullOr(Schema.String),
  /** When an attempt is let through again, in ISO 8601; null while closed or ramping. */
  next_probe_at: Time,
  /** The share of traffic that a ramping breaker lets through, from 0 to 1. */
  share: Amount
})

export const LiveEndpointResponse = Schema.Struct({
  endpoint_id: Schema.String,
  model: Schema.String,
  provider: Schema.String,
  /** The breaker of this process; `uptime`, `throughput` and `failures` are of this process, too. */
  breaker: BreakerResponse,
  /** Percent of attempts that succeeded, over 5 and 30 minutes and a day; null while there are too few. */
  uptime: Schema.Struct({ m5: Amount, m30: Amount, d1: Amount }),
  /** Output tokens per second over five minutes: so many are reached by 50, 90 and 99 % of the answers. */
  throughput: Schema.NullOr(
    Schema.Struct({ p50: Schema.Finite, p90: Schema.Finite, p99: Schema.Finite })
  ),
  /** Failures over five minutes, by kind. */
  failures: Schema.Record(Schema.String, Schema.Finite),
  /** Attempts that were rate limited over five minutes. */
  rate_limited: Schema.Finite,
  /** Attempts of the account a minute over five minutes, in all processes. */
  requests_per_minute: Schema.Finite,
  /** The share of those that failed, from 0 to 1; null without any. */
  error_share: Amount,
  /** The attempts of the account over five minutes, in all processes. */
  figures: FiguresResponse,
  /** The last hour by minute, oldest first; minutes without attempts are left out. */
  points: Schema.Array(
    Schema.Struct({
      /** ISO 8601. */
      at: Schema.String,
      requests: Schema.Int,
      errors: Schema.Int,
      /** Median in milliseconds. */
      latency: Amount
    })
  )
})

export const LiveEndpointsResponse = Schema.Struct({
  /** Time of the report, in ISO 8601. */
  at: Schema.String,
  endpoints: Schema.Array(LiveEndpointResponse)
})

const path = "/api/v1/signalbox/endpoints"

export class LiveApi extends HttpApiGroup.make("live")
  .add(
    HttpApiEndpoint.get("listEndpoints", path, {
      success: Schema.Struct({ data: LiveEndpointsResponse }),
      error: authenticatedErrors
    }).annotate(
      OpenApi.Summary,
      "List the endpoints with their breakers, speed and recent figures."
    ),
    HttpApiEndpoint.get("watchEndpoints", `${path}/events`, {
      query: {
        interval: integerParameter({
          minimum: 1,
          maximum: 60,
          default: 5,
          description: "Seconds between two events."
        }),
        count: integerParameter({
          minimum: 1,
          description: "Number of events after which the stream ends. Default: it does not end."
        })
      },
      success: HttpApiSchema.StreamSse({ data: LiveEndpointsResponse }),
      error: [...authenticatedErrors, BadRequest]
    })
      .annotate(TimeLimited, "input")
      .annotate(OpenApi.Summary, "Watch the endpoints as server-sent events.")
      .annotate(
        OpenApi.Description,
        "Watch the endpoints as server-sent events. The first event has all endpoints, each later one only those that have changed, maybe none. The stream ends when the instance closes."
      )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "operator")
  .annotate(OpenApi.Title, "Live endpoints") {}
