/** Customers' own credentials at providers. Sources: interface specification, wire. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Credential, CredentialPatch, NewCredential, RefusalRecord } from "../Credential.ts"
import { RequiredCaller } from "../../http/contract/operationAnnotations.ts"
import { textParameter } from "../../http/contract/queryParameters.ts"
import { Authentication } from "../../http/contract/Authentication.ts"
import { DeletedResponse, dataEnvelope, pageEnvelope } from "../../http/contract/envelopes.ts"
import { pageQuery } from "../../http/contract/pageQueries.ts"
import {
  authenticatedErrors,
  BadRequest,
  resourceErrors,
  PayloadTooLarge
} from "../../http/contract/ErrorEnvelope.ts"

const idParams = { id: Schema.String }

const listQuery = {
  ...pageQuery,
  workspace_id: textParameter("Id or slug; default: the account's default workspace."),
  provider: textParameter("The slug of a provider.")
}

/** How a credential fares; times are ISO 8601. */
const CredentialStateResponse = Schema.Struct({
  ...Schema.Struct(Credential.fields).mapFields(
    ({ disabled, id, label, name, provider, sort_order }) => ({
      id,
      name,
      provider,
      label,
      disabled,
      sort_order
    })
  ).fields,
  /** The id of the host's key its secret is sealed under. */
  sealed_under: Schema.String,
  /** Why an upstream last refused it; null: never since its secret was last changed. */
  last_error: Schema.NullOr(RefusalRecord)
})

const CredentialOrderRequest = Schema.Struct({
  ids: Schema.Array(Schema.NonEmptyString).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(1_000),
    Schema.isUnique()
  )
})

export class ByokApi extends HttpApiGroup.make("byok")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/byok", {
      query: listQuery,
      success: pageEnvelope(Credential),
      error: [...authenticatedErrors, BadRequest]
    }).annotate(OpenApi.Summary, "Credentials of a workspace; their secrets are never told"),
    HttpApiEndpoint.post("create", "/api/v1/byok", {
      payload: NewCredential,
      success: dataEnvelope(Credential).annotate({ httpApiStatus: 201 }),
      error: [...authenticatedErrors, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Keeps a credential, sealed"),
    HttpApiEndpoint.get("get", "/api/v1/byok/:id", {
      params: idParams,
      success: dataEnvelope(Credential),
      error: resourceErrors
    }).annotate(OpenApi.Summary, "A credential, without its secret"),
    HttpApiEndpoint.patch("update", "/api/v1/byok/:id", {
      params: idParams,
      payload: CredentialPatch,
      success: dataEnvelope(Credential),
      error: [...resourceErrors, BadRequest, PayloadTooLarge]
    }).annotate(
      OpenApi.Summary,
      "Changes what is named, leaves the rest; `key` replaces the secret"
    ),
    HttpApiEndpoint.delete("delete", "/api/v1/byok/:id", {
      params: idParams,
      success: DeletedResponse,
      error: resourceErrors
    }).annotate(OpenApi.Summary, "Deletes a credential with its secret"),
    HttpApiEndpoint.get("listStates", "/api/v1/signalbox/byok", {
      query: listQuery,
      success: pageEnvelope(CredentialStateResponse),
      error: [...authenticatedErrors, BadRequest]
    }).annotate(OpenApi.Summary, "How credentials fare: sealed under which key, last refused when"),
    HttpApiEndpoint.put("reorder", "/api/v1/signalbox/byok/order", {
      payload: CredentialOrderRequest,
      success: dataEnvelope(CredentialOrderRequest),
      error: [...authenticatedErrors, BadRequest, PayloadTooLarge]
    }).annotate(
      OpenApi.Summary,
      "Puts credentials in front of the others of their providers, in this order"
    )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "BYOK") {}
