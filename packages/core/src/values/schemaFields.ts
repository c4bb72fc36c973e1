/** Field schemas that stored records share. */
import * as Schema from "effect/Schema"

/** Any JSON. Records type it as unknown; the cast is needed because a codec has exactly one type. */
export const UnknownJson = Schema.Json as Schema.Top as Schema.Codec<unknown, Schema.Json>

export const optionalTrue = Schema.optionalKey(Schema.Literal(true))

export const optionalNumber = Schema.optionalKey(Schema.Finite)

export const optionalText = Schema.optionalKey(Schema.String)

export const nullableText = Schema.NullOr(Schema.String)
