/** The shapes answers of management operations share. */
import * as Schema from "effect/Schema"

export const dataOf = <S extends Schema.Top>(data: S) => Schema.Struct({ data })

export const listOf = <S extends Schema.Top>(row: S) =>
  Schema.Struct({
    data: Schema.Array(row),
    /** On all pages. */
    total_count: Schema.Int
  })

export const Deleted = Schema.Struct({ deleted: Schema.Literal(true) })

export const pagingQuery = {
  offset: Schema.optionalKey(
    Schema.FiniteFromString.annotate({ description: "How many to leave out; default 0." })
  ),
  limit: Schema.optionalKey(
    Schema.FiniteFromString.annotate({
      description: "How many to return; 1 to 100, default 50."
    })
  )
}
