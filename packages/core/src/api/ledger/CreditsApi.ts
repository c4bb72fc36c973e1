/** Operations on the credits of an account. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  Authentication,
  Forbidden,
  InternalServerError,
  TooManyRequests,
  Unauthorized
} from "../contract/ErrorEnvelope.ts"
import { dataEnvelope } from "../contract/envelopes.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"

export class CreditsApi extends HttpApiGroup.make("credits")
  .add(
    HttpApiEndpoint.get("get", "/api/v1/credits", {
      success: dataEnvelope(
        Schema.Struct({
          /** USD granted; 0 for an account without a limit. */
          total_credits: Schema.Finite,
          /** USD used. */
          total_usage: Schema.Finite
        })
      ),
      error: [Unauthorized, TooManyRequests, InternalServerError, Forbidden]
    })
      .annotate(RequiredCaller, "management")
      .annotate(OpenApi.Summary, "Get the credits of the account.")
  )
  .middleware(Authentication)
  .annotate(OpenApi.Title, "Credits") {}
