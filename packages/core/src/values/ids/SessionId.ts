/** Groups related requests for observability; at most 256 characters, never sent upstream. */
import * as Schema from "effect/Schema"
import { isMaxCharacters } from "../validation/maxCharacters.ts"

export const SessionId = Schema.String.check(isMaxCharacters(256))
export type SessionId = typeof SessionId.Type
