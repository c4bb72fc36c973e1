/** Every difference between the statements for SQLite and for Postgres. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"

export const dialects = ["postgres", "sqlite"] as const
export type Dialect = (typeof dialects)[number]

export const toDialect = (sql: SqlClient.SqlClient): Dialect =>
  sql.onDialectOrElse({ pg: () => "postgres", orElse: () => "sqlite" })

/** The type of a column that numbers rows in insertion order. */
export const sequence: Readonly<Record<Dialect, string>> = {
  postgres: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
  sqlite: "integer PRIMARY KEY"
}

/** Sorts text by code point, independent of the locale of the database. */
export const byCodePoint: Readonly<Record<Dialect, string>> = {
  postgres: 'COLLATE "C"',
  sqlite: "COLLATE BINARY"
}

/** A condition that the text of a column contains `text`, in the same case. */
export const findText = (sql: SqlClient.SqlClient, column: string, text: string): Fragment =>
  sql.onDialectOrElse({
    pg: () => sql`strpos(${sql(column)}, ${text}) > 0`,
    orElse: () => sql`instr(${sql(column)}, ${text}) > 0`
  })

/** Holds an advisory lock on `name` until the transaction ends. SQLite has only one writer at a time anyway. */
export const acquireExclusiveLock = (
  sql: SqlClient.SqlClient,
  name: string
): Effect.Effect<void, SqlError> =>
  sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`),
    orElse: () => Effect.void
  })

/**
 * Shares an advisory lock on `name` until the transaction ends. Advisory locks are granted in order, so an
 * exclusive one is not starved by new sharers, as it would be with row locks.
 */
export const acquireSharedLock = (
  sql: SqlClient.SqlClient,
  name: string
): Effect.Effect<void, SqlError> =>
  sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`),
    orElse: () => Effect.void
  })

/** Compares timestamps of the job queue, which have no time zone and are UTC, with the clock of the database. */
export const makeQueueClock = (sql: SqlClient.SqlClient, leaseSeconds: number) => {
  const seconds = sql.literal(String(leaseSeconds))
  return sql.onDialectOrElse({
    pg: () => ({
      now: sql`now()`,
      leaseExpiredAt: sql`now() - interval '${seconds} seconds'`,
      millisSince: (timestamp: Fragment) =>
        sql`extract(epoch FROM now()::timestamp - ${timestamp}) * 1000`
    }),
    orElse: () => ({
      now: sql`CURRENT_TIMESTAMP`,
      leaseExpiredAt: sql`datetime(CURRENT_TIMESTAMP, '-${seconds} seconds')`,
      millisSince: (timestamp: Fragment) =>
        sql`(julianday(CURRENT_TIMESTAMP) - julianday(${timestamp})) * 86400000`
    })
  })
}
