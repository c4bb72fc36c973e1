/** Pages of a list that grows without end, by cursor and without a total count. */
import { omitUndefined } from "../ownFields.ts"

/** Which rows of a list to return. */
export interface CursorRequest {
  /** At most this many rows, at least 1. */
  readonly limit: number
  /** Only rows with a smaller cursor: the `nextCursor` of the page before. */
  readonly after?: number
}

/** A page of rows. */
export interface CursorPage<A> {
  /** Newest first. */
  readonly rows: ReadonlyArray<A>
  /** Where the next page begins; absent on the last page. */
  readonly nextCursor?: number
}

/** A row and its cursor: a safe integer of at least 0, greater than those of older rows. */
export interface CursorRow<A> {
  readonly cursor: number
  readonly row: A
}

/**
 * Takes a page from rows that are newest first: the whole list, or at least the first `limit + 1` that match. Reads no
 * more rows than that.
 */
export const toCursorPage = <A>(
  newest: Iterable<CursorRow<A>>,
  { after = Infinity, limit }: CursorRequest
): CursorPage<A> => {
  const rows: Array<A> = []
  let nextCursor: number | undefined
  for (const { cursor, row } of newest) {
    if (cursor >= after) continue
    if (rows.length === limit) return { rows, ...omitUndefined({ nextCursor }) }
    rows.push(row)
    nextCursor = cursor
  }
  return { rows }
}
