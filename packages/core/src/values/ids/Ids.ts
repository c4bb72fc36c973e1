/** The ids of what callers name, and how long they may be. */
import * as Schema from "effect/Schema"
import { isMaxCharacters, isPlainText } from "../validation/text.ts"

/** Groups related requests for observability; at most 256 characters, never sent upstream. */
export const SessionId = Schema.String.check(isMaxCharacters(256))
export type SessionId = typeof SessionId.Type

/** The public name of an upstream provider, as used in `only`, `ignore` and `order`. */
export const ProviderSlug = Schema.NonEmptyString.pipe(Schema.brand("ProviderSlug"))
export type ProviderSlug = typeof ProviderSlug.Type

/** Identifies a key by the SHA-256 of its secret in lower-case hex. */
export const KeyHash = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{64}$/, { expected: "the hash of a key, 64 hex digits" })
).pipe(Schema.brand("KeyHash"))
export type KeyHash = typeof KeyHash.Type

/** The id of an account; never empty. */
export const AccountId = Schema.NonEmptyString.pipe(Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

/** The account of a host that has only one. */
export const defaultAccountId: AccountId = AccountId.make("default")

/** Names a workspace; never empty. */
export const WorkspaceId = Schema.NonEmptyString.pipe(Schema.brand("WorkspaceId"))
export type WorkspaceId = typeof WorkspaceId.Type

/** The pattern of an id, a UUID in lower case. */
export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a text has the form of an id. A slug never has it. */
export const isUuid = (text: string): boolean => uuidPattern.test(text)

/** The default workspace of every account. */
export const defaultWorkspaceId: WorkspaceId = WorkspaceId.make(
  "00000000-0000-4000-8000-000000000000"
)

/** The caller's own id of its end user; at most 256 characters, never sent upstream. */
export const EndUser = Schema.String.check(isMaxCharacters(256))
export type EndUser = typeof EndUser.Type

/** Names a member: 1 to 256 characters. */
export const UserId = Schema.NonEmptyString.check(isMaxCharacters(256)).pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

/**
 * The id of a new user, with characters that are safe to show to others. Stored ids, and ids of users to delete, may be
 * older than this check.
 */
export const NewUserId = UserId.check(isPlainText)

/** The public name of a model, `author/name` with an optional `:variant`. */
export const ModelSlug = Schema.NonEmptyString.pipe(Schema.brand("ModelSlug"))
export type ModelSlug = typeof ModelSlug.Type
