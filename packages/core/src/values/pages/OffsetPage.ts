/** A stretch of a list, and what it is a stretch of. */
export interface OffsetRequest {
  readonly offset: number
  readonly limit: number
}

/** A page of rows, and how many there are in all. */
export interface OffsetPage<A> {
  readonly rows: ReadonlyArray<A>
  /** How many there are on all pages. */
  readonly total: number
}

export const toOffsetPage = <A>(
  all: ReadonlyArray<A>,
  { limit, offset }: OffsetRequest
): OffsetPage<A> => ({
  rows: all.slice(offset, offset + limit),
  total: all.length
})
