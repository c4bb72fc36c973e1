/** The request body of embeddings, in OpenAI's dialect. */
import * as Schema from "effect/Schema"
import { Preferences } from "../../../routing/Preferences.ts"
import type {
  EmbeddingInput,
  VectorEncoding
} from "../../../engine/upstreams/EmbeddingCapability.ts"
import { EndUser, SessionId } from "../../../values/ids/Ids.ts"
import { Trace } from "../../../values/Trace.ts"

const TokenId = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Part = Schema.StructWithRest(Schema.Struct({ type: Schema.NonEmptyString }), [
  Schema.Record(Schema.String, Schema.Unknown)
])
const Multimodal = Schema.Struct({ content: Schema.Array(Part).check(Schema.isMinLength(1)) })

/** A text, texts, token ids, lists of them, or contents of several modalities; `parseInputs` checks them. */
const Input = Schema.Union([
  Schema.NonEmptyString,
  Schema.Array(Schema.NonEmptyString).check(Schema.isMinLength(1)),
  Schema.Array(TokenId).check(Schema.isMinLength(1)),
  Schema.Array(Schema.Array(TokenId).check(Schema.isMinLength(1))).check(Schema.isMinLength(1)),
  Schema.Array(Multimodal).check(Schema.isMinLength(1))
])

/** Every field besides the input. */
export const embeddingFields = {
  model: Schema.NonEmptyString,
  /** The length of the vectors; default: the model's own. */
  dimensions: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))),
  /** `base64` encodes little-endian float32; default: `float`. */
  encoding_format: Schema.optionalKey(Schema.Literals(["float", "base64"])),
  /** The purpose of the vectors, such as `search_query` or `search_document`. */
  input_type: Schema.optionalKey(Schema.NonEmptyString),
  provider: Schema.optionalKey(Preferences),
  session_id: Schema.optionalKey(SessionId),
  trace: Schema.optionalKey(Trace),
  user: Schema.optionalKey(EndUser)
}

/** Every other key is a parameter of the model. It is passed through to endpoints that support it. */
export const EmbeddingRequest = Schema.StructWithRest(
  Schema.Struct({ ...embeddingFields, input: Input }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)

/** A request for embeddings in process. `encoding_format` decides whether vectors are numbers or text. */
export interface EmbeddingRequest<Encoding extends VectorEncoding = VectorEncoding> {
  readonly model: string
  /** A text, texts, token ids, lists of them, or contents of several modalities; at least one. */
  readonly input: string | ReadonlyArray<number> | ReadonlyArray<EmbeddingInput>
  /** The length of the vectors; default: the model's own. */
  readonly dimensions?: number | null
  /** `base64` encodes little-endian float32; default: `float`. */
  readonly encoding_format?: Encoding | null
  /** The purpose of the vectors, such as `search_query` or `search_document`. */
  readonly input_type?: string | null
  readonly provider?: Preferences | null
  /** For records and spans, at most 256 characters; not sent to providers. */
  readonly session_id?: string | null
  readonly trace?: Trace | null
  /** The caller's own id of its end user, at most 256 characters; not sent to providers. */
  readonly user?: string | null
}
