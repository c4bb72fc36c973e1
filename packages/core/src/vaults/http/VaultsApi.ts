/** Vaults: secrets of the key's workspace and of its interns. Source: wire, tag Vault. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Secret } from "../Secret.ts"
import { SecretCopyRequest, SecretWriteRequest } from "../SecretWriteRequest.ts"
import {
  BodyRules,
  RequiredCaller,
  RequiresInternAccess,
  TimeLimited
} from "../../http/contract/operationAnnotations.ts"
import { makePageQuery } from "../../http/contract/pageQueries.ts"
import { Authentication } from "../../http/contract/Authentication.ts"
import { dataEnvelope } from "../../http/contract/envelopes.ts"
import {
  authenticatedErrors,
  BadRequest,
  Conflict,
  resourceErrors,
  PayloadTooLarge,
  RequestTimeout,
  ServiceUnavailable
} from "../../http/contract/ErrorEnvelope.ts"

const path = "/api/v1/vault/secrets"
const internPath = "/api/v1/vault/interns/:internId/secrets"
const internParams = { internId: Schema.String }
const nameParams = { name: Schema.String }

const secretQuery = makePageQuery({ default: 100, maxOffset: 10_000 })

const SecretPageResponse = Schema.Struct({
  data: Schema.Array(Secret),
  /** Whether there are more behind these. */
  has_more: Schema.Boolean
})

const vaultErrors = [...resourceErrors, BadRequest, RequestTimeout, ServiceUnavailable] as const

export class VaultsApi extends HttpApiGroup.make("vaults")
  .add(
    HttpApiEndpoint.get("list", path, {
      query: secretQuery,
      success: SecretPageResponse,
      error: [...authenticatedErrors, BadRequest, RequestTimeout, ServiceUnavailable]
    }).annotate(OpenApi.Summary, "Secrets of the key's workspace; their values are never told"),
    HttpApiEndpoint.put("put", `${path}/:name`, {
      params: nameParams,
      payload: SecretWriteRequest,
      success: dataEnvelope(Secret),
      error: [...vaultErrors, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Creates or replaces a secret of the workspace, sealed"),
    HttpApiEndpoint.delete("delete", `${path}/:name`, {
      params: nameParams,
      success: HttpApiSchema.NoContent,
      error: vaultErrors
    }).annotate(OpenApi.Summary, "Deletes a secret of the workspace"),
    HttpApiEndpoint.get("listForIntern", internPath, {
      params: internParams,
      query: secretQuery,
      success: SecretPageResponse,
      error: vaultErrors
    })
      .annotate(RequiresInternAccess, true)
      .annotate(OpenApi.Summary, "Secrets of an intern; their values are never told"),
    HttpApiEndpoint.put("putForIntern", `${internPath}/:name`, {
      params: { ...internParams, ...nameParams },
      payload: SecretWriteRequest,
      success: dataEnvelope(Secret),
      error: [...vaultErrors, Conflict, PayloadTooLarge]
    })
      .annotate(RequiresInternAccess, true)
      .annotate(OpenApi.Summary, "Creates or replaces a secret of an intern, sealed"),
    HttpApiEndpoint.delete("deleteForIntern", `${internPath}/:name`, {
      params: { ...internParams, ...nameParams },
      success: HttpApiSchema.NoContent,
      error: vaultErrors
    })
      .annotate(RequiresInternAccess, true)
      .annotate(OpenApi.Summary, "Deletes a secret of an intern"),
    HttpApiEndpoint.post("copyToIntern", `${internPath}/copy`, {
      params: internParams,
      payload: SecretCopyRequest,
      success: dataEnvelope(Schema.Array(Secret)),
      error: [...vaultErrors, Conflict, PayloadTooLarge]
    })
      .annotate(RequiresInternAccess, true)
      .annotate(OpenApi.Summary, "Copies secrets of the workspace to an intern: all, or none")
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "workspace")
  .annotate(TimeLimited, "operation")
  // The longest value with each character escaped, and its hosts.
  .annotate(BodyRules, { maxBytes: 424_999 })
  .annotate(OpenApi.Title, "Vault") {}
