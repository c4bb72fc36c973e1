/** A customer's own credential at a provider. */
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { KeyHash } from "../../values/ids/Ids.ts"
import { isMaxCharacters, isPlainText } from "../../values/validation/text.ts"

const maxAllowListEntries = 100

const AllowList = <S extends Schema.Codec<string>>(entry: S) =>
  Schema.NullOr(Schema.Array(entry).check(Schema.isMaxLength(maxAllowListEntries)))

const Name = Schema.NullOr(Schema.String.check(isMaxCharacters(200), isPlainText))

const Provider = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9._/-]*$/, { expected: "the slug of a provider" }),
  Schema.isMaxLength(200)
)

/** The fields that callers may set and change. */
const editableFields = {
  /** The API keys that may use it, by hash; null: all. */
  allowed_api_key_hashes: Schema.NullOr(
    Schema.Array(KeyHash).check(Schema.isMinLength(1), Schema.isMaxLength(maxAllowListEntries))
  ),
  /** The models it is used for; null: all. */
  allowed_models: AllowList(Schema.NonEmptyString.check(isMaxCharacters(200))),
  /** The users whose keys may use it; null: all. */
  allowed_user_ids: AllowList(Schema.NonEmptyString.check(isMaxCharacters(256))),
  /** Whether the owner declares zero data retention; null: the policy of the endpoint applies. */
  declared_zdr: Schema.NullOr(Schema.Boolean),
  /** A disabled credential is never used. */
  disabled: Schema.Boolean,
  /** Requests for all models use this provider only with credentials like this one. */
  is_byok_only: Schema.Boolean,
  /** Tried after the shared endpoints instead of before them. */
  is_fallback: Schema.Boolean,
  /** Like `is_byok_only`, but only for the models the credential is used for. */
  is_required: Schema.Boolean
}

/** A customer's own credential as the HTTP API shows it, its secret masked. */
export const Credential = Schema.Struct({
  id: Schema.String,
  /** Empty when not given. */
  name: Schema.String,
  /** The masked secret. */
  label: Schema.String,
  provider: Schema.String,
  /** Null: every workspace of the account; only the host creates such credentials. */
  workspace_id: Schema.NullOr(Schema.String),
  ...editableFields,
  /** Smaller ones are tried first among the credentials of a provider. */
  sort_order: Schema.Int,
  /** ISO 8601. */
  created_at: Schema.String
})
export type Credential = typeof Credential.Type

/** Some clouds use whole documents as secrets. Redacted once decoded. */
const Secret = Schema.RedactedFromValue(
  Schema.NonEmptyString.check(
    Schema.isTrimmed({ expected: "a key without blanks around it" }),
    isMaxCharacters(16_384)
  ),
  { label: "provider key" }
)

/** The request body of a new credential. */
export const NewCredential = Schema.Struct({
  provider: Provider,
  key: Secret,
  name: Schema.optionalKey(Name),
  workspace_id: Schema.optionalKey(Schema.String),
  ...Schema.Struct(editableFields).mapFields(Struct.map(Schema.optionalKey)).fields
})
export type NewCredential = typeof NewCredential.Type

/** Omitted fields stay unchanged; a `key` replaces the secret. */
export const CredentialPatch = Schema.Struct({
  key: Secret,
  name: Name,
  ...editableFields
}).mapFields(Struct.map(Schema.optionalKey))
export type CredentialPatch = typeof CredentialPatch.Type

/** Why an upstream refused a credential. */
export const RefusalRecord = Schema.Struct({
  /** ISO 8601. */
  at: Schema.String,
  /** The kind of the failure, such as `credential_refused`. */
  kind: Schema.String,
  /** The status of the upstream; null when it was not called, because the secret cannot be unsealed. */
  status: Schema.NullOr(Schema.Int)
})
export type RefusalRecord = typeof RefusalRecord.Type

const { disabled, id, label, name, provider, sort_order } = Credential.fields

/** The state of a credential: the key that seals it, and its last refusal. */
export const CredentialState = Schema.Struct({
  id,
  name,
  provider,
  label,
  disabled,
  sort_order,
  /** Id of the host's sealing key. */
  sealed_under: Schema.String,
  /** Last rejection by an upstream; null if there was none since the secret last changed. */
  last_error: Schema.NullOr(RefusalRecord)
})
export type CredentialState = typeof CredentialState.Type

interface CredentialOrigin {
  readonly id: string
  readonly at: string
  readonly label: string
  readonly name: string | null | undefined
  readonly workspace: string | null
}

export const make = (
  config: Omit<NewCredential, "key" | "name" | "workspace_id">,
  { at, id, label, name, workspace }: CredentialOrigin
): Omit<Credential, "sort_order"> => ({
  allowed_api_key_hashes: null,
  allowed_models: null,
  allowed_user_ids: null,
  declared_zdr: null,
  disabled: false,
  is_byok_only: false,
  is_fallback: false,
  is_required: false,
  ...config,
  id,
  name: name ?? "",
  label,
  workspace_id: workspace,
  created_at: at
})

/** A credential that the host configures. */
export interface HostCredential extends Omit<NewCredential, "key" | "name" | "workspace_id"> {
  readonly key: string | Redacted.Redacted
  /** Distinguishes several credentials of one provider. */
  readonly name?: string
  /** The id or slug of a workspace; default: every workspace. If it does not exist, the credential is skipped with a warning. */
  readonly workspace_id?: string
}
