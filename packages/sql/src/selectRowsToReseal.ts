/** A page of what is sealed under another key than the current one, whoever's it is. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type DocumentRow, readDocument } from "./DocumentRow.ts"
import { toKeyText } from "./toKeyText.ts"

interface ResealQuery {
  readonly table: string
  /** The columns that hold what is sealed, and under which key; default: `document` and `sealed_under`. */
  readonly documentColumn?: string
  readonly keyColumn?: string
  /** The current key. */
  readonly keyId: string
  /** The columns that name a row together; an index begins with `under`, and goes on with these. */
  readonly id: ReadonlyArray<string>
  /** Of the row to go on behind: the key it was sealed under, and what names it. */
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
  const behind =
    after === undefined
      ? []
      : [sql`(${order}) > (${sql.csv(after.map((part) => sql`${toKeyText(part)}`))})`]
  const half = (side: "<" | ">", most: number) =>
    sql<DocumentRow<A>>`SELECT ${sql(documentColumn)} AS document FROM ${sql(table)}
      WHERE ${sql.and([sql`${sql(keyColumn)} ${sql.literal(side)} ${toKeyText(keyId)}`, ...behind])}
      ORDER BY ${order} LIMIT ${most}`
  // In two halves, each of which is one walk along an index.
  const before = yield* half("<", limit)
  const rest = before.length < limit ? yield* half(">", limit - before.length) : []
  return [...before, ...rest].map(readDocument)
})
