/** Selects a page of rows, of all accounts, whose secrets are sealed under another key than the current one. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type DocumentRow, readDocument } from "./DocumentRow.ts"
import { toKeyText } from "./toKeyText.ts"

interface ResealQuery {
  readonly table: string
  /** The column of the sealed document; default: `document`. */
  readonly documentColumn?: string
  /** The column of the id of the sealing key; default: `sealed_under`. */
  readonly keyColumn?: string
  /** The id of the current sealing key. */
  readonly keyId: string
  /** The columns that identify a row. An index on `keyColumn` followed by these makes the query cheap. */
  readonly id: ReadonlyArray<string>
  /** The last row of the previous page: the values of `keyColumn` and of the columns in `id`. */
  readonly after: ReadonlyArray<string> | undefined
  readonly limit: number
}

export const selectRowsToReseal = Effect.fnUntraced(function* <A>(
  sql: SqlClient.SqlClient,
  {
    after,
    documentColumn = "document",
    id,
    keyId,
    limit,
    table,
    keyColumn = "sealed_under"
  }: ResealQuery
): Effect.fn.Return<ReadonlyArray<A>, SqlError> {
  const order = sql.csv([keyColumn, ...id].map((column) => sql`${sql(column)}`))
  const afterLast =
    after === undefined
      ? []
      : [sql`(${order}) > (${sql.csv(after.map((part) => sql`${toKeyText(part)}`))})`]
  const selectKeys = (comparison: "<" | ">", limit: number) =>
    sql<DocumentRow<A>>`SELECT ${sql(documentColumn)} AS document FROM ${sql(table)}
      WHERE ${sql.and([sql`${sql(keyColumn)} ${sql.literal(comparison)} ${toKeyText(keyId)}`, ...afterLast])}
      ORDER BY ${order} LIMIT ${limit}`
  // Each query is one index range scan; `<>` in a single query would scan the whole table.
  const lower = yield* selectKeys("<", limit)
  const higher = lower.length < limit ? yield* selectKeys(">", limit - lower.length) : []
  return [...lower, ...higher].map(readDocument)
})
