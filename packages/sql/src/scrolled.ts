/** A stretch of a list that grows without end: one walk along an index, as long as the stretch is. */
import { type Scroll, type Scrolled, scrolled as stretchOf } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { type Kept, read } from "./kept.ts"

/** The place of a row in its table. */
interface Numbered<A> extends Kept<A> {
  readonly seq: number | bigint
}

/** `matching` is what rows must be; an index of exactly that and `seq` makes it cheap. */
export const scrolled = <A>(
  sql: SqlClient.SqlClient,
  table: string,
  matching: ReadonlyArray<Fragment>,
  scroll: Scroll
): Effect.Effect<Scrolled<A>, SqlError> => {
  const { after = Number.MAX_SAFE_INTEGER, limit } = scroll
  return Effect.map(
    sql<Numbered<A>>`
      SELECT seq, document FROM ${sql(table)}
      WHERE ${sql.and([...matching, sql`seq < ${after}`])}
      ORDER BY seq DESC LIMIT ${limit + 1}`,
    (rows) =>
      stretchOf(
        rows.map((row) => ({ place: Number(row.seq), row: read(row) })),
        scroll
      )
  )
}
