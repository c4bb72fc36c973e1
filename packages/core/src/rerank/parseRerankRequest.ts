/** Parses reranks, for HTTP and for calls in process. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { findPreferenceProblem } from "../routing/Preferences.ts"
import {
  decodeFields,
  failInvalid,
  findSizeProblem,
  makeTextParser,
  omitNull,
  type ParseOptions,
  type ParseResult,
  requireJsonObject,
  selectFields
} from "../routing/parseRequest.ts"
import type { RerankDocument } from "../upstreams/RerankCapability.ts"
import { countUtf8Bytes } from "../values/json/countUtf8Bytes.ts"
import { estimateTextTokens } from "../values/usage/estimateTextTokens.ts"
import { makeFastDecoder } from "../values/validation/makeFastDecoder.ts"
import { countImages, estimatePairTokens } from "./contentSize.ts"
import { parseDocuments } from "./parseDocuments.ts"
import { rerankFields } from "./RerankRequest.ts"

const RoutedFields = Schema.Struct(rerankFields)

/** A valid rerank, with the fields of the router apart from the parameters of the model. */
export interface ParsedRerank {
  readonly request: typeof RoutedFields.Type
  readonly documents: ReadonlyArray<RerankDocument>
  /** How many results to return, at most the number of documents. */
  readonly topN: number
  /** Further parameters of the model, as the caller wrote them. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** UTF-8 bytes of the whole request. */
  readonly bytes: number
  /** The estimated tokens of all pairs of the query and a document. */
  readonly inputTokens: number
  /** The same of the longest pair, which the context length of a model limits. */
  readonly longestTokens: number
  /** The number of images in the documents. */
  readonly images: number
}

const decode = makeFastDecoder(RoutedFields)

/** Parses JSON that has been read already. A field that is null counts as absent, because clients mean that. */
export const decodeRerankRequest = (
  json: unknown,
  options: ParseOptions
): ParseResult<ParsedRerank> => {
  const { bytes, settings } = options
  const tooLarge = findSizeProblem(options, "maxChatBodyBytes")
  if (tooLarge !== undefined) return Result.fail(tooLarge)
  const body = requireJsonObject(json)
  if (Result.isFailure(body)) return Result.fail(body.failure)
  const fields = omitNull(body.success)
  // Scores of two models cannot be compared, so there are no other models to fall back to.
  if (fields["models"] !== undefined) {
    return failInvalid(["models"], "a rerank is by one model; leave it out")
  }
  if (fields["stream"] !== undefined && fields["stream"] !== false) {
    return failInvalid(["stream"], "a rerank is not streamed; leave it out")
  }
  const problem = findPreferenceProblem(fields["provider"])
  if (problem !== undefined) return Result.fail(problem)
  const documents = parseDocuments(fields["documents"], settings)
  if (Result.isFailure(documents)) return Result.fail(documents.failure)
  const decoded = decodeFields(decode, fields, options)
  if (Result.isFailure(decoded)) return Result.fail(decoded.failure)
  const request = decoded.success
  const queryTokens = estimateTextTokens(countUtf8Bytes(request.query))
  const pairs = documents.success.map((document) => estimatePairTokens(queryTokens, document))
  return Result.succeed({
    request,
    documents: documents.success,
    topN: Math.min(request.top_n ?? Infinity, documents.success.length),
    parameters: selectFields(fields, (name) => !knownFields.has(name)),
    bytes,
    inputTokens: pairs.reduce((sum, tokens) => sum + tokens, 0),
    longestTokens: pairs.reduce((most, tokens) => Math.max(most, tokens), 0),
    images: countImages(documents.success)
  })
}

export const parseRerankRequest = makeTextParser(decodeRerankRequest)

const knownFields: ReadonlySet<string> = new Set([
  ...Object.keys(rerankFields),
  "documents",
  "stream"
])
