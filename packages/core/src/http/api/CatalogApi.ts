/** The catalog's operations: models, endpoints, providers. Source: interface specification, wire. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { categories } from "../../catalog/Category.ts"
import { ModelCard } from "../../catalog/ModelCard.ts"
import { regions, modelSorts } from "../../listing/ModelQuery.ts"
import { ProviderInfo } from "../../listing/ProviderInfo.ts"
import { PublicEndpoint } from "../../listing/PublicEndpoint.ts"
import { VideoModel } from "../../listing/VideoModel.ts"
import { Authentication } from "./Authentication.ts"
import { dataEnvelope } from "./envelopes.ts"
import { authenticatedErrors, BadRequest, NotFound } from "./ErrorEnvelope.ts"

const textParameter = (description: string) =>
  Schema.optionalKey(Schema.String.annotate({ description }))
const numberParameter = (description: string) =>
  Schema.optionalKey(Schema.FiniteFromString.annotate({ description }))
const literalParameter = <const L extends ReadonlyArray<string>>(values: L, description: string) =>
  Schema.optionalKey(Schema.Literals(values).annotate({ description }))

const modelPageQuery = {
  offset: numberParameter(
    "How many to leave out; 0 or more. Without offset and limit everything is returned."
  ),
  limit: numberParameter("How many to return; 1 to 1000, default 500.")
}

const outputModalities = {
  output_modalities: textParameter(
    "Comma-separated: text, image, embeddings, audio, video, rerank, decisions, speech, transcription, or all. Default text."
  )
}

/** Read by `readModelQuery`, which also takes blanks, repetitions and empty values. */
const modelQuery = {
  ...modelPageQuery,
  ...outputModalities,
  category: literalParameter(categories, "Use case."),
  supported_parameters: textParameter("Comma-separated names; the model takes all of them."),
  input_modalities: textParameter(
    "Comma-separated: text, image, audio, file, video; the model takes all."
  ),
  sort: literalParameter(modelSorts, "Default: newest first. Models without the number come last."),
  q: textParameter("Words in the name or the slug."),
  context: numberParameter("Least context length in tokens; 1 or more."),
  min_price: numberParameter("USD per million prompt tokens, 0 or more."),
  max_price: numberParameter("USD per million prompt tokens, 0 or more."),
  min_output_price: numberParameter("USD per million completion tokens, 0 or more."),
  max_output_price: numberParameter("USD per million completion tokens, 0 or more."),
  arch: textParameter("Model family, or tokenizer."),
  model_authors: textParameter("Comma-separated author slugs."),
  providers: textParameter("Comma-separated provider names or slugs."),
  distillable: literalParameter(["true", "false"], "Whether the author allows distillation."),
  zdr: literalParameter(["true"], "Only models with an endpoint of zero data retention."),
  region: literalParameter(regions, "Only models with an endpoint there."),
  min_age_days: numberParameter("Days since creation, 0 or more."),
  max_age_days: numberParameter("Days since creation, 0 or more."),
  min_intelligence_index: numberParameter("0 or more."),
  max_intelligence_index: numberParameter("0 or more."),
  min_coding_index: numberParameter("0 or more."),
  max_coding_index: numberParameter("0 or more."),
  min_agentic_index: numberParameter("0 or more."),
  max_agentic_index: numberParameter("0 or more."),
  min_tool_success_rate: numberParameter("0 to 1."),
  max_tool_success_rate: numberParameter("0 to 1."),
  use_rss: literalParameter(["true"], "Answers with an RSS 2.0 feed."),
  use_rss_chat_links: literalParameter(["true"], "Items of the feed link to a chat with the model.")
}

const ModelListResponse = Schema.Struct({
  data: Schema.Array(ModelCard),
  /** On all pages. */
  total_count: Schema.Int,
  links: Schema.Struct({
    /** Path of the next page with all filters, below the host; null on the last one. */
    next: Schema.NullOr(Schema.String)
  })
})

const modelParams = { author: Schema.String, slug: Schema.String }

export class CatalogApi extends HttpApiGroup.make("catalog")
  .add(
    HttpApiEndpoint.get("models", "/api/v1/models", {
      query: modelQuery,
      success: ModelListResponse,
      error: [...authenticatedErrors, BadRequest]
    }).annotate(OpenApi.Summary, "Models, filtered and sorted"),
    HttpApiEndpoint.get("count", "/api/v1/models/count", {
      query: outputModalities,
      success: dataEnvelope(Schema.Struct({ count: Schema.Int })),
      error: [...authenticatedErrors, BadRequest]
    }).annotate(OpenApi.Summary, "How many models there are"),
    HttpApiEndpoint.get("userModels", "/api/v1/models/user", {
      query: { ...modelPageQuery, ...outputModalities },
      success: ModelListResponse,
      error: [...authenticatedErrors, BadRequest]
    }).annotate(OpenApi.Summary, "The models the caller may use"),
    HttpApiEndpoint.get("model", "/api/v1/model/:author/:slug", {
      params: modelParams,
      success: dataEnvelope(ModelCard),
      error: [...authenticatedErrors, NotFound]
    }).annotate(OpenApi.Summary, "One model, by slug, canonical slug or alias"),
    HttpApiEndpoint.get("endpoints", "/api/v1/models/:author/:slug/endpoints", {
      params: modelParams,
      success: dataEnvelope(
        Schema.Struct({
          id: Schema.String,
          name: Schema.String,
          created: Schema.Int,
          description: Schema.String,
          architecture: Schema.Struct({
            ...ModelCard.fields.architecture.fields,
            tokenizer: Schema.NullOr(Schema.String)
          }),
          endpoints: Schema.Array(PublicEndpoint)
        })
      ),
      error: [...authenticatedErrors, NotFound]
    }).annotate(OpenApi.Summary, "Who serves a model: prices, limits, percentiles, uptime, status"),
    HttpApiEndpoint.get("zdrEndpoints", "/api/v1/endpoints/zdr", {
      success: dataEnvelope(Schema.Array(PublicEndpoint)),
      error: authenticatedErrors
    }).annotate(OpenApi.Summary, "Endpoints with zero data retention"),
    HttpApiEndpoint.get("providers", "/api/v1/providers", {
      success: dataEnvelope(Schema.Array(ProviderInfo)),
      error: authenticatedErrors
    }).annotate(OpenApi.Summary, "Providers"),
    HttpApiEndpoint.get("videoModels", "/api/v1/videos/models", {
      success: dataEnvelope(Schema.Array(VideoModel)),
      error: authenticatedErrors
    }).annotate(OpenApi.Summary, "Video models and what they can do")
  )
  .middleware(Authentication)
  .annotate(OpenApi.Title, "Catalog") {}
