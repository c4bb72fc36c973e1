/** The public name of a model, `author/name` with an optional `:variant`. */
import * as Schema from "effect/Schema"

export const ModelSlug = Schema.NonEmptyString.pipe(Schema.brand("ModelSlug"))
export type ModelSlug = typeof ModelSlug.Type
