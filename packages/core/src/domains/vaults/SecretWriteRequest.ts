/** The request bodies of vaults. */
import * as Schema from "effect/Schema"
import { isMaxCharacters } from "../../values/validation/maxCharacters.ts"

export const maxValueLength = 65_536
export const maxHosts = 100

/** The longest host name with a trailing dot. */
const maxHostLength = 254

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
