/** Operations on customers' own provider credentials (BYOK). */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  Credential,
  CredentialPatch,
  CredentialState,
  NewCredential
} from "../../tenants/byok/Credential.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import { textParameter } from "../contract/queryParameters.ts"
import {
  authenticatedErrors,
  Authentication,
  BadRequest,
  PayloadTooLarge
} from "../contract/ErrorEnvelope.ts"
import { dataEnvelope, pageEnvelope } from "../contract/envelopes.ts"
import { workspacePageQuery } from "../contract/pageQueries.ts"
import { resourceEndpoints } from "../contract/resourceEndpoints.ts"

const listQuery = {
  ...workspacePageQuery,
  provider: textParameter("Slug of a provider. Default: all providers.")
}

const CredentialOrderRequest = Schema.Struct({
  ids: Schema.Array(Schema.NonEmptyString).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(1_000),
    Schema.isUnique()
  )
})

const { create, get, list, remove, update } = resourceEndpoints({
  path: "/api/v1/byok",
  id: "id",
  item: Credential,
  query: listQuery,
  create: NewCredential,
  created: dataEnvelope(Credential),
  update: CredentialPatch,
  summaries: {
    list: "List the credentials of a workspace, without their secrets.",
    create: "Create a credential. Its secret is stored encrypted.",
    get: "Get a credential by id, without its secret.",
    update: "Update a credential. Omitted fields keep their values; `key` replaces the secret.",
    remove: "Delete a credential and its secret."
  }
})

export class ByokApi extends HttpApiGroup.make("byok")
  .add(
    list,
    create,
    get,
    update,
    remove,
    HttpApiEndpoint.get("listStates", "/api/v1/signalbox/byok", {
      query: listQuery,
      success: pageEnvelope(CredentialState),
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
