/** Parses reranks, for HTTP and for calls in process. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { makeOneModelDecoder, type OneModelRequest } from "../../routing/parseOneModelRequest.ts"
import type { ParseOptions, ParseResult } from "../../routing/parseRequest.ts"
import type { RerankDocument } from "../../engine/upstreams/RerankCapability.ts"
import { countUtf8Bytes } from "../../values/json/countUtf8Bytes.ts"
import { estimateTextTokens } from "../../values/usage/TokenUsage.ts"
import { makeFastDecoder } from "../../values/validation/makeFastDecoder.ts"
import { countImages, estimatePairTokens } from "./contentSize.ts"
import { parseDocuments } from "./parseDocuments.ts"
import { rerankFields } from "./RerankRequest.ts"

const RoutedFields = Schema.Struct(rerankFields)

const decode = makeOneModelDecoder({
  decode: makeFastDecoder(RoutedFields),
  fieldNames: Object.keys(rerankFields),
  items: "documents",
  parseItems: parseDocuments
})

/** A valid rerank, whose items are its documents. */
export interface ParsedRerank extends OneModelRequest<typeof RoutedFields.Type, RerankDocument> {
  /** How many results to return, at most the number of documents. */
  readonly topN: number
  /** The estimated tokens of all pairs of the query and a document. */
  readonly inputTokens: number
  /** The same of the longest pair, which the context length of a model limits. */
  readonly longestTokens: number
  /** The number of images in the documents. */
  readonly images: number
}

export const decodeRerankRequest = (
  json: unknown,
  options: ParseOptions
): ParseResult<ParsedRerank> =>
  Result.map(decode(json, options), (parsed) => {
    const { items, request } = parsed
    const queryTokens = estimateTextTokens(countUtf8Bytes(request.query))
    const pairs = items.map((document) => estimatePairTokens(queryTokens, document))
    return {
      ...parsed,
      topN: Math.min(request.top_n ?? Infinity, items.length),
      inputTokens: pairs.reduce((sum, tokens) => sum + tokens, 0),
      longestTokens: pairs.reduce((most, tokens) => Math.max(most, tokens), 0),
      images: countImages(items)
    }
  })
