/** Operations by which an application gets an API key of a user who consents. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { AuthCodeExchange, NewAuthCode } from "../../domains/pkce/AuthCodeRequests.ts"
import { dataEnvelope } from "../contract/envelopes.ts"
import {
  authenticatedErrors,
  Authentication,
  BadRequest,
  Conflict,
  Forbidden,
  InternalServerError,
  PayloadTooLarge,
  RequestTimeout,
  TooManyRequests,
  UnsupportedMediaType
} from "../contract/ErrorEnvelope.ts"
import { NoStore, RequiredCaller } from "../contract/operationAnnotations.ts"

const AuthCodeResponse = Schema.Struct({
  /** The code, which no other response contains. */
  id: Schema.String,
  /** The place of the callback address in the list of the host, from 1; 0: the request names none. */
  app_id: Schema.Int,
  created_at: Schema.String
})

export class OAuthApi extends HttpApiGroup.make("oAuth")
  .add(
    HttpApiEndpoint.post("createCode", "/api/v1/auth/keys/code", {
      payload: NewAuthCode,
      success: dataEnvelope(AuthCodeResponse),
      error: [...authenticatedErrors, BadRequest, Conflict, PayloadTooLarge]
    })
      .annotate(RequiredCaller, "any")
      .annotate(NoStore, true)
      .annotate(
        OpenApi.Summary,
        "Create a code that an application exchanges for an API key of the caller, within ten minutes."
      )
      .middleware(Authentication),
    HttpApiEndpoint.post("exchangeCode", "/api/v1/auth/keys", {
      payload: AuthCodeExchange,
      success: Schema.Struct({ key: Schema.String, user_id: Schema.NullOr(Schema.String) }),
      error: [
        BadRequest,
        Conflict,
        Forbidden,
        PayloadTooLarge,
        RequestTimeout,
        TooManyRequests,
        UnsupportedMediaType,
        InternalServerError
      ]
    })
      .annotate(RequiredCaller, "anyone")
      .annotate(NoStore, true)
      .annotate(OpenApi.Summary, "Exchange a code for an API key, once. Needs no key.")
  )
  .annotate(OpenApi.Title, "OAuth") {}
