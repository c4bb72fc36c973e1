/** Operations of our own that the reference wire does not know, under `{base}/signalbox`. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { RawBody, RequiredCaller } from "../contract/operationAnnotations.ts"
import { Authentication } from "../contract/Authentication.ts"
import {
  BadRequest,
  Forbidden,
  InternalServerError,
  NotFound,
  PayloadTooLarge,
  ServiceUnavailable,
  TooManyRequests,
  Unauthorized
} from "../contract/ErrorEnvelope.ts"
import { EndpointReport } from "./HealthReport.ts"
import { PlanResponse, PlanRequest } from "./PlanResponse.ts"

const OutboxResponse = Schema.Struct({
  waiting: Schema.Int,
  /** Because too much was waiting. */
  dropped: Schema.Int,
  /** The destination failed, or took too long. */
  failed: Schema.Int
})

const JobResponse = Schema.Struct({
  kind: Schema.String,
  /** Whether this process works on it. */
  worked: Schema.Boolean,
  /** Steps that wait for somebody to take them, and those to be run later. */
  due: Schema.Int,
  later: Schema.Int,
  running: Schema.Int,
  /** How long the oldest of those due has been due. */
  oldestMillis: Schema.Finite,
  /** Attempts of this process, and steps it gave up. */
  succeeded: Schema.Int,
  failed: Schema.Int,
  died: Schema.Int
})

/** Whether the service is ready, and what is known of each endpoint. */
export const ReadinessResponse = Schema.Struct({
  status: Schema.Literals(["ready", "draining"]),
  models: Schema.Int,
  /** Which configuration is served, where it comes from, and why it is not newer if it is not. */
  catalog: Schema.Struct({
    source: Schema.String,
    version: Schema.Int,
    readAt: Schema.Int,
    failure: Schema.optionalKey(Schema.Struct({ at: Schema.Int, problem: Schema.String }))
  }),
  /** Requests being served now. */
  running: Schema.Int,
  /** What became of the generations the host's destinations are told of. */
  told: Schema.Struct({
    /** In the order of the destinations. */
    broadcast: Schema.Array(OutboxResponse),
    io_log: OutboxResponse
  }),
  /** How it stands with each kind of work that outlives requests; null when the store cannot be asked. */
  jobs: Schema.NullOr(Schema.Array(JobResponse)),
  /** When this was so, in milliseconds since the epoch. */
  at: Schema.Finite,
  /** What is known of every endpoint that was tried, by id. */
  endpoints: Schema.Record(Schema.String, EndpointReport)
})
export type ReadinessResponse = typeof ReadinessResponse.Type

export const metricsContentType = "text/plain; version=0.0.4; charset=utf-8"

const operatorErrors = [
  Unauthorized,
  Forbidden,
  TooManyRequests,
  InternalServerError,
  ServiceUnavailable
]

export class ReportsApi extends HttpApiGroup.make("reports")
  .add(
    HttpApiEndpoint.get("health", "/api/v1/signalbox/health", {
      success: Schema.Struct({ data: ReadinessResponse }),
      error: operatorErrors
    }).annotate(OpenApi.Summary, "Readiness, and what is known of every endpoint"),
    HttpApiEndpoint.get("metrics", "/api/v1/signalbox/metrics", {
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: metricsContentType })),
      error: operatorErrors
    }).annotate(
      OpenApi.Summary,
      "Requests, attempts, tokens, cost, time, breakers, in Prometheus' text format"
    ),
    HttpApiEndpoint.post("plan", "/api/v1/signalbox/plan", {
      payload: PlanRequest,
      success: Schema.Struct({ data: PlanResponse }),
      error: [...operatorErrors, BadRequest, NotFound, PayloadTooLarge]
    })
      .annotate(RequiredCaller, "management")
      .annotate(RawBody, true)
      .annotate(
        OpenApi.Summary,
        "The plan a Decision, a chat or a video would get, and why, without asking anybody"
      )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "operator")
  .annotate(OpenApi.Title, "Signalbox") {}
