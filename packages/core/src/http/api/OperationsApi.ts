/** Operations of our own that the reference wire does not know, under `{base}/signalbox`. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Authentication } from "./Authentication.ts"
import {
  BadRequest,
  Forbidden,
  InternalServerError,
  PayloadTooLarge,
  ServiceUnavailable,
  TooManyRequests,
  Unauthorized
} from "./ErrorEnvelope.ts"
import { EndpointReport } from "./HealthReport.ts"
import { PlanReport, PlanRequest } from "./PlanReport.ts"

export const Health = Schema.Struct({
  status: Schema.Literals(["ready", "draining"]),
  models: Schema.Int,
  /** Requests being served now. */
  running: Schema.Int,
  /** When this was so, in milliseconds since the epoch. */
  at: Schema.Finite,
  /** What is known of every endpoint that was tried, by id. */
  endpoints: Schema.Record(Schema.String, EndpointReport)
})
export type Health = typeof Health.Type

const error = [Unauthorized, Forbidden, TooManyRequests, InternalServerError, ServiceUnavailable]

export class OperationsApi extends HttpApiGroup.make("operations")
  .add(
    HttpApiEndpoint.get("health", "/api/v1/signalbox/health", {
      success: Schema.Struct({ data: Health }),
      error
    }).annotate(
      OpenApi.Summary,
      "Readiness, and what is known of every endpoint (management keys)"
    ),
    HttpApiEndpoint.post("plan", "/api/v1/signalbox/plan", {
      payload: PlanRequest,
      success: Schema.Struct({ data: PlanReport }),
      error: [...error, BadRequest, PayloadTooLarge]
    }).annotate(
      OpenApi.Summary,
      "The plan a Decision would get, and why, without asking anybody (management keys)"
    )
  )
  .middleware(Authentication)
  .annotate(OpenApi.Title, "Signalbox") {}
