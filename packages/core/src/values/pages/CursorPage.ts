/** A stretch of a list that grows without end: it begins where the one before ended, and nothing is counted. */

export interface CursorRequest {
  /** Rows at most; 1 or more. */
  readonly limit: number
  /** Only rows of smaller places: the `nextMessage` of the stretch before. */
  readonly after?: number
}

/** A stretch of rows, and where the next one goes on. */
export interface CursorPage<A> {
  /** The latest to come first. */
  readonly rows: ReadonlyArray<A>
  /** Where the next stretch goes on; absent when there is nothing more. */
  readonly nextCursor?: number
}

/** A row, and where it stands: a safe integer of 0 or more, greater than those of the rows it found there. */
export interface CursorRow<A> {
  readonly cursor: number
  readonly row: A
}

/**
 * The stretch that is asked for, of rows that are newest first: of a whole list, or of the first `limit + 1` that
 * match. Takes no more of them than that.
 */
export const toCursorPage = <A>(
  newest: Iterable<CursorRow<A>>,
  { after = Infinity, limit }: CursorRequest
): CursorPage<A> => {
  const rows: Array<A> = []
  let last: number | undefined
  for (const { cursor, row } of newest) {
    if (cursor >= after) continue
    if (rows.length === limit)
      return { rows, ...(last === undefined ? undefined : { nextCursor: last }) }
    rows.push(row)
    last = cursor
  }
  return { rows }
}
