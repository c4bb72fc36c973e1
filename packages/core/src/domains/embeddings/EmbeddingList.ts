/** The answer to a request for embeddings: https://platform.openai.com/docs/api-reference/embeddings. */
import * as Schema from "effect/Schema"
import type { VectorEncoding } from "../../engine/upstreams/EmbeddingCapability.ts"

const Tokens = Schema.optionalKey(Schema.Int)

export const EmbeddingList = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("list"),
  /** The catalog id of the model that answered; the record has the provider's name for it. */
  model: Schema.String,
  /** One for each input, in their order. */
  data: Schema.Array(
    Schema.Struct({
      object: Schema.Literal("embedding"),
      /** The place of the input, from 0. */
      index: Schema.Int,
      /** Numbers, or base64 of little-endian float32. */
      embedding: Schema.Union([Schema.Array(Schema.Finite), Schema.String])
    })
  ),
  /** The known usage of all attempts, including failed ones. */
  usage: Schema.Struct({
    prompt_tokens: Schema.Int,
    total_tokens: Schema.Int,
    /** USD; omitted when a price is unknown. */
    cost: Schema.optionalKey(Schema.Finite),
    /** Whether it ran on the account's own credential, which the provider bills. */
    is_byok: Schema.optionalKey(Schema.Boolean),
    /** The provider's report, where a count or the cost was implausible and so was capped. */
    reported: Schema.optionalKey(
      Schema.Struct({
        prompt_tokens: Schema.optionalKey(Schema.Finite),
        /** USD. */
        cost: Schema.optionalKey(Schema.Finite)
      })
    ),
    /** For inputs of two or more modalities. */
    prompt_tokens_details: Schema.optionalKey(
      Schema.Struct({
        text_tokens: Tokens,
        image_tokens: Tokens,
        audio_tokens: Tokens,
        video_tokens: Tokens,
        file_tokens: Tokens
      })
    )
  })
})

type List = typeof EmbeddingList.Type

/** Vectors in the order of the inputs, as numbers or as base64 of little-endian float32. */
export interface EmbeddingList<Encoding extends VectorEncoding = VectorEncoding> extends Omit<
  List,
  "data"
> {
  readonly data: ReadonlyArray<
    Omit<List["data"][number], "embedding"> & { readonly embedding: VectorIn<Encoding> }
  >
}

/** The type of a vector, by its encoding. */
type VectorIn<Encoding extends VectorEncoding> = Encoding extends "base64"
  ? string
  : ReadonlyArray<number>
