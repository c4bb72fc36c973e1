/** Adds up series, so that each is drawn on top of the ones before it. */

export type Values = ReadonlyArray<number | null>

/** The sums up to and including each series; null counts as 0. */
export const stack = (series: ReadonlyArray<Values>): ReadonlyArray<ReadonlyArray<number>> => {
  let below: ReadonlyArray<number> = []
  return series.map(
    (values) => (below = values.map((value, at) => (value ?? 0) + (below[at] ?? 0)))
  )
}
