/** The shapes answers of management operations share. */
import * as Schema from "effect/Schema"

export const dataEnvelope = <S extends Schema.Top>(data: S) => Schema.Struct({ data })

export const pageEnvelope = <S extends Schema.Top>(row: S) =>
  Schema.Struct({
    data: Schema.Array(row),
    /** On all pages. */
    total_count: Schema.Int
  })

/** Of a list that is walked by cursors. */
export const cursorPageEnvelope = <S extends Schema.Top>(row: S) =>
  Schema.Struct({
    data: Schema.Array(row),
    has_more: Schema.Boolean,
    /** For `starting_after` of the next page; there when `has_more` is true. */
    next_cursor: Schema.optionalKey(Schema.String)
  })

export const DeletedResponse = Schema.Struct({ deleted: Schema.Literal(true) })

const limit = Schema.optionalKey(
  Schema.FiniteFromString.annotate({ description: "How many to return; 1 to 100, default 50." })
)

export const pageQuery = {
  offset: Schema.optionalKey(
    Schema.FiniteFromString.annotate({ description: "How many to leave out; default 0." })
  ),
  limit
}

export const cursorQuery = {
  starting_after: Schema.optionalKey(
    Schema.String.annotate({ description: "The next_cursor of the page before." })
  ),
  limit
}
