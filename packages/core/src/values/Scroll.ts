/** A stretch of a list that grows without end: it begins where the one before ended, and nothing is counted. */

export interface Scroll {
  /** Rows at most; 1 or more. */
  readonly limit: number
  /** Only rows of smaller places: the `next` of the stretch before. */
  readonly after?: number
}

/** A stretch of rows, and where the next one goes on. */
export interface Scrolled<A> {
  /** The latest to come first. */
  readonly rows: ReadonlyArray<A>
  /** Where the next stretch goes on; absent when there is nothing more. */
  readonly next?: number
}

/** A row, and where it stands: a safe integer of 0 or more, greater than those of the rows it found there. */
export interface Placed<A> {
  readonly place: number
  readonly row: A
}

/**
 * The stretch that is asked for, of rows that are newest first: of a whole list, or of the first `limit + 1` that
 * match. Takes no more of them than that.
 */
export const scrolled = <A>(
  newest: Iterable<Placed<A>>,
  { after = Infinity, limit }: Scroll
): Scrolled<A> => {
  const rows: Array<A> = []
  let last: number | undefined
  for (const { place, row } of newest) {
    if (place >= after) continue
    if (rows.length === limit) return { rows, ...(last === undefined ? undefined : { next: last }) }
    rows.push(row)
    last = place
  }
  return { rows }
}
