/** Parses requests for embeddings, for HTTP and for calls in process. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { makeOneModelDecoder, type OneModelRequest } from "../../../routing/parseOneModelRequest.ts"
import type { ParseOptions, ParseResult } from "../../../routing/parseRequest.ts"
import type {
  EmbeddingInput,
  VectorEncoding
} from "../../../engine/upstreams/EmbeddingCapability.ts"
import { makeFastDecoder } from "../../../values/validation/makeFastDecoder.ts"
import { countImages, estimateInputTokens } from "./contentSize.ts"
import { embeddingFields } from "./EmbeddingRequest.ts"
import { parseInputs } from "./parseInputs.ts"

const RoutedFields = Schema.Struct(embeddingFields)

const decode = makeOneModelDecoder({
  decode: makeFastDecoder(RoutedFields),
  fieldNames: Object.keys(embeddingFields),
  items: "input",
  parseItems: parseInputs
})

/** A valid request; there is one vector for each item. */
export interface ParsedEmbedding extends OneModelRequest<typeof RoutedFields.Type, EmbeddingInput> {
  readonly encoding: VectorEncoding
  /** The estimated length of all inputs in tokens. */
  readonly inputTokens: number
  /** The same of the longest input, which the context length of a model limits. */
  readonly longestTokens: number
  /** The number of images in the inputs. */
  readonly images: number
}

export const decodeEmbeddingRequest = (
  json: unknown,
  options: ParseOptions
): ParseResult<ParsedEmbedding> =>
  Result.map(decode(json, options), (parsed) => {
    const tokens = parsed.items.map(estimateInputTokens)
    return {
      ...parsed,
      encoding: parsed.request.encoding_format ?? "float",
      inputTokens: tokens.reduce((sum, each) => sum + each, 0),
      longestTokens: tokens.reduce((most, each) => Math.max(most, each), 0),
      images: countImages(parsed.items)
    }
  })
