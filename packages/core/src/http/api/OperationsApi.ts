/** Operations of our own that the reference wire does not know, under `{base}/signalbox`. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Authentication } from "./Authentication.ts"
import {
  Forbidden,
  InternalServerError,
  ServiceUnavailable,
  TooManyRequests,
  Unauthorized
} from "./ErrorEnvelope.ts"

export const Health = Schema.Struct({
  status: Schema.Literals(["ready", "draining"]),
  models: Schema.Int,
  /** Requests being served now. */
  running: Schema.Int,
  /** Endpoints with a significant outage in the last seconds. */
  outages: Schema.Array(Schema.String)
})
export type Health = typeof Health.Type

export class OperationsApi extends HttpApiGroup.make("operations")
  .add(
    HttpApiEndpoint.get("health", "/api/v1/signalbox/health", {
      success: Schema.Struct({ data: Health }),
      error: [Unauthorized, Forbidden, TooManyRequests, InternalServerError, ServiceUnavailable]
    }).annotate(OpenApi.Summary, "Readiness, and which endpoints are in trouble (management keys)")
  )
  .middleware(Authentication)
  .annotate(OpenApi.Title, "Signalbox") {}
