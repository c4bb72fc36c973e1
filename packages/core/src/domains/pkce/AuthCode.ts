/** A code that is exchanged for an API key, once: what the new key will be, and what proves the application. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { GrantedAttributes, NewKey } from "../../tenants/auth/keys/ApiKey.ts"
import type { AccountId, KeyHash, UserId } from "../../values/ids/Ids.ts"

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

/** The host lets no application sign in. */
export class PkceOff extends Data.TaggedError("PkceOff")<{}> {}

/** The caller may not consent to this. */
export class ConsentRefused extends Data.TaggedError("ConsentRefused")<{
  readonly problem: string
}> {}

/** The code is unknown, used or expired, or the verifier is not the application's: which one is not said. */
export class AuthCodeRefused extends Data.TaggedError("AuthCodeRefused")<{}> {}
