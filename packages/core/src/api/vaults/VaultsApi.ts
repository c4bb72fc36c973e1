/** Operations on the secrets of the key's workspace and of its interns. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Secret, SecretCopyRequest, SecretWriteRequest } from "../../domains/vaults/Secret.ts"
import {
  BodyRules,
  RequiredCaller,
  RequiresInternAccess,
  TimeLimited
} from "../contract/operationAnnotations.ts"
import { makePageQuery } from "../contract/pageQueries.ts"
import {
  authenticatedErrors,
  Authentication,
  BadRequest,
  Conflict,
  PayloadTooLarge,
  RequestTimeout,
  resourceErrors,
  ServiceUnavailable
} from "../contract/ErrorEnvelope.ts"
import { dataEnvelope } from "../contract/envelopes.ts"

const path = "/api/v1/vault/secrets"
const internPath = "/api/v1/vault/interns/:internId/secrets"
const internParams = { internId: Schema.String }
const nameParams = { name: Schema.String }

const secretQuery = makePageQuery({ default: 100, maxOffset: 10_000 })

const SecretPageResponse = Schema.Struct({
  data: Schema.Array(Secret),
  /** Whether another page follows. */
  has_more: Schema.Boolean
})

const vaultErrors = [...resourceErrors, BadRequest, RequestTimeout, ServiceUnavailable] as const

export class VaultsApi extends HttpApiGroup.make("vaults")
  .add(
    HttpApiEndpoint.get("list", path, {
      query: secretQuery,
      success: SecretPageResponse,
      error: [...authenticatedErrors, BadRequest, RequestTimeout, ServiceUnavailable]
    }).annotate(OpenApi.Summary, "List the secrets of the key's workspace, without their values."),
    HttpApiEndpoint.put("put", `${path}/:name`, {
      params: nameParams,
      payload: SecretWriteRequest,
      success: dataEnvelope(Secret),
      error: [...vaultErrors, PayloadTooLarge]
    }).annotate(
      OpenApi.Summary,
      "Create or replace a secret of the workspace. It is stored encrypted."
    ),
    HttpApiEndpoint.delete("delete", `${path}/:name`, {
      params: nameParams,
      success: HttpApiSchema.NoContent,
      error: vaultErrors
    }).annotate(OpenApi.Summary, "Delete a secret of the workspace."),
    HttpApiEndpoint.get("listForIntern", internPath, {
      params: internParams,
      query: secretQuery,
      success: SecretPageResponse,
      error: vaultErrors
    })
      .annotate(RequiresInternAccess, true)
      .annotate(OpenApi.Summary, "List the secrets of an intern, without their values."),
    HttpApiEndpoint.put("putForIntern", `${internPath}/:name`, {
      params: { ...internParams, ...nameParams },
      payload: SecretWriteRequest,
      success: dataEnvelope(Secret),
      error: [...vaultErrors, Conflict, PayloadTooLarge]
    })
      .annotate(RequiresInternAccess, true)
      .annotate(
        OpenApi.Summary,
        "Create or replace a secret of an intern. It is stored encrypted."
      ),
    HttpApiEndpoint.delete("deleteForIntern", `${internPath}/:name`, {
      params: { ...internParams, ...nameParams },
      success: HttpApiSchema.NoContent,
      error: vaultErrors
    })
      .annotate(RequiresInternAccess, true)
      .annotate(OpenApi.Summary, "Delete a secret of an intern."),
    HttpApiEndpoint.post("copyToIntern", `${internPath}/copy`, {
      params: internParams,
      payload: SecretCopyRequest,
      success: dataEnvelope(Schema.Array(Secret)),
      error: [...vaultErrors, Conflict, PayloadTooLarge]
    })
      .annotate(RequiresInternAccess, true)
      .annotate(OpenApi.Summary, "Copy secrets of the workspace to an intern, either all or none.")
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "workspace")
  .annotate(TimeLimited, "operation")
  // Room for the longest value with every character escaped, and for its hosts.
  .annotate(BodyRules, { ignoresUnknownFields: true, maxBytes: 424_999 })
  .annotate(OpenApi.Title, "Vault") {}
