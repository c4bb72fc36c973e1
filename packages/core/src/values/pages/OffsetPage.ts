/** Pages of a list by offset, with the total count. */

/** Which rows of a list to return. */
export interface OffsetRequest {
  readonly offset: number
  readonly limit: number
}

/** A page of rows. */
export interface OffsetPage<A> {
  readonly rows: ReadonlyArray<A>
  /** The number of rows on all pages. */
  readonly total: number
}

/** All rows on one page. */
export const unlimitedPage: OffsetRequest = { offset: 0, limit: Number.MAX_SAFE_INTEGER }

export const toOffsetPage = <A>(
  all: ReadonlyArray<A>,
  { limit, offset }: OffsetRequest
): OffsetPage<A> => ({
  rows: all.slice(offset, offset + limit),
  total: all.length
})

export const mapPage = <A, B>(
  { rows, total }: OffsetPage<A>,
  map: (row: A) => B
): OffsetPage<B> => ({
  rows: rows.map(map),
  total
})
