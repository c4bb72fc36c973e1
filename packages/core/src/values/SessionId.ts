/** Groups related requests for observability; at most 256 characters, never sent upstream. */
import * as Schema from "effect/Schema"

export const SessionId = Schema.String.check(Schema.isMaxLength(256))
export type SessionId = typeof SessionId.Type
