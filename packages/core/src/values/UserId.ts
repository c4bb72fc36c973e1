/** A person of an account: the member a key acts for; at most 256 characters. */
import * as Schema from "effect/Schema"

/** Names a member: 1 to 256 characters. */
export const UserId = Schema.NonEmptyString.check(Schema.isMaxLength(256)).pipe(
  Schema.brand("UserId")
)
export type UserId = typeof UserId.Type
