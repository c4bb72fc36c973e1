/** Reads a query of the catalog from the parameters of an address, or names the one at fault. Source: wire facts 1. */
import type * as Result from "effect/Result"
import { categories } from "../catalog/Category.ts"
import type { InvalidRequest } from "../values/errors/RequestErrors.ts"
import type { ListingPageRequest } from "../listing/Listing.ts"
import {
  inputModalities,
  type ModelQuery,
  outputModalities,
  regions,
  modelSorts
} from "../listing/ModelQuery.ts"
import { type ParameterReader, type QueryParameters, parseParameters } from "./QueryParameters.ts"

interface Feed {
  readonly chatLinks: boolean
}

export interface ModelListRequest {
  readonly query: ModelQuery
  readonly page: ListingPageRequest
  /** Asked for as an RSS feed. */
  readonly feed?: Feed
}

export const readModelQuery = (
  parameters: QueryParameters
): Result.Result<ModelListRequest, InvalidRequest> =>
  parseParameters(parameters, (read) => {
    const isFeed = read.oneOf("use_rss", booleans) === "true"
    const chatLinks = read.oneOf("use_rss_chat_links", booleans) === "true"
    return {
      query: omitUndefined({
        ...readModalities(read),
        category: read.oneOf("category", categories),
        supportedParameters: read.list("supported_parameters"),
        inputModalities: read.listOf("input_modalities", inputModalities),
        text: read.text("q"),
        context: read.whole("context", 1),
        price: read.range("price"),
        outputPrice: read.range("output_price"),
        architecture: read.text("arch"),
        authors: read.list("model_authors"),
        providers: read.list("providers"),
        distillable: parseBoolean(read.oneOf("distillable", booleans)),
        zdr: read.oneOf("zdr", ["true"] as const) === "true" ? (true as const) : undefined,
        region: read.oneOf("region", regions),
        ageDays: read.range("age_days"),
        intelligence: read.range("intelligence_index"),
        coding: read.range("coding_index"),
        agentic: read.range("agentic_index"),
        toolSuccessRate: read.range("tool_success_rate", 1),
        sort: read.oneOf("sort", modelSorts)
      }),
      page: readModelPage(read),
      ...(isFeed ? { feed: { chatLinks } } : undefined)
    }
  })

/** What the list of a caller's own models takes. */
export const readUserQuery = (
  parameters: QueryParameters
): Result.Result<ModelListRequest, InvalidRequest> =>
  parseParameters(parameters, (read) => ({
    query: omitUndefined(readModalities(read)),
    page: readModelPage(read)
  }))

/** What the count takes. */
export const readCountQuery = (
  parameters: QueryParameters
): Result.Result<ModelQuery, InvalidRequest> =>
  parseParameters(parameters, (read) => omitUndefined(readModalities(read)))

const booleans = ["true", "false"] as const

const parseBoolean = (said: "true" | "false" | undefined): boolean | undefined =>
  said === undefined ? undefined : said === "true"

const readModalities = (read: ParameterReader) => {
  const asked = read.listOf("output_modalities", [...outputModalities, "all"] as const)
  const all = asked?.includes("all") === true
  return {
    outputModalities: all
      ? undefined
      : (asked?.filter((modality) => modality !== "all") ?? (["text"] as const))
  }
}

const maxPageSize = 1_000
const defaultPageSize = 500

const readModelPage = (read: ParameterReader): ListingPageRequest => {
  const offset = read.whole("offset", 0)
  const limit = read.whole("limit", 1, maxPageSize)
  return offset === undefined && limit === undefined
    ? { offset: 0 }
    : { offset: offset ?? 0, limit: limit ?? defaultPageSize }
}

/** Without the keys that hold nothing. */
const omitUndefined = <A extends object>(
  all: A
): Partial<{ [K in keyof A]: Exclude<A[K], undefined> }> =>
  // `fromEntries` forgets the names.
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Partial<{
    [K in keyof A]: Exclude<A[K], undefined>
  }>
