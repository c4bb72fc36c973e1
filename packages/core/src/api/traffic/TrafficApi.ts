/** Operations that take endpoints and providers out of service, or give them fewer requests. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { NewTrafficControl, TrafficControl } from "../../engine/health/control/TrafficControl.ts"
import { dataEnvelope } from "../contract/envelopes.ts"
import {
  authenticatedErrors,
  Authentication,
  BadRequest,
  Conflict,
  PayloadTooLarge
} from "../contract/ErrorEnvelope.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import {
  integerParameter,
  literalParameter,
  numberParameter,
  requiredLiteralParameter,
  requiredTextParameter
} from "../contract/queryParameters.ts"
import { ControlPreview } from "../../domains/simulator/ControlPreview.ts"

const path = "/api/v1/signalbox/traffic-controls"

export class TrafficApi extends HttpApiGroup.make("traffic")
  .add(
    HttpApiEndpoint.get("listControls", path, {
      success: dataEnvelope(Schema.Array(TrafficControl)),
      error: authenticatedErrors
    }).annotate(OpenApi.Summary, "List the traffic controls, with those that are active again."),
    HttpApiEndpoint.get("previewControl", `${path}/preview`, {
      query: {
        kind: requiredLiteralParameter(["endpoint", "provider"]),
        id: requiredTextParameter(
          "The id of an endpoint, such as `acme/model@acme`, or the slug of a provider."
        ),
        state: literalParameter(["active", "drained", "disabled"], "Default: `active`."),
        weight: numberParameter({ maximum: 1, description: "From 0 to 1. Default: 1." }),
        minutes: integerParameter({
          minimum: 1,
          maximum: 1_440,
          default: 60,
          description: "Minutes of recorded traffic."
        })
      },
      success: dataEnvelope(ControlPreview),
      error: [...authenticatedErrors, BadRequest]
    })
      .annotate(
        OpenApi.Summary,
        "Preview what a traffic control would have done with recent traffic, without setting it."
      )
      .annotate(
        OpenApi.Description,
        "Preview what a traffic control would have done with recent traffic, without setting it: which models would have no endpoint, and what the other requests would have cost and how long they would have taken. Recorded requests of all accounts, at most 2,000, are routed again on a virtual clock, with the control and without it."
      ),
    HttpApiEndpoint.put("setControl", path, {
      payload: NewTrafficControl,
      success: dataEnvelope(TrafficControl),
      error: [...authenticatedErrors, BadRequest, Conflict, PayloadTooLarge]
    })
      .annotate(
        OpenApi.Summary,
        "Drain or disable an endpoint or a provider, change its weight, or put it back into service."
      )
      .annotate(
        OpenApi.Description,
        "Drain or disable an endpoint or a provider, change its weight, or put it back into service. It holds in every process on the store within a second, and survives restarts."
      )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "operator")
  .annotate(OpenApi.Title, "Traffic") {}
