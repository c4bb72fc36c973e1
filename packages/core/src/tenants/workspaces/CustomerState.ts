/** What makes a workspace that of a customer. */
import * as Schema from "effect/Schema"
import { KeyHash } from "../../values/ids/Ids.ts"

/** The bundle of a customer, and whether it is suspended. */
export const CustomerState = Schema.Struct({
  /** A name in `Options.bundles`. */
  bundle: Schema.String,
  /** The key that was made with the customer; it may be deleted since. */
  key_hash: KeyHash,
  /** ISO 8601; null: it may make requests. */
  suspended_at: Schema.NullOr(Schema.String),
  /** The reason that its callers get; null: none. */
  suspended_reason: Schema.NullOr(Schema.String)
})
export type CustomerState = typeof CustomerState.Type
