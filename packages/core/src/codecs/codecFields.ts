/** What the codecs of records are made of. */
import * as Schema from "effect/Schema"

/** A schema for each field of a record: the compiler sees to it that none is forgotten, and so lost. */
export type FieldsOf<A> = { readonly [Field in keyof A]-?: Schema.Top }

/** Plain JSON of any form. Its records call it unknown: a cast, since a codec is of exactly one type. */
export const UnknownJson = Schema.Json as Schema.Top as Schema.Codec<unknown, Schema.Json>

export const optionalTrue = Schema.optionalKey(Schema.Literal(true))
export const optionalNumber = Schema.optionalKey(Schema.Finite)
export const optionalText = Schema.optionalKey(Schema.String)
export const nullableText = Schema.NullOr(Schema.String)
