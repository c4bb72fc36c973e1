/** What a caller puts into a vault. Source: wire, VaultSecretWriteRequest. */
import * as Schema from "effect/Schema"
import { isMaxCharacters } from "../values/characters.ts"

export const longestValue = 65_536
export const mostHosts = 100

/** The longest host name, and its trailing dot. */
const longestHost = 254

export const SecretWrite = Schema.Struct({
  /** Exact host names, such as `api.example.com`. */
  hosts: Schema.Array(Schema.NonEmptyString.check(isMaxCharacters(longestHost))).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(mostHosts)
  ),
  /** No longer a plain text once it is decoded. */
  value: Schema.RedactedFromValue(Schema.NonEmptyString.check(isMaxCharacters(longestValue)), {
    label: "vault secret"
  })
})

/** Source: wire, VaultSecretCopyRequest. */
export const SecretCopy = Schema.Struct({
  names: Schema.Array(Schema.NonEmptyString.check(isMaxCharacters(255))).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(100),
    Schema.isUnique()
  )
})
