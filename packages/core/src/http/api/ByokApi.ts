/** Customers' own credentials at providers. Sources: interface specification, wire. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Credential, CredentialPatch, NewCredential, Refused } from "../../byok/Credential.ts"
import { Authentication } from "./Authentication.ts"
import { Deleted, dataOf, listOf, pagingQuery } from "./envelopes.ts"
import { always, BadRequest, ofOne, PayloadTooLarge } from "./ErrorEnvelope.ts"

const id = { id: Schema.String }

const listQuery = {
  ...pagingQuery,
  workspace_id: Schema.optionalKey(
    Schema.String.annotate({ description: "Id or slug; default: the account's default workspace." })
  ),
  provider: Schema.optionalKey(Schema.String.annotate({ description: "The slug of a provider." }))
}

/** How a credential fares; times are ISO 8601. */
const State = Schema.Struct({
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
  last_error: Schema.NullOr(Refused)
})

export const Order = Schema.Struct({
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
      success: listOf(Credential),
      error: [...always, BadRequest]
    }).annotate(OpenApi.Summary, "Credentials of a workspace; their secrets are never told"),
    HttpApiEndpoint.post("create", "/api/v1/byok", {
      payload: NewCredential,
      success: dataOf(Credential).annotate({ httpApiStatus: 201 }),
      error: [...always, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Keeps a credential, sealed"),
    HttpApiEndpoint.get("get", "/api/v1/byok/:id", {
      params: id,
      success: dataOf(Credential),
      error: ofOne
    }).annotate(OpenApi.Summary, "A credential, without its secret"),
    HttpApiEndpoint.patch("update", "/api/v1/byok/:id", {
      params: id,
      payload: CredentialPatch,
      success: dataOf(Credential),
      error: [...ofOne, BadRequest, PayloadTooLarge]
    }).annotate(
      OpenApi.Summary,
      "Changes what is named, leaves the rest; `key` replaces the secret"
    ),
    HttpApiEndpoint.delete("delete", "/api/v1/byok/:id", {
      params: id,
      success: Deleted,
      error: ofOne
    }).annotate(OpenApi.Summary, "Deletes a credential with its secret"),
    HttpApiEndpoint.get("states", "/api/v1/signalbox/byok", {
      query: listQuery,
      success: listOf(State),
      error: [...always, BadRequest]
    }).annotate(OpenApi.Summary, "How credentials fare: sealed under which key, last refused when"),
    HttpApiEndpoint.put("order", "/api/v1/signalbox/byok/order", {
      payload: Order,
      success: dataOf(Order),
      error: [...always, BadRequest, PayloadTooLarge]
    }).annotate(
      OpenApi.Summary,
      "Puts credentials in front of the others of their providers, in this order"
    )
  )
  .middleware(Authentication)
  .annotate(OpenApi.Title, "BYOK") {}
