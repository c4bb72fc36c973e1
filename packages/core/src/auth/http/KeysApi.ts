/** API keys: those of the account, and the caller's own. Sources: wire facts 5, wire. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { ApiKey, KeyPatch, KeyRateLimit, NewKey } from "../keys/ApiKey.ts"
import { Authentication } from "../../http/contract/Authentication.ts"
import { dataEnvelope, DeletedResponse, pageEnvelope } from "../../http/contract/envelopes.ts"
import { BodyRules, NoStore, RequiredCaller } from "../../http/contract/operationAnnotations.ts"
import { makePageQuery } from "../../http/contract/pageQueries.ts"
import { booleanParameter, textParameter } from "../../http/contract/queryParameters.ts"
import {
  authenticatedErrors,
  BadRequest,
  InternalServerError,
  resourceErrors,
  PayloadTooLarge,
  TooManyRequests,
  Unauthorized
} from "../../http/contract/ErrorEnvelope.ts"

/** In USD; days, weeks from Monday and months in UTC. */
const spendingFields = {
  limit: ApiKey.fields.limit,
  /** Never below 0; null without a limit. */
  limit_remaining: Schema.NullOr(Schema.Finite),
  limit_reset: ApiKey.fields.limit_reset,
  include_byok_in_limit: Schema.Boolean,
  usage: Schema.Finite,
  usage_daily: Schema.Finite,
  usage_weekly: Schema.Finite,
  usage_monthly: Schema.Finite,
  byok_usage: Schema.Finite,
  byok_usage_daily: Schema.Finite,
  byok_usage_weekly: Schema.Finite,
  byok_usage_monthly: Schema.Finite
}

export const KeyResponse = Schema.Struct({
  hash: ApiKey.fields.hash,
  name: Schema.String,
  label: Schema.String,
  workspace_id: Schema.String,
  disabled: Schema.Boolean,
  ...spendingFields,
  created_at: Schema.String,
  updated_at: ApiKey.fields.updated_at,
  expires_at: ApiKey.fields.expires_at,
  creator_user_id: ApiKey.fields.creator_user_id,
  external_user: ApiKey.fields.external_user,
  /** Ours, beside what the host allows; null: that alone. */
  rate_limit: ApiKey.fields.rate_limit
})

export const CurrentKeyResponse = Schema.Struct({
  label: Schema.String,
  ...spendingFields,
  expires_at: ApiKey.fields.expires_at,
  workspace_id: Schema.NullOr(Schema.String),
  organization_id: Schema.NullOr(Schema.String),
  creator_user_id: ApiKey.fields.creator_user_id,
  is_management_key: Schema.Boolean,
  /** What management keys used to be called. */
  is_provisioning_key: Schema.Boolean,
  /** There is no free tier here. */
  is_free_tier: Schema.Literal(false),
  free_model_daily_requests: Schema.Struct({
    limit: Schema.Int,
    remaining: Schema.Int,
    used: Schema.Int
  }),
  allowed_data_regions: Schema.Array(Schema.String),
  /** `requests` per `interval`, such as `60s`; -1: no limit. */
  rate_limit: Schema.Struct({
    requests: Schema.Int,
    interval: Schema.String,
    note: Schema.String
  })
})

/** The secret is told here and nowhere else. */
const IssuedKeyResponse = Schema.Struct({ data: KeyResponse, key: Schema.String })

const RotateKeyRequest = Schema.Struct({
  /** How much longer the secret there was opens the key; default: no longer. */
  grace_seconds: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 86_400 }))
  )
})

const KeyRateLimitRequest = Schema.Struct({ rate_limit: Schema.NullOr(KeyRateLimit) })

const hashParams = { hash: Schema.String }

export class KeysApi extends HttpApiGroup.make("keys")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/keys", {
      query: {
        include_disabled: booleanParameter("Default: false."),
        workspace_id: textParameter("Id or slug; default: all workspaces."),
        // The reference client asks for one page and cannot ask for more.
        ...makePageQuery({ default: 100 })
      },
      success: pageEnvelope(KeyResponse),
      error: [...authenticatedErrors, BadRequest]
    }).annotate(OpenApi.Summary, "API keys of the account"),
    HttpApiEndpoint.post("create", "/api/v1/keys", {
      payload: NewKey,
      success: IssuedKeyResponse.annotate({ httpApiStatus: 201 }),
      error: [...authenticatedErrors, BadRequest, PayloadTooLarge]
    })
      .annotate(NoStore, true)
      .annotate(OpenApi.Summary, "Makes an API key; its secret is told once"),
    HttpApiEndpoint.get("get", "/api/v1/keys/:hash", {
      params: hashParams,
      success: dataEnvelope(KeyResponse),
      error: resourceErrors
    }).annotate(OpenApi.Summary, "An API key"),
    HttpApiEndpoint.patch("update", "/api/v1/keys/:hash", {
      params: hashParams,
      payload: KeyPatch,
      success: dataEnvelope(KeyResponse),
      error: [...resourceErrors, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Changes what is named, leaves the rest"),
    HttpApiEndpoint.delete("delete", "/api/v1/keys/:hash", {
      params: hashParams,
      success: DeletedResponse,
      error: resourceErrors
    }).annotate(OpenApi.Summary, "Deletes an API key; it opens nothing from then on"),
    HttpApiEndpoint.get("getCurrent", "/api/v1/key", {
      success: dataEnvelope(CurrentKeyResponse),
      error: [Unauthorized, TooManyRequests, InternalServerError]
    })
      .annotate(RequiredCaller, "any")
      .annotate(OpenApi.Summary, "The key the caller calls with"),
    HttpApiEndpoint.post("rotate", "/api/v1/signalbox/keys/:hash/rotate", {
      params: hashParams,
      payload: RotateKeyRequest,
      success: IssuedKeyResponse,
      error: [...resourceErrors, BadRequest, PayloadTooLarge]
    })
      .annotate(BodyRules, { whenEmpty: "{}" })
      .annotate(NoStore, true)
      .annotate(OpenApi.Summary, "Gives a key another secret, told once"),
    HttpApiEndpoint.put("setRateLimit", "/api/v1/signalbox/keys/:hash/rate-limit", {
      params: hashParams,
      payload: KeyRateLimitRequest,
      success: dataEnvelope(KeyResponse),
      error: [...resourceErrors, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, "Gives a key a rate limit of its own, or takes it away")
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "API keys") {}
