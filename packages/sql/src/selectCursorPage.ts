/** A stretch of a list that grows without end: one walk along an index, as long as the stretch is. */
import { type CursorRequest, type CursorPage, toCursorPage } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { type DocumentRow, readDocument } from "./DocumentRow.ts"

/** The place of a row in its table. */
interface SequencedRow<A> extends DocumentRow<A> {
  readonly seq: number | bigint
}

/** `matching` is what rows must be; an index of exactly that and `seq` makes it cheap. */
export const selectCursorPage = <A>(
  sql: SqlClient.SqlClient,
  table: string,
  matching: ReadonlyArray<Fragment>,
  scroll: CursorRequest
): Effect.Effect<CursorPage<A>, SqlError> => {
  const { after = Number.MAX_SAFE_INTEGER, limit } = scroll
  return Effect.map(
    sql<SequencedRow<A>>`
      SELECT seq, document FROM ${sql(table)}
      WHERE ${sql.and([...matching, sql`seq < ${after}`])}
      ORDER BY seq DESC LIMIT ${limit + 1}`,
    (rows) =>
      toCursorPage(
        rows.map((row) => ({ cursor: Number(row.seq), row: readDocument(row) })),
        scroll
      )
  )
}
