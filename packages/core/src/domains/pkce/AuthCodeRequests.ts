/** The bodies of requests for a code, and for the key in exchange for one. */
import * as Schema from "effect/Schema"
import { IsoDateTime } from "../../values/IsoDateTime.ts"
import { isMaxCharacters, isPlainText } from "../../values/validation/text.ts"

/** The request body of a new code. */
export const NewAuthCode = Schema.Struct({
  /** Where the page of the host sends the code: one of the host's list. Absent: the page shows the code. */
  callback_url: Schema.optionalKey(Schema.NonEmptyString.check(isMaxCharacters(2_000))),
  /** The base64url of the SHA-256 of the verifier. */
  code_challenge: Schema.String.check(
    Schema.isPattern(/^[A-Za-z0-9._~-]{43,128}$/, {
      expected:
        "the code challenge of the application, 43 to 128 characters of A-Z, a-z, 0-9 and -._~"
    })
  ),
  /** `plain` only where the host allows it. Default: `S256`. */
  code_challenge_method: Schema.optionalKey(Schema.String),
  /** When the new key expires, ISO 8601. Default: with the key that consents. */
  expires_at: Schema.optionalKey(Schema.NullOr(IsoDateTime)),
  /** The name of the new key. */
  key_label: Schema.optionalKey(Schema.NonEmptyString.check(isMaxCharacters(200), isPlainText)),
  /** USD that the new key may spend between two resets. Default: the limit of who consents. */
  limit: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1e12 }))),
  /** When the spend is reset; default: never. */
  usage_limit_type: Schema.optionalKey(Schema.Literals(["daily", "weekly", "monthly"])),
  /** Id or slug of the workspace of the new key. Default: the workspace of who consents. */
  workspace_id: Schema.optionalKey(Schema.NonEmptyString)
})
export type NewAuthCode = typeof NewAuthCode.Type

/** The request body of an exchange. */
export const AuthCodeExchange = Schema.Struct({
  code: Schema.NonEmptyString.check(isMaxCharacters(1_000)),
  code_verifier: Schema.optionalKey(Schema.String.check(isMaxCharacters(1_000))),
  /** The method of the challenge. Default: the method with which the code was made. */
  code_challenge_method: Schema.optionalKey(Schema.NullOr(Schema.String))
})
export type AuthCodeExchange = typeof AuthCodeExchange.Type
