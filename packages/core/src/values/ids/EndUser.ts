/** The caller's own id of its end user; at most 256 characters, never sent upstream. */
import * as Schema from "effect/Schema"
import { isMaxCharacters } from "../validation/maxCharacters.ts"

export const EndUser = Schema.String.check(isMaxCharacters(256))
export type EndUser = typeof EndUser.Type
