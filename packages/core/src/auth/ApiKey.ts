/** A stored API key: its hash, name, limits and expiry, never the secret itself. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { AccountId } from "../values/ids/AccountId.ts"
import { KeyHash } from "../values/ids/KeyHash.ts"
import { UserId } from "../values/ids/UserId.ts"
import { WorkspaceId } from "../values/ids/WorkspaceId.ts"
import { IsoDateTime } from "./IsoDateTime.ts"
import { isMaxCharacters } from "../values/validation/maxCharacters.ts"

/**
 * `member` keys act for one user, `organization` keys for the organization as a whole, `management`
 * keys administer and run no models.
 */
export const KeyKind = Schema.Literals(["member", "management", "organization"])
export type KeyKind = typeof KeyKind.Type

/** Calls allowed per window of milliseconds. */
export const KeyRateLimit = Schema.Struct({
  requests: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1e9 })),
  windowMillis: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2_678_400_000 }))
})
export type KeyRateLimit = typeof KeyRateLimit.Type

/** What management may say of a key at any time. */
const editableFields = {
  name: Schema.NonEmptyString.check(isMaxCharacters(200)),
  /** USD that may be spent between two resets; null: as much as the account has. */
  limit: Schema.NullOr(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1e12 }))),
  /** When spending counts from zero again, in UTC, weeks from Monday; null: never. */
  limit_reset: Schema.NullOr(Schema.Literals(["daily", "weekly", "monthly"])),
  /** Whether what is spent on the account's own provider credentials counts too. */
  include_byok_in_limit: Schema.Boolean
}

/** What is kept of an API key; never the key itself. */
export const ApiKey = Schema.Struct({
  /** Names the key for good: the hash of its first secret. */
  hash: KeyHash,
  /** The hash of the secret that opens it now. */
  secret_hash: KeyHash,
  /** The secret before it, and until when (ISO 8601) that one opens it still. */
  former_secret: Schema.NullOr(Schema.Struct({ hash: KeyHash, expires_at: Schema.String })),
  account: AccountId,
  workspace: WorkspaceId,
  kind: KeyKind,
  /** The member a `member` key acts for. */
  user: Schema.optionalKey(UserId),
  /** The masked secret. */
  label: Schema.String,
  ...editableFields,
  disabled: Schema.Boolean,
  /** ISO 8601, UTC. */
  expires_at: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  updated_at: Schema.NullOr(Schema.String),
  creator_user_id: Schema.NullOr(Schema.String),
  /** What a partner calls the one it gave the key to. */
  external_user: Schema.NullOr(Schema.String),
  /** The hash of what the partner looks the key up by; it opens nothing. */
  external_key_hash: Schema.NullOr(KeyHash),
  /** Its own, which holds beside that of the host. */
  rate_limit: Schema.NullOr(KeyRateLimit),
  /** What the host gives it in code, in place of `Settings.rateLimit`. */
  host_rate_limit: Schema.NullOr(KeyRateLimit)
})
export type ApiKey = typeof ApiKey.Type

const { name, ...optionalFields } = editableFields

/** A key as its creator asks for it. */
export const NewKey = Schema.Struct({
  name,
  ...Schema.Struct(optionalFields).mapFields(Struct.map(Schema.optionalKey)).fields,
  expires_at: Schema.optionalKey(Schema.NullOr(IsoDateTime)),
  /** By id or slug; default: the account's default one. */
  workspace_id: Schema.optionalKey(Schema.NonEmptyString),
  /** The member the key acts for; null: nobody in particular. */
  creator_user_id: Schema.optionalKey(Schema.NullOr(UserId)),
  external: Schema.optionalKey(
    Schema.Struct({
      user: Schema.NonEmptyString.check(isMaxCharacters(256)),
      api_key: Schema.optionalKey(
        Schema.RedactedFromValue(
          Schema.String.check(
            Schema.isMinLength(32),
            isMaxCharacters(1024),
            Schema.makeFilter((text) => new Set(text).size >= 10 || "is too easy to guess")
          ),
          { label: "external api key" }
        )
      )
    })
  )
})
export type NewKey = typeof NewKey.Type

/** What a host says of a key it gives itself, beside whose it is. */
export const HostKey = Schema.Struct({
  ...editableFields,
  expires_at: Schema.NullOr(IsoDateTime),
  rate_limit: Schema.NullOr(KeyRateLimit)
})

/** What is left out stays as it is. */
export const KeyPatch = Schema.Struct({ ...editableFields, disabled: Schema.Boolean }).mapFields(
  Struct.map(Schema.optionalKey)
)
export type KeyPatch = typeof KeyPatch.Type

export type KeyOwner = Pick<ApiKey, "account" | "workspace" | "kind" | "user">

export type KeySecret = Pick<ApiKey, "label" | "secret_hash">

export type KeyAttributes = Partial<
  Pick<
    ApiKey,
    | "limit"
    | "limit_reset"
    | "include_byok_in_limit"
    | "expires_at"
    | "creator_user_id"
    | "external_user"
    | "external_key_hash"
    | "host_rate_limit"
  >
> &
  Pick<ApiKey, "name">

/** A new key; `at` is ISO 8601. */
export const make = (
  owner: KeyOwner,
  secret: KeySecret,
  at: string,
  attributes: KeyAttributes
): ApiKey => ({
  limit: null,
  limit_reset: null,
  include_byok_in_limit: false,
  expires_at: null,
  creator_user_id: owner.user ?? null,
  external_user: null,
  external_key_hash: null,
  rate_limit: null,
  host_rate_limit: null,
  ...attributes,
  ...owner,
  ...secret,
  hash: secret.secret_hash,
  former_secret: null,
  disabled: false,
  created_at: at,
  updated_at: null
})

/** With another secret; the one it had opens it until `graceEnds`, when that is said. */
export const rotate = (
  key: ApiKey,
  secret: KeySecret,
  at: string,
  graceEnds: string | undefined
): ApiKey => ({
  ...key,
  ...secret,
  former_secret: graceEnds === undefined ? null : { hash: key.secret_hash, expires_at: graceEnds },
  updated_at: at
})
