import type * as Schema from "effect/Schema"

/** A schema for each field of a record: the compiler rejects a codec that omits one. */
export type FieldsOf<A> = { readonly [Field in keyof A]-?: Schema.Top }
