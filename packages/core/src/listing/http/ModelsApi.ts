/** The models of the catalog: lists, filters and cards. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { categories } from "../../catalog/model/Category.ts"
import { ModelCard } from "../../catalog/model/ModelCard.ts"
import { inputModalities, modelSorts, outputModalities, regions } from "../ModelQuery.ts"
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

export const modelParams = { author: Schema.String, slug: Schema.String }

export class ModelsApi extends HttpApiGroup.make("models")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/models", {
      query: modelListQuery,
      success: ModelListResponse,
      error: [...authenticatedErrors, BadRequest]
    }).annotate(OpenApi.Summary, "Models, filtered and sorted"),
    HttpApiEndpoint.get("count", "/api/v1/models/count", {
      query: outputModalitiesQuery,
      success: dataEnvelope(Schema.Struct({ count: Schema.Int })),
      error: [...authenticatedErrors, BadRequest]
    }).annotate(OpenApi.Summary, "How many models there are"),
    HttpApiEndpoint.get("listAccessible", "/api/v1/models/user", {
      query: { ...modelPageQuery, ...outputModalitiesQuery },
      success: ModelListResponse,
      error: [...authenticatedErrors, BadRequest]
    }).annotate(OpenApi.Summary, "The models the caller may use"),
    HttpApiEndpoint.get("get", "/api/v1/model/:author/:slug", {
      params: modelParams,
      success: dataEnvelope(ModelCard),
      error: [...authenticatedErrors, NotFound]
    }).annotate(OpenApi.Summary, "One model, by slug, canonical slug or alias")
  )
  .middleware(Authentication)
  .annotate(OpenApi.Title, "Models") {}
