/** Converts the query parameters of the model operations to queries of the listing. */
import type { ListingPageRequest } from "../../domains/listing/Listing.ts"
import type { ModelQuery } from "../../domains/listing/ModelQuery.ts"
import {
  defaultModelPageSize,
  type ModelListQuery,
  type ModelPageQuery,
  type OutputModalitiesQuery
} from "./ModelsApi.ts"
import { toRange } from "../contract/queryParameters.ts"
import { omitUndefined } from "../../values/ownFields.ts"

export const toModelQuery = (query: ModelListQuery): ModelQuery =>
  omitUndefined({
    ...toOutputModalities(query),
    category: query.category,
    supportedParameters: query.supported_parameters,
    inputModalities: query.input_modalities,
    text: query.q,
    context: query.context,
    price: toRange(query.min_price, query.max_price),
    outputPrice: toRange(query.min_output_price, query.max_output_price),
    architecture: query.arch,
    authors: query.model_authors,
    providers: query.providers,
    distillable: query.distillable,
    zdr: query.zdr,
    region: query.region,
    ageDays: toRange(query.min_age_days, query.max_age_days),
    intelligence: toRange(query.min_intelligence_index, query.max_intelligence_index),
    coding: toRange(query.min_coding_index, query.max_coding_index),
    agentic: toRange(query.min_agentic_index, query.max_agentic_index),
    toolSuccessRate: toRange(query.min_tool_success_rate, query.max_tool_success_rate),
    sort: query.sort
  })

/** Defaults to models with text output. */
export const toOutputModalities = ({
  output_modalities: modalities = ["text"]
}: OutputModalitiesQuery): Pick<ModelQuery, "outputModalities"> =>
  modalities.includes("all")
    ? {}
    : { outputModalities: modalities.filter((modality) => modality !== "all") }

/** Without offset and limit, the page contains all models. */
export const toListingPage = ({ limit, offset }: ModelPageQuery): ListingPageRequest =>
  offset === undefined && limit === undefined
    ? { offset: 0 }
    : { offset: offset ?? 0, limit: limit ?? defaultModelPageSize }
