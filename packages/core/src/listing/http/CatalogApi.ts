/** The catalog's operations: models, endpoints, providers. Source: interface specification, wire. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { categories } from "../../catalog/Category.ts"
import { ModelCard } from "../../catalog/ModelCard.ts"
import { inputModalities, modelSorts, outputModalities, regions } from "../ModelQuery.ts"
import { ProviderInfo } from "../ProviderInfo.ts"
import { PublicEndpoint } from "../PublicEndpoint.ts"
import { VideoModel } from "../VideoModel.ts"
import { Authentication } from "../../http/contract/Authentication.ts"
import { dataEnvelope } from "../../http/contract/envelopes.ts"
import {
  booleanParameter,
  integerParameter,
  literalListParameter,
  literalParameter,
  rangeParameters,
  textListParameter,
  textParameter,
  trueParameter
} from "../../http/contract/queryParameters.ts"
import { authenticatedErrors, BadRequest, NotFound } from "../../http/contract/ErrorEnvelope.ts"

/** Of a request that pages without saying how much. */
export const defaultModelPageSize = 500

const modelPageQuery = {
  offset: integerParameter({
    description: "How many to leave out. Without offset and limit everything is returned."
  }),
  limit: integerParameter({
    minimum: 1,
    maximum: 1_000,
    description: `How many to return; ${defaultModelPageSize} where only an offset is given.`
  })
}

const outputModalitiesQuery = {
  output_modalities: literalListParameter(
    [...outputModalities, "all"],
    "Models that give one of them; default: text."
  )
}

const modelListQuery = {
  ...modelPageQuery,
  ...outputModalitiesQuery,
  category: literalParameter(categories, "Use case."),
  supported_parameters: textListParameter("Comma-separated names; the model takes all of them."),
  input_modalities: literalListParameter(inputModalities, "The model takes all of them."),
  sort: literalParameter(modelSorts, "Default: newest first. Models without the number come last."),
  q: textParameter("Words in the name or the slug."),
  context: integerParameter({ minimum: 1, description: "Least context length in tokens." }),
  ...rangeParameters("price", { description: "USD per million prompt tokens." }),
  ...rangeParameters("output_price", { description: "USD per million completion tokens." }),
  arch: textParameter("Model family, or tokenizer."),
  model_authors: textListParameter("Comma-separated author slugs."),
  providers: textListParameter("Comma-separated provider names or slugs."),
  distillable: booleanParameter("Whether the author allows distillation."),
  zdr: trueParameter("Only models with an endpoint of zero data retention."),
  region: literalParameter(regions, "Only models with an endpoint there."),
  ...rangeParameters("age_days", { description: "Days since creation." }),
  ...rangeParameters("intelligence_index"),
  ...rangeParameters("coding_index"),
  ...rangeParameters("agentic_index"),
  ...rangeParameters("tool_success_rate", { maximum: 1 }),
  use_rss: booleanParameter("Whether to answer with an RSS 2.0 feed."),
  use_rss_chat_links: booleanParameter("Whether items of the feed link to a chat with the model.")
}

export type ModelPageQuery = Schema.Struct.Type<typeof modelPageQuery>
export type OutputModalitiesQuery = Schema.Struct.Type<typeof outputModalitiesQuery>
export type ModelListQuery = Schema.Struct.Type<typeof modelListQuery>

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
      query: modelListQuery,
      success: ModelListResponse,
      error: [...authenticatedErrors, BadRequest]
    }).annotate(OpenApi.Summary, "Models, filtered and sorted"),
    HttpApiEndpoint.get("count", "/api/v1/models/count", {
      query: outputModalitiesQuery,
      success: dataEnvelope(Schema.Struct({ count: Schema.Int })),
      error: [...authenticatedErrors, BadRequest]
    }).annotate(OpenApi.Summary, "How many models there are"),
    HttpApiEndpoint.get("userModels", "/api/v1/models/user", {
      query: { ...modelPageQuery, ...outputModalitiesQuery },
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
