/** A code that is exchanged for an API key, once: what the new key will be, and what proves the application. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { GrantedAttributes, NewKey } from "../../tenants/auth/keys/ApiKey.ts"
import { IsoDateTime } from "../../values/IsoDateTime.ts"
import type { AccountId, KeyHash, UserId } from "../../values/ids/Ids.ts"
import { isMaxCharacters, isPlainText } from "../../values/validation/text.ts"

export type ChallengeMethod = "S256" | "plain"

/** A stored code: its hash, never the code itself. */
export interface AuthCode {
  /** The SHA-256 of the code, in hex. */
  readonly hash: KeyHash
  readonly account: AccountId
  /** The user who consented. */
  readonly user?: UserId
  /** The key with which the consent was given; absent: the host has authenticated the user. */
  readonly consentedBy?: KeyHash
  readonly challenge: string
  readonly method: ChallengeMethod
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  readonly key: NewKey
  readonly attributes: GrantedAttributes
}

/** Stores codes. A port. */
export class AuthCodeStore extends Context.Service<
  AuthCodeStore,
  {
    /** Adds a code, and may remove those that have expired at `now`. */
    readonly put: (code: AuthCode, now: number) => Effect.Effect<void>
    readonly find: (hash: KeyHash) => Effect.Effect<AuthCode | undefined>
    /** Removes a code. Race: of concurrent calls, in any process, one returns true. */
    readonly take: (hash: KeyHash) => Effect.Effect<boolean>
    /** How many codes of the account have not expired. */
    readonly count: (account: AccountId, now: number) => Effect.Effect<number>
    /** Removes the codes that have expired. */
    readonly purge: (now: number) => Effect.Effect<void>
  }
>()("@signalbox/core/domains/pkce/AuthCodeStore") {}

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

/** The host lets no application sign in. */
export class PkceOff extends Data.TaggedError("PkceOff")<{}> {}

/** The caller may not consent to this. */
export class ConsentRefused extends Data.TaggedError("ConsentRefused")<{
  readonly problem: string
}> {}

/** The code is unknown, used or expired, or the verifier is not the application's: which one is not said. */
export class AuthCodeRefused extends Data.TaggedError("AuthCodeRefused")<{}> {}
