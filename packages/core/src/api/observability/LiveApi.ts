/** Operations on what endpoints do now: their breakers, speed and recent figures. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { authenticatedErrors, Authentication, BadRequest } from "../contract/ErrorEnvelope.ts"
import { RequiredCaller, TimeLimited } from "../contract/operationAnnotations.ts"
import {
  integerParameter,
  literalListParameter,
  literalParameter,
  textParameter
} from "../contract/queryParameters.ts"
import { breakerStates, endpointSorts } from "../../domains/live/EndpointQuery.ts"
import { TrafficControl } from "../../engine/health/control/TrafficControl.ts"
import { BreakerResponse, ProcessReport } from "../../domains/fleet/ProcessReport.ts"
import { FiguresResponse } from "./SeriesApi.ts"
import {
  ModelStatus,
  modelsQuery,
  ProviderStatus,
  providersQuery,
  statusPage
} from "./statusResponses.ts"

const Amount = Schema.NullOr(Schema.Finite)

export const LiveEndpointResponse = Schema.Struct({
  endpoint_id: Schema.String,
  model: Schema.String,
  provider: Schema.String,
  /** The breaker of this process; `uptime`, `throughput` and `failures` are of this process, too. */
  breaker: BreakerResponse,
  /**
   * What other processes on the store last reported of it, up to 5 s ago: attempts under way, or a breaker that is not
   * closed. Lost processes are left out.
   */
  other_processes: Schema.Array(
    Schema.Struct({
      process_id: Schema.String,
      breaker: BreakerResponse,
      in_flight: Schema.Int
    })
  ),
  /** What an operator asks of it and its provider, by `traffic.setControl`; in all processes. */
  control: Schema.Struct({
    state: TrafficControl.fields.state,
    weight: TrafficControl.fields.weight
  }),
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
  /** The last `minutes` by minute, oldest first; minutes without attempts are left out. */
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
  endpoints: Schema.Array(LiveEndpointResponse),
  /** Endpoints on all pages. */
  total_count: Schema.Int,
  /** In an event: the ids of the page, in order. Absent while they are those of the event before, and in the first event. */
  order: Schema.optionalKey(Schema.Array(Schema.String))
})

const ProcessesResponse = Schema.Struct({
  /** Time of the report, in ISO 8601. */
  at: Schema.String,
  /** The process that answers first, then the others by their start. */
  processes: Schema.Array(
    Schema.Struct({
      ...ProcessReport.fields,
      /** Whether it is the one that answers. */
      is_self: Schema.Boolean,
      /** It has not reported for 15 s: it was killed, is suspended, or cannot reach the store. */
      is_lost: Schema.Boolean,
      /** When it last reported, in ISO 8601. */
      seen_at: Schema.String
    })
  )
})

/** Page size of a request with `offset` but without `limit`. */
export const defaultEndpointPageSize = 50

/** The minutes that points go back. */
const pointMinutes = 60

const endpointsQuery = {
  q: textParameter("Words that the id of the endpoint must contain, in any order and case."),
  model: textParameter("Slug of a model."),
  provider: textParameter("Slug or name of a provider."),
  state: literalListParameter(
    breakerStates,
    "Comma-separated states of the breaker of this process. Default: any."
  ),
  sort: literalParameter(
    endpointSorts,
    "By `model`, or with the highest first: the `requests`, share of `failures` or median `latency` of five minutes, or the urgency of the breaker's `state`. Endpoints without the value come last. Default: as the host lists them."
  ),
  offset: integerParameter({
    description:
      "Number of endpoints to skip. Without `offset` and `limit`, all endpoints are returned."
  }),
  limit: integerParameter({
    minimum: 1,
    maximum: 200,
    description: `Number of endpoints to return. Default: ${defaultEndpointPageSize} with an offset.`
  }),
  minutes: integerParameter({
    maximum: pointMinutes,
    default: pointMinutes,
    description: "Number of minutes that `points` go back."
  })
}

export type EndpointsQuery = Schema.Struct.Type<typeof endpointsQuery> & {
  readonly minutes: number
}

const path = "/api/v1/signalbox/endpoints"

export class LiveApi extends HttpApiGroup.make("live")
  .add(
    HttpApiEndpoint.get("listEndpoints", path, {
      query: endpointsQuery,
      success: Schema.Struct({ data: LiveEndpointsResponse }),
      error: [...authenticatedErrors, BadRequest]
    }).annotate(
      OpenApi.Summary,
      "List the endpoints with their breakers, speed and recent figures, filtered and sorted."
    ),
    HttpApiEndpoint.get("listProcesses", "/api/v1/signalbox/processes", {
      success: Schema.Struct({ data: ProcessesResponse }),
      error: authenticatedErrors
    }).annotate(
      OpenApi.Summary,
      "List the processes on the store with their versions, breakers, running requests and queues."
    ),
    HttpApiEndpoint.get("listProviders", "/api/v1/signalbox/providers", {
      query: providersQuery,
      success: statusPage(ProviderStatus),
      error: [...authenticatedErrors, BadRequest]
    }).annotate(
      OpenApi.Summary,
      "List the providers with their failures, controls, share of the traffic and health by hour, filtered and sorted."
    ),
    HttpApiEndpoint.get("listModels", "/api/v1/signalbox/models", {
      query: modelsQuery,
      success: statusPage(ModelStatus),
      error: [...authenticatedErrors, BadRequest]
    }).annotate(
      OpenApi.Summary,
      "List the models with their prices, failures, share of the traffic and health by hour, filtered and sorted."
    ),
    HttpApiEndpoint.get("watchEndpoints", `${path}/events`, {
      query: {
        ...endpointsQuery,
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
        "Watch the endpoints as server-sent events. The first event has the endpoints of the page, each later one only those that have changed or come onto it, maybe none, and `order` when the page has others or another order. The stream ends when the instance closes."
      )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "operator")
  .annotate(OpenApi.Title, "Live endpoints") {}
