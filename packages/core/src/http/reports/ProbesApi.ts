/** What orchestrators and load balancers ask, without a key. */
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
    }).annotate(
      OpenApi.Summary,
      "Whether the process answers at all, also while it shuts down (no key)"
    ),
    HttpApiEndpoint.get("ready", "/api/v1/signalbox/ready", {
      success: Schema.Struct({ status: Schema.Literal("ready") }),
      error: probeErrors
    }).annotate(OpenApi.Summary, "Whether to send requests here: 503 while it shuts down (no key)")
  )
  .annotate(OpenApi.Title, "Probes") {}
