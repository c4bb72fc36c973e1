/** A person of an account: the member a key acts for; at most 256 characters. */
import * as Schema from "effect/Schema"
import { isMaxCharacters } from "../validation/maxCharacters.ts"
import { isPlainText } from "../validation/visibleText.ts"

/** Names a member: 1 to 256 characters. */
export const UserId = Schema.NonEmptyString.check(isMaxCharacters(256)).pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

/**
 * The id of a new user, with characters that are safe to show to others. Stored ids, and ids of users to delete, may be
 * older than this check.
 */
export const NewUserId = UserId.check(isPlainText)
