/** Operations on customers' own provider credentials (BYOK). */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  Credential,
  CredentialPatch,
  NewCredential,
  RefusalRecord
} from "../../tenants/byok/Credential.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import { textParameter } from "../contract/queryParameters.ts"
import { Authentication } from "../contract/Authentication.ts"
import { DeletedResponse, dataEnvelope, pageEnvelope } from "../contract/envelopes.ts"
import { pageQuery } from "../contract/pageQueries.ts"
import {
  authenticatedErrors,
  BadRequest,
  resourceErrors,
  PayloadTooLarge
} from "../contract/ErrorEnvelope.ts"

const idParams = { id: Schema.String }

const listQuery = {
  ...pageQuery,
  workspace_id: textParameter(
    "Id or slug of a workspace. Default: the account's default workspace."
  ),
  provider: textParameter("Slug of a provider. Default: all providers.")
}

/** Sealing and last rejection of a credential. Times are ISO 8601. */
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
  /** Id of the host's sealing key. */
  sealed_under: Schema.String,
  /** Last rejection by an upstream; null if there was none since the secret last changed. */
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
    }).annotate(OpenApi.Summary, "List the credentials of a workspace, without their secrets."),
    HttpApiEndpoint.post("create", "/api/v1/byok", {
      payload: NewCredential,
      success: dataEnvelope(Credential).annotate({ httpApiStatus: 201 }),
      error: [...authenticatedErrors, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Create a credential. Its secret is stored encrypted."),
    HttpApiEndpoint.get("get", "/api/v1/byok/:id", {
      params: idParams,
      success: dataEnvelope(Credential),
      error: resourceErrors
    }).annotate(OpenApi.Summary, "Get a credential by id, without its secret."),
    HttpApiEndpoint.patch("update", "/api/v1/byok/:id", {
      params: idParams,
      payload: CredentialPatch,
      success: dataEnvelope(Credential),
      error: [...resourceErrors, BadRequest, PayloadTooLarge]
    }).annotate(
      OpenApi.Summary,
      "Update a credential. Omitted fields keep their values; `key` replaces the secret."
    ),
    HttpApiEndpoint.delete("delete", "/api/v1/byok/:id", {
      params: idParams,
      success: DeletedResponse,
      error: resourceErrors
    }).annotate(OpenApi.Summary, "Delete a credential and its secret."),
    HttpApiEndpoint.get("listStates", "/api/v1/signalbox/byok", {
      query: listQuery,
      success: pageEnvelope(CredentialStateResponse),
      error: [...authenticatedErrors, BadRequest]
    }).annotate(OpenApi.Summary, "List the sealing key and last rejection of each credential."),
    HttpApiEndpoint.put("reorder", "/api/v1/signalbox/byok/order", {
      payload: CredentialOrderRequest,
      success: dataEnvelope(CredentialOrderRequest),
      error: [...authenticatedErrors, BadRequest, PayloadTooLarge]
    }).annotate(
      OpenApi.Summary,
      "Reorder credentials. The listed ones come first among those of their provider."
    )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "BYOK") {}
