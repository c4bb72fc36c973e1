/** A person of an account: the member a key acts for. */
import * as Schema from "effect/Schema"

export const UserId = Schema.NonEmptyString.pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type
