/** Who owns a stored thing: every row of every store belongs to one account. */
import * as Schema from "effect/Schema"

/** Names an account; never empty. */
export const AccountId = Schema.NonEmptyString.pipe(Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

/** The account of a host that has only one. */
export const defaultAccountId: AccountId = AccountId.make("default")
