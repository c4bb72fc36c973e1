/** The request body of a rerank. */
import * as Schema from "effect/Schema"
import { Preferences } from "../../routing/Preferences.ts"
import type { RerankDocument } from "../../engine/upstreams/RerankCapability.ts"
import { EndUser, SessionId } from "../../values/ids/Ids.ts"
import { Trace } from "../../values/Trace.ts"

/** A text, or an object with a text, an image, or both; `parseDocuments` checks them. */
const Document = Schema.Union([
  Schema.String,
  Schema.Struct({
    text: Schema.optionalKey(Schema.String),
    /** An `https:`, `http:` or `data:` address. */
    image: Schema.optionalKey(Schema.String)
  })
])

/** Every field besides the documents. */
export const rerankFields = {
  model: Schema.NonEmptyString,
  query: Schema.NonEmptyString,
  /** How many results to return; default, and if there are fewer documents: all. */
  top_n: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))),
  provider: Schema.optionalKey(Preferences),
  session_id: Schema.optionalKey(SessionId),
  trace: Schema.optionalKey(Trace),
  user: Schema.optionalKey(EndUser)
}

/** Every other key is a parameter of the model. It is passed through to endpoints that support it. */
export const RerankRequest = Schema.StructWithRest(
  Schema.Struct({
    ...rerankFields,
    documents: Schema.Array(Document).check(Schema.isMinLength(1))
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)

/** A rerank in process. */
export interface RerankRequest {
  readonly model: string
  readonly query: string
  /** At least one. */
  readonly documents: ReadonlyArray<string | RerankDocument>
  /** How many results to return; default, and if there are fewer documents: all. */
  readonly top_n?: number | null
  readonly provider?: Preferences | null
  /** For records and spans, at most 256 characters; not sent to providers. */
  readonly session_id?: string | null
  readonly trace?: Trace | null
  /** The caller's own id of its end user, at most 256 characters; not sent to providers. */
  readonly user?: string | null
}
