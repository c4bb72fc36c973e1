/** Operations on the API keys of the account, and on the key of the request. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Tags } from "../../values/Tags.ts"
import { ApiKey, KeyLimits, KeyPatch, NewKey } from "../../tenants/auth/keys/ApiKey.ts"
import {
  Authentication,
  BadRequest,
  InternalServerError,
  PayloadTooLarge,
  resourceErrors,
  TooManyRequests,
  Unauthorized
} from "../contract/ErrorEnvelope.ts"
import { dataEnvelope } from "../contract/envelopes.ts"
import { BodyRules, NoStore, RequiredCaller } from "../contract/operationAnnotations.ts"
import { makePageQuery } from "../contract/pageQueries.ts"
import { resourceEndpoints } from "../contract/resourceEndpoints.ts"
import { booleanParameter, literalParameter, textParameter } from "../contract/queryParameters.ts"

/** Amounts are in USD. Days, weeks and months begin as the settings say: by default in UTC, on Monday, on the first. */
const spendingFields = {
  limit: ApiKey.fields.limit,
  /** USD, at least 0; null without a limit. */
  limit_remaining: Schema.NullOr(Schema.Finite),
  limit_reset: ApiKey.fields.limit_reset,
  include_byok_in_limit: Schema.Boolean,
  soft_limit: ApiKey.fields.soft_limit,
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
  /** Tags of its requests. */
  tags: Tags,
  /** The key's own rate limit, in addition to `settings.rateLimit`; null when it has none. */
  rate_limit: ApiKey.fields.rate_limit,
  /** The same for tokens and for parallel requests. */
  token_rate_limit: KeyLimits.fields.token_rate_limit,
  max_parallel_requests: KeyLimits.fields.max_parallel_requests
})

export const CurrentKeyResponse = Schema.Struct({
  label: Schema.String,
  ...spendingFields,
  expires_at: ApiKey.fields.expires_at,
  workspace_id: Schema.NullOr(Schema.String),
  organization_id: Schema.NullOr(Schema.String),
  creator_user_id: ApiKey.fields.creator_user_id,
  is_management_key: Schema.Boolean,
  /** Deprecated; the same as `is_management_key`. */
  is_provisioning_key: Schema.Boolean,
  /** Always false: Signalbox has no free tier. */
  is_free_tier: Schema.Literal(false),
  free_model_daily_requests: Schema.Struct({
    limit: Schema.Int,
    remaining: Schema.Int,
    used: Schema.Int
  }),
  allowed_data_regions: Schema.Array(Schema.String),
  /** `requests` per `interval`, such as `60s`; -1 means unlimited. */
  rate_limit: Schema.Struct({
    requests: Schema.Int,
    interval: Schema.String,
    note: Schema.String
  })
})

/** `key` is the secret; no other response contains it. */
const IssuedKeyResponse = Schema.Struct({ data: KeyResponse, key: Schema.String })

const RotateKeyRequest = Schema.Struct({
  /** Seconds for which the previous secret stays valid; default 0. */
  grace_seconds: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 86_400 }))
  )
})

const KeyRateLimitRequest = KeyLimits.mapFields(Struct.map(Schema.optionalKey)).check(
  Schema.makeFilter(
    (limits) =>
      Object.keys(limits).length > 0 ||
      "must say rate_limit, token_rate_limit or max_parallel_requests"
  )
)

const keySorts = ["oldest", "newest"] as const

const hashParams = { hash: Schema.String }

const { create, get, list, remove, update } = resourceEndpoints({
  path: "/api/v1/keys",
  id: "hash",
  item: KeyResponse,
  query: {
    include_disabled: booleanParameter("Whether to include disabled keys. Default: false."),
    workspace_id: textParameter("Id or slug of a workspace. Default: all workspaces."),
    sort: literalParameter(keySorts, "Which are listed first. Default: `oldest`."),
    // OpenRouter's client reads a single page of keys and sends no limit.
    ...makePageQuery({ default: 100 })
  },
  create: NewKey,
  created: IssuedKeyResponse,
  update: KeyPatch,
  summaries: {
    list: "List the API keys of the account.",
    create: "Create an API key. The secret is returned once.",
    get: "Get an API key by hash.",
    update: "Update an API key. Omitted fields keep their values.",
    remove: "Delete an API key. Requests with it fail from then on."
  }
})

export class KeysApi extends HttpApiGroup.make("keys")
  .add(
    list,
    create.annotate(NoStore, true),
    get,
    update,
    remove,
    HttpApiEndpoint.get("getCurrent", "/api/v1/key", {
      success: dataEnvelope(CurrentKeyResponse),
      error: [Unauthorized, TooManyRequests, InternalServerError]
    })
      .annotate(RequiredCaller, "any")
      .annotate(OpenApi.Summary, "Get the API key that authenticates the request."),
    HttpApiEndpoint.post("rotate", "/api/v1/signalbox/keys/:hash/rotate", {
      params: hashParams,
      payload: RotateKeyRequest,
      success: IssuedKeyResponse,
      error: [...resourceErrors, BadRequest, PayloadTooLarge]
    })
      .annotate(BodyRules, { whenEmpty: "{}" })
      .annotate(NoStore, true)
      .annotate(
        OpenApi.Summary,
        "Rotate the secret of an API key. The new secret is returned once."
      ),
    HttpApiEndpoint.put("setRateLimit", "/api/v1/signalbox/keys/:hash/rate-limit", {
      params: hashParams,
      payload: KeyRateLimitRequest,
      success: dataEnvelope(KeyResponse),
      error: [...resourceErrors, BadRequest, PayloadTooLarge]
    }).annotate(
      OpenApi.Summary,
      "Set or remove the limits of requests, tokens and parallel requests of an API key. Omitted fields keep their values; null removes a limit."
    )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "API keys") {}
