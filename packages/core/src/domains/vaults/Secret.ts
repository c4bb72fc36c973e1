/** Secrets of vaults. Responses never contain a value. */
import * as Schema from "effect/Schema"
import { isMaxCharacters } from "../../values/validation/text.ts"

/** A secret of a vault without its value. */
export const Secret = Schema.Struct({
  /** When the name was first used in the vault; replacing the secret keeps it. ISO 8601. */
  created_at: Schema.String,
  /**
   * HMAC of the value with a key of the vault, 64 hexadecimal digits: equal for equal values within a vault,
   * meaningless across vaults. Null when `hosts` is null.
   */
  fingerprint: Schema.NullOr(Schema.String),
  /**
   * The hosts the secret is released to, in lower case, in the given order. A secret with null is never released
   * or copied; only the application creates such secrets.
   */
  hosts: Schema.NullOr(Schema.Array(Schema.String)),
  name: Schema.String
})
export type Secret = typeof Secret.Type

export const maxValueLength = 65_536
export const maxHosts = 100

/** The longest host name with a trailing dot. */
const maxHostLength = 254

/** The request bodies of vaults. */
export const SecretWriteRequest = Schema.Struct({
  /** Exact host names, for example `api.example.com`. */
  hosts: Schema.Array(Schema.NonEmptyString.check(isMaxCharacters(maxHostLength))).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(maxHosts)
  ),
  /** Redacted once decoded. */
  value: Schema.RedactedFromValue(Schema.NonEmptyString.check(isMaxCharacters(maxValueLength)), {
    label: "vault secret"
  })
})

export const SecretCopyRequest = Schema.Struct({
  names: Schema.Array(Schema.NonEmptyString.check(isMaxCharacters(255))).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(100),
    Schema.isUnique()
  )
})
