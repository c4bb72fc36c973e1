/** The record of one request: tokens, cost, timing and attempts. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { requiredTextParameter } from "../../http/contract/queryParameters.ts"
import { Authentication } from "../../http/contract/Authentication.ts"
import { dataEnvelope } from "../../http/contract/envelopes.ts"
import {
  BadRequest,
  InternalServerError,
  NotFound,
  TooManyRequests,
  Unauthorized
} from "../../http/contract/ErrorEnvelope.ts"

const Text = Schema.NullOr(Schema.String)
const Count = Schema.NullOr(Schema.Int)
const Amount = Schema.NullOr(Schema.Finite)

const ProviderResponse = Schema.Struct({
  endpoint_id: Schema.String,
  is_byok: Schema.Boolean,
  /** Milliseconds. */
  latency: Schema.Finite,
  provider_name: Schema.String,
  /** HTTP status of the provider; null when it did not answer, or the status is not known. */
  status: Count
})

/** A value is null when it is not known or does not apply. */
export const GenerationResponse = Schema.Struct({
  api_type: Text,
  app_id: Count,
  cache_discount: Amount,
  cancelled: Schema.NullOr(Schema.Boolean),
  /** ISO 8601. */
  created_at: Schema.String,
  data_region: Schema.String,
  /** The `user` of the request. */
  external_user: Text,
  finish_reason: Text,
  /** Milliseconds, all attempts together. */
  generation_time: Amount,
  http_referer: Text,
  id: Schema.String,
  /** Whether it ran on a credential of the account. */
  is_byok: Schema.Boolean,
  /** Milliseconds of the attempt that answered. */
  latency: Amount,
  /** The model that answered; when none did, the requested one. */
  model: Schema.String,
  moderation_latency: Amount,
  native_finish_reason: Text,
  native_tokens_cached: Count,
  native_tokens_completion: Count,
  native_tokens_completion_images: Count,
  native_tokens_prompt: Count,
  native_tokens_reasoning: Count,
  num_fetches: Count,
  num_input_audio_prompt: Count,
  num_media_completion: Count,
  num_media_prompt: Count,
  num_search_results: Count,
  origin: Schema.String,
  preset_id: Text,
  provider_name: Text,
  /** Every attempt, in order. */
  provider_responses: Schema.NullOr(Schema.Array(ProviderResponse)),
  router: Text,
  service_tier: Text,
  session_id: Text,
  streamed: Schema.NullOr(Schema.Boolean),
  tokens_completion: Count,
  tokens_prompt: Count,
  /** USD; 0 also when it is not known. */
  total_cost: Schema.Finite,
  upstream_id: Text,
  /** USD that the provider charges the owner of the credential; null when it is not known, or no credential was used. */
  upstream_inference_cost: Amount,
  /** USD, the same as `total_cost`. */
  usage: Schema.Finite,
  user_agent: Text,
  web_search_engine: Text,
  workspace_id: Text
})

export class GenerationsApi extends HttpApiGroup.make("generations")
  .add(
    HttpApiEndpoint.get("get", "/api/v1/generation", {
      query: { id: requiredTextParameter("The id of a generation.") },
      success: dataEnvelope(GenerationResponse),
      error: [Unauthorized, TooManyRequests, InternalServerError, BadRequest, NotFound]
    }).annotate(
      OpenApi.Summary,
      "The record of a request in the key's workspace; a management key reads those of its account"
    )
  )
  .middleware(Authentication)
  .annotate(OpenApi.Title, "Generations") {}
