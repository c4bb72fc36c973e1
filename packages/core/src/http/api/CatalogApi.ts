/** The catalog's operations: models, endpoints, providers. Source: interface specification, wire. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { categories } from "../../catalog/Category.ts"
import { ModelCard } from "../../catalog/ModelCard.ts"
import { regions, sorts } from "../../listing/ModelQuery.ts"
import { ProviderInfo } from "../../listing/ProviderInfo.ts"
import { PublicEndpoint } from "../../listing/PublicEndpoint.ts"
import { VideoModel } from "../../listing/VideoModel.ts"
import { Authentication } from "./Authentication.ts"
import { dataOf } from "./envelopes.ts"
import { always, BadRequest, NotFound } from "./ErrorEnvelope.ts"

const text = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))
const number = (description: string) =>
  Schema.optionalKey(Schema.FiniteFromString.annotate({ description }))
const oneOf = <const L extends ReadonlyArray<string>>(values: L, description: string) =>
  Schema.optionalKey(Schema.Literals(values).annotate({ description }))

const paging = {
  offset: number(
    "How many to leave out; 0 or more. Without offset and limit everything is returned."
  ),
  limit: number("How many to return; 1 to 1000, default 500.")
}

const outputModalities = {
  output_modalities: text(
    "Comma-separated: text, image, embeddings, audio, video, rerank, decisions, speech, transcription, or all. Default text."
  )
}

/** Read by `readModelQuery`, which also takes blanks, repetitions and empty values. */
const query = {
  ...paging,
  ...outputModalities,
  category: oneOf(categories, "Use case."),
  supported_parameters: text("Comma-separated names; the model takes all of them."),
  input_modalities: text("Comma-separated: text, image, audio, file, video; the model takes all."),
  sort: oneOf(sorts, "Default: newest first. Models without the number come last."),
  q: text("Words in the name or the slug."),
  context: number("Least context length in tokens; 1 or more."),
  min_price: number("USD per million prompt tokens, 0 or more."),
  max_price: number("USD per million prompt tokens, 0 or more."),
  min_output_price: number("USD per million completion tokens, 0 or more."),
  max_output_price: number("USD per million completion tokens, 0 or more."),
  arch: text("Model family, or tokenizer."),
  model_authors: text("Comma-separated author slugs."),
  providers: text("Comma-separated provider names or slugs."),
  distillable: oneOf(["true", "false"], "Whether the author allows distillation."),
  zdr: oneOf(["true"], "Only models with an endpoint of zero data retention."),
  region: oneOf(regions, "Only models with an endpoint there."),
  min_age_days: number("Days since creation, 0 or more."),
  max_age_days: number("Days since creation, 0 or more."),
  min_intelligence_index: number("0 or more."),
  max_intelligence_index: number("0 or more."),
  min_coding_index: number("0 or more."),
  max_coding_index: number("0 or more."),
  min_agentic_index: number("0 or more."),
  max_agentic_index: number("0 or more."),
  min_tool_success_rate: number("0 to 1."),
  max_tool_success_rate: number("0 to 1."),
  use_rss: oneOf(["true"], "Answers with an RSS 2.0 feed."),
  use_rss_chat_links: oneOf(["true"], "Items of the feed link to a chat with the model.")
}

const ModelList = Schema.Struct({
  data: Schema.Array(ModelCard),
  /** On all pages. */
  total_count: Schema.Int,
  links: Schema.Struct({
    /** Path of the next page with all filters, below the host; null on the last one. */
    next: Schema.NullOr(Schema.String)
  })
})

const slug = { author: Schema.String, slug: Schema.String }

export class CatalogApi extends HttpApiGroup.make("catalog")
  .add(
    HttpApiEndpoint.get("models", "/api/v1/models", {
      query,
      success: ModelList,
      error: [...always, BadRequest]
    }).annotate(OpenApi.Summary, "Models, filtered and sorted"),
    HttpApiEndpoint.get("count", "/api/v1/models/count", {
      query: outputModalities,
      success: dataOf(Schema.Struct({ count: Schema.Int })),
      error: [...always, BadRequest]
    }).annotate(OpenApi.Summary, "How many models there are"),
    HttpApiEndpoint.get("userModels", "/api/v1/models/user", {
      query: { ...paging, ...outputModalities },
      success: ModelList,
      error: [...always, BadRequest]
    }).annotate(OpenApi.Summary, "The models the caller may use"),
    HttpApiEndpoint.get("model", "/api/v1/model/:author/:slug", {
      params: slug,
      success: dataOf(ModelCard),
      error: [...always, NotFound]
    }).annotate(OpenApi.Summary, "One model, by slug, canonical slug or alias"),
    HttpApiEndpoint.get("endpoints", "/api/v1/models/:author/:slug/endpoints", {
      params: slug,
      success: dataOf(
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
      error: [...always, NotFound]
    }).annotate(OpenApi.Summary, "Who serves a model: prices, limits, percentiles, uptime, status"),
    HttpApiEndpoint.get("zdrEndpoints", "/api/v1/endpoints/zdr", {
      success: dataOf(Schema.Array(PublicEndpoint)),
      error: always
    }).annotate(OpenApi.Summary, "Endpoints with zero data retention"),
    HttpApiEndpoint.get("providers", "/api/v1/providers", {
      success: dataOf(Schema.Array(ProviderInfo)),
      error: always
    }).annotate(OpenApi.Summary, "Providers"),
    HttpApiEndpoint.get("videoModels", "/api/v1/videos/models", {
      success: dataOf(Schema.Array(VideoModel)),
      error: always
    }).annotate(OpenApi.Summary, "Video models and what they can do")
  )
  .middleware(Authentication)
  .annotate(OpenApi.Title, "Catalog") {}
