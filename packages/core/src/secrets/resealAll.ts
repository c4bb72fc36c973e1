/** Goes through all that is sealed under another key than the current one, with few of them in memory at a time. */
import * as Effect from "effect/Effect"

interface ResealOptions<Row, E> {
  /** Those behind a row, in whatever order the store has; from the beginning without one. */
  readonly page: (after: Row | undefined, limit: number) => Effect.Effect<ReadonlyArray<Row>>
  /** 1; 0: there was nothing to do any more. */
  readonly reseal: (row: Row) => Effect.Effect<number, E>
  readonly describeRow: (row: Row) => string
}

/** How many were sealed anew; which one could not be is told of in the log, and the others go on. */
export const resealAll = Effect.fnUntraced(function* <Row, E>({
  describeRow,
  page,
  reseal
}: ResealOptions<Row, E>): Effect.fn.Return<number> {
  let resealedCount = 0
  let after: Row | undefined
  while (true) {
    const rows = yield* page(after, pageSize)
    for (const row of rows) {
      resealedCount += yield* reseal(row).pipe(
        Effect.catch((error) =>
          Effect.as(Effect.logError(`${describeRow(row)} was not sealed anew`, error), 0)
        )
      )
    }
    if (rows.length < pageSize) return resealedCount
    after = rows.at(-1)
  }
})

const pageSize = 100
