/** Liveness and readiness probes for orchestrators and load balancers; they need no key. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  Conflict,
  InternalServerError,
  RequestTimeout,
  ServiceUnavailable,
  TooManyRequests,
  UnsupportedMediaType
} from "../contract/ErrorEnvelope.ts"

const probeErrors = [
  RequestTimeout,
  Conflict,
  UnsupportedMediaType,
  TooManyRequests,
  InternalServerError,
  ServiceUnavailable
] as const

export class ProbesApi extends HttpApiGroup.make("probes")
  .add(
    HttpApiEndpoint.get("live", "/api/v1/signalbox/live", {
      success: Schema.Struct({ status: Schema.Literal("live") }),
      error: probeErrors
    }).annotate(OpenApi.Summary, "Check liveness. Succeeds even during shutdown. Needs no key."),
    HttpApiEndpoint.get("ready", "/api/v1/signalbox/ready", {
      success: Schema.Struct({ status: Schema.Literal("ready") }),
      error: probeErrors
    }).annotate(
      OpenApi.Summary,
      "Check readiness. Fails with 503 during shutdown, and while the storage cannot be used. Needs no key."
    )
  )
  .annotate(OpenApi.Title, "Probes") {}
