/** The SHA-256 of an API key in 64 lower-case hex digits; keys themselves are not stored. */
import * as Schema from "effect/Schema"

/** Identifies a key by the SHA-256 of its secret in lower-case hex. */
export const KeyHash = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{64}$/, { expected: "the hash of a key, 64 hex digits" })
).pipe(Schema.brand("KeyHash"))
export type KeyHash = typeof KeyHash.Type
