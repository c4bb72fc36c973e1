/** A stored API key: its hash, name, limits and expiry, never the secret itself. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { AccountId, KeyHash, NewUserId, UserId, WorkspaceId } from "../../../values/ids/Ids.ts"
import { IsoDateTime } from "../../../values/IsoDateTime.ts"
import { Tags } from "../../../values/Tags.ts"
import { isMaxCharacters, isPlainText } from "../../../values/validation/text.ts"

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

/** Tokens of requests and answers allowed per window of milliseconds. */
export const TokenRateLimit = Schema.Struct({
  tokens: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1e12 })),
  windowMillis: KeyRateLimit.fields.windowMillis
})
export type TokenRateLimit = typeof TokenRateLimit.Type

/** Requests that may run at the same time. */
export const ParallelRequests = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1e6 }))

/** How often a key calls, how many tokens it uses and how many requests it runs at a time; null: no limit. */
export const KeyLimits = Schema.Struct({
  rate_limit: Schema.NullOr(KeyRateLimit),
  token_rate_limit: Schema.NullOr(TokenRateLimit),
  max_parallel_requests: Schema.NullOr(ParallelRequests)
})
export type KeyLimits = typeof KeyLimits.Type

/** The fields that key management may change. */
const editableFields = {
  name: Schema.NonEmptyString.check(isMaxCharacters(200)),
  /** USD that may be spent between two resets, 0 to 1e12; null: no limit of the key. */
  limit: Schema.NullOr(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1e12 }))),
  /** When the spend is reset, by `Settings.limitTimeZone`; null: never. */
  limit_reset: Schema.NullOr(Schema.Literals(["daily", "weekly", "monthly"])),
  /** Whether spending on the account's own provider credentials counts too. */
  include_byok_in_limit: Schema.Boolean
}

/** Who consented to a key. */
const GrantedBy = Schema.Struct({
  /** The subject whose spending the limit counts. */
  subject: Schema.String,
  /** Whose rate limits count its requests, too; absent in keys of earlier versions, which are counted by themselves. */
  rate_owner: Schema.optionalKey(Schema.String),
  /** The limit, as `KeyLimit` has it; null: there was none. */
  limit: Schema.NullOr(
    Schema.Struct({
      nano_usd: Schema.String.check(Schema.isPattern(/^\d{1,30}$/)),
      reset: editableFields.limit_reset,
      includes_byok: Schema.Boolean,
      soft: Schema.optionalKey(Schema.Literal(true))
    })
  )
})

/** A stored API key. */
export const ApiKey = Schema.Struct({
  /** The permanent id of the key: the hash of its first secret. */
  hash: KeyHash,
  /** The hash of its current secret. */
  secret_hash: KeyHash,
  /** The hash of its former secret, and when that one expires, in ISO 8601. */
  former_secret: Schema.NullOr(Schema.Struct({ hash: KeyHash, expires_at: Schema.String })),
  account: AccountId,
  workspace: WorkspaceId,
  kind: KeyKind,
  /** The member a `member` key acts for. */
  user: Schema.optionalKey(UserId),
  /** The masked secret. */
  label: Schema.String,
  ...editableFields,
  /** Whether `limit` only warns, and refuses nothing; absent: false. */
  soft_limit: Schema.optionalKey(Schema.Boolean),
  disabled: Schema.Boolean,
  /** ISO 8601, UTC. */
  expires_at: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  updated_at: Schema.NullOr(Schema.String),
  creator_user_id: Schema.NullOr(Schema.String),
  /** The partner's id of the user it gave the key to. */
  external_user: Schema.NullOr(Schema.String),
  /** The hash of the partner's lookup key, which does not authenticate. */
  external_key_hash: Schema.NullOr(KeyHash),
  /** Set by key management; applies in addition to the host's. */
  rate_limit: Schema.NullOr(KeyRateLimit),
  /** Set by the host in code, in place of `Settings.rateLimit`. */
  host_rate_limit: Schema.NullOr(KeyRateLimit),
  /** Set by key management; apply in addition to the host's. Absent or null: it sets none. */
  token_rate_limit: Schema.optionalKey(Schema.NullOr(TokenRateLimit)),
  max_parallel_requests: Schema.optionalKey(Schema.NullOr(ParallelRequests)),
  /** Set by the host in code, in place of its settings. Absent or null: the settings apply. */
  host_token_rate_limit: Schema.optionalKey(Schema.NullOr(TokenRateLimit)),
  host_max_parallel_requests: Schema.optionalKey(Schema.NullOr(ParallelRequests)),
  /** Whether its workspace is that of a customer; only then does a request look for a bundle. */
  customer: Schema.optionalKey(Schema.Literal(true)),
  /** For a key that an application got by signing in: who consented, whose limit binds it, too. */
  granted_by: Schema.optionalKey(GrantedBy),
  /** Tags of its requests; of a key that an application got by signing in, those of who consented. */
  tags: Schema.optionalKey(Tags)
})
export type ApiKey = typeof ApiKey.Type

const { name: storedName, ...optionalFields } = editableFields
/** Stored names may be older than this check. */
const name = storedName.check(isPlainText)

/** The request body of a new key. */
export const NewKey = Schema.Struct({
  name,
  ...Schema.Struct(optionalFields).mapFields(Struct.map(Schema.optionalKey)).fields,
  soft_limit: ApiKey.fields.soft_limit,
  expires_at: Schema.optionalKey(Schema.NullOr(IsoDateTime)),
  /** An id or slug; default: the default workspace. */
  workspace_id: Schema.optionalKey(Schema.NonEmptyString),
  /** The member the key acts for; null: the organization. */
  creator_user_id: Schema.optionalKey(Schema.NullOr(NewUserId)),
  /** Tags of its requests. */
  tags: ApiKey.fields.tags,
  external: Schema.optionalKey(
    Schema.Struct({
      user: Schema.NonEmptyString.check(isMaxCharacters(256), isPlainText),
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

/** The fields of a key that the host configures. */
export const HostKey = Schema.Struct({
  ...editableFields,
  expires_at: Schema.NullOr(IsoDateTime),
  ...KeyLimits.fields
})

/** Omitted fields stay unchanged. */
export const KeyPatch = Schema.Struct({
  ...editableFields,
  name,
  soft_limit: Schema.Boolean,
  disabled: Schema.Boolean
}).mapFields(Struct.map(Schema.optionalKey))
export type KeyPatch = typeof KeyPatch.Type

export type KeyOwner = Pick<ApiKey, "account" | "workspace" | "kind" | "user">

export type KeySecret = Pick<ApiKey, "label" | "secret_hash">

export type KeyAttributes = Partial<
  Pick<
    ApiKey,
    | "limit"
    | "limit_reset"
    | "include_byok_in_limit"
    | "soft_limit"
    | "expires_at"
    | "creator_user_id"
    | "external_user"
    | "external_key_hash"
    | "host_rate_limit"
    | "customer"
    | "host_token_rate_limit"
    | "host_max_parallel_requests"
  >
> &
  Partial<GrantedAttributes> &
  Pick<ApiKey, "name">

/** What a key has of who consented to it. */
export type GrantedAttributes = Pick<
  ApiKey,
  | "granted_by"
  | "host_max_parallel_requests"
  | "host_rate_limit"
  | "host_token_rate_limit"
  | "max_parallel_requests"
  | "rate_limit"
  | "tags"
  | "token_rate_limit"
>

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

/** Replaces the secret; the former one stays valid until `graceEnds`, if given. */
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
