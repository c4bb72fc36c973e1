/** Ids of accounts, the owners of all stored rows. */
import * as Schema from "effect/Schema"

/** The id of an account; never empty. */
export const AccountId = Schema.NonEmptyString.pipe(Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

/** The account of a host that has only one. */
export const defaultAccountId: AccountId = AccountId.make("default")
