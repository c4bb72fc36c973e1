/** The caller's own id of its end user; at most 256 characters, never sent upstream. */
import * as Schema from "effect/Schema"

export const EndUser = Schema.String.check(Schema.isMaxLength(256))
export type EndUser = typeof EndUser.Type
