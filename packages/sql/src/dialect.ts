/** Everything in which the statements of the two databases differ. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

export const dialects = ["postgres", "sqlite"] as const
export type Dialect = (typeof dialects)[number]

export const dialectOf = (sql: SqlClient.SqlClient): Dialect =>
  sql.onDialectOrElse({ pg: () => "postgres", orElse: () => "sqlite" })

/** The type of a column that numbers rows in the order in which they came. */
export const sequence: Readonly<Record<Dialect, string>> = {
  postgres: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
  sqlite: "integer PRIMARY KEY"
}

/** Holds `name` until the transaction ends. SQLite has one writer at a time anyway. */
export const lock = (sql: SqlClient.SqlClient, name: string): Effect.Effect<void, SqlError> =>
  sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`),
    orElse: () => Effect.void
  })
