/** A page of rows in memory in the order of their unique ids: those after `after`, or the first ones. */
export const listRowsToReseal = <Row>(
  rows: ReadonlyArray<Row>,
  idOf: (row: Row) => string,
  after: Row | undefined,
  limit: number
): ReadonlyArray<Row> => {
  const ids = new Map(rows.map((row) => [idOf(row), row]))
  const last = after === undefined ? undefined : idOf(after)
  return Array.from(ids)
    .filter(([id]) => last === undefined || id > last)
    .toSorted(([self], [that]) => (self < that ? -1 : 1))
    .slice(0, limit)
    .map(([, row]) => row)
}
