/** Reseals everything sealed under another key than the current one, page by page. */
import * as Effect from "effect/Effect"
import type { SealedSecret, Sealer } from "./Sealer.ts"

interface ResealOptions<Row, E> {
  readonly sealer: Pick<Sealer["Service"], "currentKeyId">
  /** Rows sealed under another key than `keyId`: those after a row in the order of the store, or the first ones. */
  readonly page: (
    keyId: string,
    after: Row | undefined,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Row>>
  /** 1; 0: the row no longer needed it. */
  readonly reseal: (row: Row) => Effect.Effect<number, E>
  readonly describeRow: (row: Row) => string
}

/** The number of resealed rows, 0 without a current key; a row that fails is logged and skipped. */
export const resealAll = Effect.fnUntraced(function* <Row, E>({
  describeRow,
  page,
  reseal,
  sealer: { currentKeyId }
}: ResealOptions<Row, E>): Effect.fn.Return<number> {
  if (currentKeyId === undefined) return 0
  let resealedCount = 0
  let after: Row | undefined
  while (true) {
    const rows = yield* page(currentKeyId, after, pageSize)
    for (const row of rows) {
      resealedCount += yield* reseal(row).pipe(
        Effect.catch((error) =>
          Effect.as(Effect.logError(`${describeRow(row)} was not resealed`, error), 0)
        )
      )
    }
    if (rows.length < pageSize) return resealedCount
    after = rows.at(-1)
  }
})

const pageSize = 100

/** The entry of the audit log for a row that was resealed; none if it was not. */
export const toResealChange =
  (target: string, before: SealedSecret, after: SealedSecret, facts: object = {}) =>
  (isResealed: boolean) => ({
    result: isResealed ? 1 : 0,
    target: isResealed ? target : undefined,
    before: { ...facts, sealed_under: before.keyId },
    after: { ...facts, sealed_under: after.keyId }
  })

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
