/** Operations on generations, the records of requests with tokens, cost, timing and attempts. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  literalParameter,
  rangeParameters,
  requiredTextParameter,
  textParameter,
  timeParameter
} from "../contract/queryParameters.ts"
import {
  authenticatedErrors,
  Authentication,
  BadRequest,
  InternalServerError,
  NotFound,
  PayloadTooLarge,
  resourceErrors,
  routedErrors,
  TooManyRequests,
  Unauthorized
} from "../contract/ErrorEnvelope.ts"
import { generationFigures } from "../../engine/observability/generations/GenerationFilter.ts"
import { cursorPageEnvelope, dataEnvelope } from "../contract/envelopes.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import { cursorQuery, generationCursorParameter } from "../contract/pageQueries.ts"
import { OperationName } from "../../values/OperationName.ts"
import { maxSortedDays } from "./checkSortedTime.ts"
import { tagParameter } from "./dimensionParameters.ts"
import { FeedbackCategory } from "../../domains/feedback/Feedback.ts"
import { FeedbackRequest, FeedbackResponse } from "./FeedbackResponse.ts"
import { GenerationContentData } from "./GenerationContent.ts"
import { GenerationRecordResponse, GenerationSummaryResponse } from "./GenerationRecord.ts"
import { ReplayPreview, ReplayRequest, ReplayResponse } from "./ReplayResponse.ts"

const Text = Schema.NullOr(Schema.String)
const Count = Schema.NullOr(Schema.Int)
const Amount = Schema.NullOr(Schema.Finite)

const ProviderResponse = Schema.Struct({
  endpoint_id: Schema.String,
  is_byok: Schema.Boolean,
  /** Duration of the attempt in milliseconds. */
  latency: Schema.Finite,
  provider_name: Schema.String,
  /** HTTP status of the provider; null without a response or when unknown. */
  status: Count
})

/** A field is null when the value is unknown or does not apply. */
export const GenerationResponse = Schema.Struct({
  /** For a chat: the API it came by, `chat`, `messages` or `responses`; null for other operations. */
  api: Text,
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
  /** Milliseconds of all attempts together. */
  generation_time: Amount,
  http_referer: Text,
  id: Schema.String,
  /** Whether the request ran on the account's own credential. */
  is_byok: Schema.Boolean,
  /** Milliseconds of the successful attempt; for a stream, until its first event. */
  latency: Amount,
  /** The catalog's id of the model that answered; the requested model if none did. */
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
  /** For an answer from the cache: the id of the request that it was made for. */
  response_cache_source_id: Text,
  router: Text,
  service_tier: Text,
  session_id: Text,
  streamed: Schema.NullOr(Schema.Boolean),
  tokens_completion: Count,
  tokens_prompt: Count,
  /** USD; 0 when unknown. */
  total_cost: Schema.Finite,
  upstream_id: Text,
  /** USD that the provider bills to the owner of the credential; null when unknown or without such a credential. */
  upstream_inference_cost: Amount,
  /** The provider's name of the model that answered, such as a dated snapshot; null when not reported. */
  upstream_model: Text,
  /** USD, the same as `total_cost`. */
  usage: Schema.Finite,
  user_agent: Text,
  web_search_engine: Text,
  workspace_id: Text
})

const recordsPath = "/api/v1/signalbox/generations"

export class GenerationsApi extends HttpApiGroup.make("generations")
  .add(
    HttpApiEndpoint.get("get", "/api/v1/generation", {
      query: {
        id: requiredTextParameter("Id of the generation, or the `x-request-id` of its response.")
      },
      success: dataEnvelope(GenerationResponse),
      error: [Unauthorized, TooManyRequests, InternalServerError, BadRequest, NotFound]
    }).annotate(
      OpenApi.Summary,
      "Get a generation by its id or that of its request, from the key's workspace, or with a management key, from the account."
    ),
    HttpApiEndpoint.get("getContent", "/api/v1/generation/content", {
      query: {
        id: requiredTextParameter("Id of the generation, or the `x-request-id` of its response.")
      },
      success: dataEnvelope(GenerationContentData),
      error: [...resourceErrors, BadRequest]
    }).annotate(
      OpenApi.Summary,
      "Get the prompt and the answer of a generation, where they are kept: of the caller's own requests, or with a management key, of the account."
    ),
    HttpApiEndpoint.post("submitFeedback", "/api/v1/generation/feedback", {
      payload: FeedbackRequest,
      success: dataEnvelope(Schema.Struct({ success: Schema.Literal(true) })),
      error: [...resourceErrors, BadRequest, PayloadTooLarge]
    })
      .annotate(RequiredCaller, "management")
      .annotate(
        OpenApi.Summary,
        "Say what is wrong with an answer. Once for each category; again replaces the comment."
      ),
    HttpApiEndpoint.get("listFeedback", "/api/v1/signalbox/feedback", {
      query: {
        ...cursorQuery,
        generation_id: textParameter("Id of a generation."),
        category: literalParameter(FeedbackCategory.literals, "What is wrong.")
      },
      success: cursorPageEnvelope(FeedbackResponse),
      error: [...authenticatedErrors, BadRequest]
    })
      .annotate(RequiredCaller, "management")
      .annotate(OpenApi.Summary, "List the feedback on generations of the account, newest first."),
    HttpApiEndpoint.get("list", recordsPath, {
      query: {
        from: timeParameter("Only requests that began then or later."),
        to: timeParameter("Only requests that began before."),
        workspace_id: textParameter("Id of a workspace."),
        key_hash: textParameter("Hash of an API key."),
        user: textParameter("The acting user, whom the host authenticated or the key belongs to."),
        external_user: textParameter("The `user` of the request."),
        tag: tagParameter("A tag of the caller, such as `customer:acme`."),
        session_id: textParameter("The `session_id` of the request."),
        request_id: textParameter("The `x-request-id` of the response."),
        model: textParameter("The model that answered, else the requested one."),
        provider: textParameter(
          "Name of a provider that answered or was tried, even if another one answered."
        ),
        endpoint: textParameter("Id of an endpoint that was tried, even if another one answered."),
        operation: literalParameter(OperationName.literals, "What was asked of the model."),
        preset_id: textParameter("Id of the preset that the request named."),
        outcome: textParameter("`answered`, `failed`, or the kind of an error."),
        ...rangeParameters("latency", {
          description: "Milliseconds of all attempts together, inclusive."
        }),
        ...rangeParameters("cost", { description: "USD, inclusive." }),
        ...rangeParameters("tokens", {
          description: "Tokens of the prompt and the answer together, inclusive."
        }),
        sort: literalParameter(
          generationFigures,
          `The highest first, and unknown ones last. Needs \`from\`, and a time of at most ${maxSortedDays} days. Default: the latest first.`
        ),
        starting_after: generationCursorParameter,
        limit: cursorQuery.limit
      },
      success: cursorPageEnvelope(GenerationSummaryResponse),
      error: [...authenticatedErrors, BadRequest]
    })
      .annotate(RequiredCaller, "management")
      .annotate(OpenApi.Summary, "List the generations of the account, filtered and sorted."),
    HttpApiEndpoint.get("getRecord", `${recordsPath}/:id`, {
      params: { id: Schema.String },
      success: dataEnvelope(GenerationRecordResponse),
      error: resourceErrors
    })
      .annotate(RequiredCaller, "management")
      .annotate(
        OpenApi.Summary,
        "Get the whole record of a generation: attempts, rejected and demoted endpoints, and costs."
      ),
    HttpApiEndpoint.post("previewReplay", `${recordsPath}/:id/replay/preview`, {
      params: { id: Schema.String },
      payload: ReplayRequest,
      success: dataEnvelope(ReplayPreview),
      error: [...resourceErrors, BadRequest, PayloadTooLarge]
    })
      .annotate(RequiredCaller, "management")
      .annotate(
        OpenApi.Summary,
        "Preview where a replay of a chat or a Decision would go and what it would cost, without running it."
      ),
    HttpApiEndpoint.post("replay", `${recordsPath}/:id/replay`, {
      params: { id: Schema.String },
      payload: ReplayRequest,
      success: dataEnvelope(ReplayResponse),
      error: routedErrors
    })
      .annotate(RequiredCaller, "management")
      .annotate(
        OpenApi.Summary,
        "Run a chat or a Decision again from its kept content, on its models or on others."
      )
      .annotate(
        OpenApi.Description,
        "Run a chat or a Decision again from its kept content, on its models or on others. The restrictions, content filters and limits of its workspace hold. The caller is billed as for any request, and the record of the replay names the generation in `replay_of`. Replays neither read nor write cached answers."
      )
  )
  .middleware(Authentication)
  .annotate(OpenApi.Title, "Generations") {}
