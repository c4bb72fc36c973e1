/** Operations on the settings of an account, which restrict all its requests. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { AccountPatch, AccountSettings } from "../../tenants/accounts/AccountSettings.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import {
  authenticatedErrors,
  Authentication,
  BadRequest,
  PayloadTooLarge
} from "../contract/ErrorEnvelope.ts"
import { dataEnvelope } from "../contract/envelopes.ts"

export class AccountApi extends HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("get", "/api/v1/signalbox/account", {
      success: dataEnvelope(AccountSettings),
      error: authenticatedErrors
    }).annotate(OpenApi.Summary, "Get the account settings, which restrict all its requests."),
    HttpApiEndpoint.patch("update", "/api/v1/signalbox/account", {
      payload: AccountPatch,
      success: dataEnvelope(AccountSettings),
      error: [...authenticatedErrors, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Update the account settings. Omitted fields keep their values.")
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "Account") {}
