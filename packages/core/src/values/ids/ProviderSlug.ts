/** The public name of an upstream provider, as used in `only`, `ignore` and `order`. */
import * as Schema from "effect/Schema"

export const ProviderSlug = Schema.NonEmptyString.pipe(Schema.brand("ProviderSlug"))
export type ProviderSlug = typeof ProviderSlug.Type
