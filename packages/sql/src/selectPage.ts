/** A page of a listing, and how many rows there are on all pages. */
import type { OffsetPage, OffsetRequest } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type { DocumentRow } from "./DocumentRow.ts"

interface PageQuery<Row, A> {
  /** A table, and what its rows must be. */
  readonly from: Fragment
  /** What they are sorted by. */
  readonly order: Fragment
  readonly page: OffsetRequest
  readonly decode: (row: DocumentRow<Row>) => A
}

export const selectPage = Effect.fnUntraced(function* <Row, A>(
  sql: SqlClient.SqlClient,
  { from, decode, order, page }: PageQuery<Row, A>
): Effect.fn.Return<OffsetPage<A>, SqlError> {
  const limit = Math.min(page.limit, Number.MAX_SAFE_INTEGER)
  const rows = yield* sql<DocumentRow<Row>>`
    SELECT document FROM ${from} ORDER BY ${order} LIMIT ${limit} OFFSET ${page.offset}`
  // A first page that is not full is all there is.
  const isAll = page.offset === 0 && rows.length < page.limit
  const total = isAll ? rows.length : yield* countAll(sql, from)
  return { rows: rows.map(decode), total }
})

const countAll = (sql: SqlClient.SqlClient, from: Fragment): Effect.Effect<number, SqlError> =>
  Effect.map(sql<{ total: number | bigint }>`SELECT count(*) AS total FROM ${from}`, ([row]) =>
    Number(row?.total ?? 0)
  )
