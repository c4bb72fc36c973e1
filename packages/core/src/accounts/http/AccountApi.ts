/** What an account restricts for all of its requests, under `{base}/signalbox/account`. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { AccountPatch, AccountSettings } from "../AccountSettings.ts"
import { RequiredCaller } from "../../http/contract/operationAnnotations.ts"
import { Authentication } from "../../http/contract/Authentication.ts"
import { dataEnvelope } from "../../http/contract/envelopes.ts"
import {
  authenticatedErrors,
  BadRequest,
  PayloadTooLarge
} from "../../http/contract/ErrorEnvelope.ts"

export class AccountApi extends HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("get", "/api/v1/signalbox/account", {
      success: dataEnvelope(AccountSettings),
      error: authenticatedErrors
    }).annotate(OpenApi.Summary, "What the account restricts"),
    HttpApiEndpoint.patch("update", "/api/v1/signalbox/account", {
      payload: AccountPatch,
      success: dataEnvelope(AccountSettings),
      error: [...authenticatedErrors, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Changes what is named, for requests from then on")
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "Account") {}
