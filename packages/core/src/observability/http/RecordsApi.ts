/** What requests came to and what is left of credits. Source: wire, GenerationResponse, Credits. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { RequiredCaller } from "../../http/contract/operationAnnotations.ts"
import { requiredTextParameter } from "../../http/contract/queryParameters.ts"
import { Authentication } from "../../http/contract/Authentication.ts"
import { dataEnvelope } from "../../http/contract/envelopes.ts"
import {
  BadRequest,
  Forbidden,
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
  /** What the provider answered with; null when it did not answer, or nobody noted it. */
  status: Count
})

/** Null where nothing is known, or where there is no such thing here. */
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
  /** Whether what served ran on a credential of the account's own. */
  is_byok: Schema.Boolean,
  /** Milliseconds the attempt that served took. */
  latency: Amount,
  /** That answered; when nobody did, that was asked for. */
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
  /** USD that providers charge the owner of the credentials it ran on; null when it is not known, or ran on none. */
  upstream_inference_cost: Amount,
  /** USD, the same as `total_cost`. */
  usage: Schema.Finite,
  user_agent: Text,
  web_search_engine: Text,
  workspace_id: Text
})

const recordErrors = [Unauthorized, TooManyRequests, InternalServerError]

export class RecordsApi extends HttpApiGroup.make("records")
  .add(
    HttpApiEndpoint.get("generation", "/api/v1/generation", {
      query: { id: requiredTextParameter("The id of a generation.") },
      success: dataEnvelope(GenerationResponse),
      error: [...recordErrors, BadRequest, NotFound]
    }).annotate(
      OpenApi.Summary,
      "What a request came to: of the key's workspace, with a management key of the account"
    ),
    HttpApiEndpoint.get("credits", "/api/v1/credits", {
      success: dataEnvelope(
        Schema.Struct({
          /** USD granted; 0 for an account without limit, to which nothing was granted. */
          total_credits: Schema.Finite,
          /** USD of it that was used. */
          total_usage: Schema.Finite
        })
      ),
      error: [...recordErrors, Forbidden]
    })
      .annotate(RequiredCaller, "management")
      .annotate(OpenApi.Summary, "Credits of the account")
  )
  .middleware(Authentication)
  .annotate(OpenApi.Title, "Generations and credits") {}
