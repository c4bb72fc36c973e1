/** Parses requests for embeddings, for HTTP and for calls in process. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { findPreferenceProblem } from "../../routing/Preferences.ts"
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
} from "../../routing/parseRequest.ts"
import type { EmbeddingInput, VectorEncoding } from "../../upstreams/EmbeddingCapability.ts"
import { makeFastDecoder } from "../../values/validation/makeFastDecoder.ts"
import { countImages, estimateInputTokens } from "./contentSize.ts"
import { embeddingFields } from "./EmbeddingRequest.ts"
import { parseInputs } from "./parseInputs.ts"

const RoutedFields = Schema.Struct(embeddingFields)

/** A valid request, with the fields of the router apart from the parameters of the model. */
export interface ParsedEmbedding {
  readonly request: typeof RoutedFields.Type
  /** One for each vector. */
  readonly inputs: ReadonlyArray<EmbeddingInput>
  readonly encoding: VectorEncoding
  /** Further parameters of the model, as the caller wrote them. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** UTF-8 bytes of the whole request. */
  readonly bytes: number
  /** The estimated length of all inputs in tokens. */
  readonly inputTokens: number
  /** The same of the longest input, which the context length of a model limits. */
  readonly longestTokens: number
  /** The number of images in the inputs. */
  readonly images: number
}

const decode = makeFastDecoder(RoutedFields)

/** Parses JSON that has been read already. A field that is null counts as absent, because clients mean that. */
export const decodeEmbeddingRequest = (
  json: unknown,
  options: ParseOptions
): ParseResult<ParsedEmbedding> => {
  const { bytes, settings } = options
  const tooLarge = findSizeProblem(options, "maxChatBodyBytes")
  if (tooLarge !== undefined) return Result.fail(tooLarge)
  const body = requireJsonObject(json)
  if (Result.isFailure(body)) return Result.fail(body.failure)
  const fields = omitNull(body.success)
  // Distances between the vectors of two models mean nothing, so there are no other models to fall back to.
  if (fields["models"] !== undefined) {
    return failInvalid(["models"], "embeddings are of one model; leave it out")
  }
  if (fields["stream"] !== undefined && fields["stream"] !== false) {
    return failInvalid(["stream"], "embeddings are not streamed; leave it out")
  }
  const problem = findPreferenceProblem(fields["provider"])
  if (problem !== undefined) return Result.fail(problem)
  const inputs = parseInputs(fields["input"], settings)
  if (Result.isFailure(inputs)) return Result.fail(inputs.failure)
  const decoded = decodeFields(decode, fields, options)
  if (Result.isFailure(decoded)) return Result.fail(decoded.failure)
  const tokens = inputs.success.map(estimateInputTokens)
  return Result.succeed({
    request: decoded.success,
    inputs: inputs.success,
    encoding: decoded.success.encoding_format ?? "float",
    parameters: selectFields(fields, (name) => !knownFields.has(name)),
    bytes,
    inputTokens: tokens.reduce((sum, each) => sum + each, 0),
    longestTokens: tokens.reduce((most, each) => Math.max(most, each), 0),
    images: countImages(inputs.success)
  })
}

export const parseEmbeddingRequest = makeTextParser(decodeEmbeddingRequest)

const knownFields: ReadonlySet<string> = new Set([
  ...Object.keys(embeddingFields),
  "input",
  "stream"
])
