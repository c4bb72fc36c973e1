/** Selects a page of a list by offset, with the number of rows on all pages. */
import type { OffsetPage, OffsetRequest } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { countAll } from "./countRows.ts"
import type { DocumentRow } from "./DocumentRow.ts"

interface PageQuery<Row, A> {
  /** A table and the conditions on its rows. */
  readonly from: Fragment
  /** The expressions to sort by. */
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
  // A first page with room left holds every row, so nothing needs to be counted.
  const isComplete = page.offset === 0 && rows.length < page.limit
  const total = isComplete ? rows.length : yield* countAll(sql, from)
  return { rows: rows.map(decode), total }
})
