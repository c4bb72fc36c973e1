/** Parses reranks, for HTTP and for calls in process. */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { findMediaUrlProblem } from "../../engine/outbound/findMediaProblem.ts"
import type { RerankDocument } from "../../engine/upstreams/RerankCapability.ts"
import type { SettingsShape } from "../../instance/Settings.ts"
import { makeOneModelDecoder, type OneModelRequest } from "../../routing/parseOneModelRequest.ts"
import { failInvalid, type ParseOptions, type ParseResult } from "../../routing/parseRequest.ts"
import type { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { countUtf8Bytes } from "../../values/json/JsonCost.ts"
import { estimateTextTokens } from "../../values/usage/TokenUsage.ts"
import { findCountProblem } from "../../values/validation/findCountProblem.ts"
import { makeFastDecoder } from "../../values/validation/makeFastDecoder.ts"
import { rerankFields } from "./RerankRequest.ts"

/** Parses the `documents` of a rerank, which are texts, or objects with a text, an image, or both. */
const parseDocuments = (
  value: unknown,
  settings: SettingsShape
): Result.Result<ReadonlyArray<RerankDocument>, InvalidRequest> => {
  if (!Array.isArray(value)) return failInvalid(root, "must be a list")
  if (value.length === 0) return failInvalid(root, "must have at least one document")
  const tooMany = findCountProblem(value.length, "maxDocuments", settings, root)
  if (tooMany !== undefined) return Result.fail(tooMany)
  const documents: Array<RerankDocument> = []
  for (const [index, each] of (value as ReadonlyArray<unknown>).entries()) {
    if (typeof each === "string") {
      documents.push({ text: each })
      continue
    }
    const document = parseDocument([...root, index], each, settings)
    if (Result.isFailure(document)) return Result.fail(document.failure)
    documents.push(document.success)
  }
  return Result.succeed(documents)
}

const root: Path = ["documents"]

type Path = ReadonlyArray<string | number>

const parseDocument = (
  path: Path,
  value: unknown,
  settings: SettingsShape
): Result.Result<RerankDocument, InvalidRequest> => {
  if (!Predicate.isObject(value)) {
    return failInvalid(path, "must be a text, or an object with text or image")
  }
  const unknown = Object.keys(value).find((name) => name !== "text" && name !== "image")
  if (unknown !== undefined) {
    return failInvalid([...path, unknown], "a document has text and image only")
  }
  const text = value["text"] ?? undefined
  const image = value["image"] ?? undefined
  if (text !== undefined && typeof text !== "string") {
    return failInvalid([...path, "text"], "must be a text")
  }
  if (image !== undefined && typeof image !== "string") {
    return failInvalid([...path, "image"], "must be an https, http or data address")
  }
  if (text === undefined && image === undefined) {
    return failInvalid(path, "must have text or image")
  }
  const problem = image === undefined ? undefined : findMediaUrlProblem(image, settings)
  if (problem !== undefined) return failInvalid([...path, "image"], problem)
  return Result.succeed({
    ...(text === undefined ? undefined : { text }),
    ...(image === undefined ? undefined : { image })
  })
}

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

/** A typical image. Providers differ, but the estimate only decides which endpoints have room for the request. */
const tokensPerImage = 1_000

/** Estimates the query and one document, which a model reads together. */
const estimatePairTokens = (queryTokens: number, { image, text = "" }: RerankDocument): number =>
  queryTokens +
  estimateTextTokens(countUtf8Bytes(text)) +
  (image === undefined ? 0 : tokensPerImage)

const countImages = (documents: ReadonlyArray<RerankDocument>): number =>
  documents.filter(({ image }) => image !== undefined).length
