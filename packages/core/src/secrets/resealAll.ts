/** Reseals everything sealed under another key than the current one, page by page. */
import * as Effect from "effect/Effect"

interface ResealOptions<Row, E> {
  /** The rows after a row in the order of the store; without one, from the beginning. */
  readonly page: (after: Row | undefined, limit: number) => Effect.Effect<ReadonlyArray<Row>>
  /** 1; 0: the row no longer needed it. */
  readonly reseal: (row: Row) => Effect.Effect<number, E>
  readonly describeRow: (row: Row) => string
}

/** The number of resealed rows; a row that fails is logged and skipped. */
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
