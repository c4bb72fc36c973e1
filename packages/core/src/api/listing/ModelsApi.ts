/** Operations on the models of the catalog. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { categories } from "../../engine/catalog/model/Category.ts"
import { ModelCard } from "../../engine/catalog/model/ModelCard.ts"
import {
  inputModalities,
  modelSorts,
  outputModalities,
  regions
} from "../../domains/listing/ModelQuery.ts"
import {
  authenticatedErrors,
  Authentication,
  BadRequest,
  Conflict,
  InternalServerError,
  NotFound,
  RequestTimeout,
  TooManyRequests,
  UnsupportedMediaType
} from "../contract/ErrorEnvelope.ts"
import { dataEnvelope } from "../contract/envelopes.ts"
import {
  booleanParameter,
  integerParameter,
  literalListParameter,
  literalParameter,
  rangeParameters,
  textListParameter,
  textParameter,
  trueParameter
} from "../contract/queryParameters.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"

/** Page size of a request with `offset` but without `limit`. */
export const defaultModelPageSize = 500

const modelPageQuery = {
  offset: integerParameter({
    description: "Number of models to skip. Without `offset` and `limit`, all models are returned."
  }),
  limit: integerParameter({
    minimum: 1,
    maximum: 1_000,
    description: `Number of models to return. Default: ${defaultModelPageSize} with an offset.`
  })
}

const outputModalitiesQuery = {
  output_modalities: literalListParameter(
    [...outputModalities, "all"],
    "Comma-separated output modalities. A model matches if it has one of them. Default: text."
  )
}

const modelListQuery = {
  ...modelPageQuery,
  ...outputModalitiesQuery,
  category: literalParameter(categories, "Use case of the model."),
  supported_parameters: textListParameter(
    "Comma-separated parameter names. A model matches if it supports all of them."
  ),
  input_modalities: literalListParameter(
    inputModalities,
    "Comma-separated input modalities. A model matches if it has all of them."
  ),
  sort: literalParameter(
    modelSorts,
    "Sort order. Models without the value come last. Default: newest first."
  ),
  q: textParameter("Words that the name or slug must contain, in any order."),
  context: integerParameter({ minimum: 1, description: "Minimum context length in tokens." }),
  ...rangeParameters("price", { description: "USD per million prompt tokens." }),
  ...rangeParameters("output_price", { description: "USD per million completion tokens." }),
  arch: textParameter("Model family or tokenizer."),
  model_authors: textListParameter("Comma-separated author slugs."),
  providers: textListParameter("Comma-separated provider names or slugs."),
  distillable: booleanParameter("Filter by whether the author allows distillation."),
  zdr: trueParameter("Only models that have an endpoint with zero data retention."),
  region: literalParameter(regions, "Only models that have an endpoint in this region."),
  ...rangeParameters("age_days", { description: "Days since creation." }),
  ...rangeParameters("intelligence_index", {
    description: "Artificial Analysis intelligence index."
  }),
  ...rangeParameters("coding_index", {
    description: "Artificial Analysis coding index."
  }),
  ...rangeParameters("agentic_index", {
    description: "Artificial Analysis agentic index."
  }),
  ...rangeParameters("tool_success_rate", {
    maximum: 1,
    description: "Share of successful tool calls, from 0 to 1."
  }),
  use_rss: booleanParameter("Whether to return an RSS 2.0 feed. Default: false."),
  use_rss_chat_links: booleanParameter(
    "Whether feed items link to a chat with the model. Default: false."
  )
}

export type ModelPageQuery = Schema.Struct.Type<typeof modelPageQuery>
export type OutputModalitiesQuery = Schema.Struct.Type<typeof outputModalitiesQuery>
export type ModelListQuery = Schema.Struct.Type<typeof modelListQuery>

const ModelListResponse = Schema.Struct({
  data: Schema.Array(ModelCard),
  /** Models on all pages. */
  total_count: Schema.Int,
  links: Schema.Struct({
    /** Path of the next page, with all filters; null on the last page. */
    next: Schema.NullOr(Schema.String)
  })
})

export const modelParams = { author: Schema.String, slug: Schema.String }

/** Public, as the catalog of embedding models is at OpenRouter. */
const listEmbeddingModels = HttpApiEndpoint.get("listEmbeddings", "/api/v1/embeddings/models", {
  query: {
    offset: integerParameter({ description: "Number of models to skip. Default: 0." }),
    limit: integerParameter({
      minimum: 1,
      maximum: 1_000,
      description: `Number of models to return. Default: ${defaultModelPageSize}.`
    })
  },
  success: ModelListResponse,
  error: [
    BadRequest,
    RequestTimeout,
    Conflict,
    UnsupportedMediaType,
    TooManyRequests,
    InternalServerError
  ]
})
  .annotate(OpenApi.Summary, "List the models that make embeddings. Needs no key.")
  .annotate(RequiredCaller, "anyone")

export class ModelsApi extends HttpApiGroup.make("models")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/models", {
      query: modelListQuery,
      success: ModelListResponse,
      error: [...authenticatedErrors, BadRequest]
    })
      .annotate(OpenApi.Summary, "List models, filtered and sorted.")
      .annotate(
        OpenApi.Description,
        "List models, filtered and sorted. With the header `anthropic-version`, the list has the form of Anthropic's API, is paged by `limit` (default: 20), `after_id` and `before_id`, and errors have its envelope."
      ),
    HttpApiEndpoint.get("count", "/api/v1/models/count", {
      query: outputModalitiesQuery,
      success: dataEnvelope(Schema.Struct({ count: Schema.Int })),
      error: [...authenticatedErrors, BadRequest]
    }).annotate(OpenApi.Summary, "Count models."),
    HttpApiEndpoint.get("listAccessible", "/api/v1/models/user", {
      query: { ...modelPageQuery, ...outputModalitiesQuery },
      success: ModelListResponse,
      error: [...authenticatedErrors, BadRequest]
    }).annotate(OpenApi.Summary, "List the models that the caller can use."),
    HttpApiEndpoint.get("getById", "/api/v1/models/:id", {
      params: { id: Schema.String },
      success: dataEnvelope(ModelCard),
      error: [...authenticatedErrors, NotFound]
    })
      .annotate(OpenApi.Summary, "Get a model by its percent-encoded slug.")
      .annotate(
        OpenApi.Description,
        "Get a model by its percent-encoded slug, canonical slug or alias, such as `/api/v1/models/author%2Fslug`. With the header `anthropic-version`, it has the form of Anthropic's API."
      ),
    HttpApiEndpoint.get("get", "/api/v1/model/:author/:slug", {
      params: modelParams,
      success: dataEnvelope(ModelCard),
      error: [...authenticatedErrors, NotFound]
    }).annotate(OpenApi.Summary, "Get a model by slug, canonical slug or alias.")
  )
  .middleware(Authentication)
  .add(listEmbeddingModels)
  .annotate(OpenApi.Title, "Models") {}
