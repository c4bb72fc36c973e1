/** What people write about a resource. */
import * as Schema from "effect/Schema"
import { isMaxCharacters } from "./maxCharacters.ts"

const maxDescriptionCharacters = 4_096

/** At most 4,096 characters; null: none. */
export const Description = Schema.NullOr(
  Schema.String.check(isMaxCharacters(maxDescriptionCharacters))
)
