/** Response envelopes that several operations share. */
import * as Schema from "effect/Schema"
import type { CursorPage } from "../../values/pages/CursorPage.ts"
import type { OffsetPage } from "../../values/pages/OffsetPage.ts"
import { encodeCursor } from "./pageQueries.ts"

export const dataEnvelope = <S extends Schema.Top>(data: S) => Schema.Struct({ data })

export const pageEnvelope = <S extends Schema.Top>(row: S) =>
  Schema.Struct({
    data: Schema.Array(row),
    /** Rows on all pages. */
    total_count: Schema.Int
  })

/** The envelope of a list that is paged by cursors. */
export const cursorPageEnvelope = <S extends Schema.Top>(row: S) =>
  Schema.Struct({
    data: Schema.Array(row),
    has_more: Schema.Boolean,
    /** Value of `starting_after` for the next page; present when `has_more` is true. */
    next_cursor: Schema.optionalKey(Schema.String)
  })

export const DeletedResponse = Schema.Struct({ deleted: Schema.Literal(true) })

export const deletedResponse: typeof DeletedResponse.Type = { deleted: true }

export function toPageResponse<A>(page: OffsetPage<A>): {
  readonly data: ReadonlyArray<A>
  readonly total_count: number
}
export function toPageResponse<A, B>(
  page: OffsetPage<A>,
  toResponse: (row: A) => B
): { readonly data: ReadonlyArray<B>; readonly total_count: number }
export function toPageResponse<A>(
  { rows, total }: OffsetPage<A>,
  toResponse: (row: A) => unknown = (row) => row
) {
  return { data: rows.map(toResponse), total_count: total }
}

export const toCursorPageResponse = <A, B>(
  { nextCursor, rows }: CursorPage<A>,
  toResponse: (row: A) => B
) => ({
  data: rows.map(toResponse),
  has_more: nextCursor !== undefined,
  ...(nextCursor === undefined ? undefined : { next_cursor: encodeCursor(nextCursor) })
})
