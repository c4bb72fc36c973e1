/** Selects a page of a list by cursor, newest rows first. */
import { type CursorRequest, type CursorPage, toCursorPage } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { type DocumentRow, readDocument } from "./DocumentRow.ts"

/** `seq` numbers the rows of a table in insertion order and serves as the cursor. */
interface SequencedRow<A> extends DocumentRow<A> {
  readonly seq: number | bigint
}

/** Reads no more rows than the page has, given an index on the columns of `conditions` followed by `seq`. */
export const selectCursorPage = <A>(
  sql: SqlClient.SqlClient,
  table: string,
  conditions: ReadonlyArray<Fragment>,
  page: CursorRequest
): Effect.Effect<CursorPage<A>, SqlError> => {
  const { after = Number.MAX_SAFE_INTEGER, limit } = page
  return Effect.map(
    sql<SequencedRow<A>>`
      SELECT seq, document FROM ${sql(table)}
      WHERE ${sql.and([...conditions, sql`seq < ${after}`])}
      ORDER BY seq DESC LIMIT ${limit + 1}`,
    (rows) =>
      toCursorPage(
        rows.map((row) => ({ cursor: Number(row.seq), row: readDocument(row) })),
        page
      )
  )
}
