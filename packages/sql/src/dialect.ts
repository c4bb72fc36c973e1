/** Everything in which the statements of the two databases differ. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"

export const dialects = ["postgres", "sqlite"] as const
export type Dialect = (typeof dialects)[number]

export const toDialect = (sql: SqlClient.SqlClient): Dialect =>
  sql.onDialectOrElse({ pg: () => "postgres", orElse: () => "sqlite" })

/** The type of a column that numbers rows in the order in which they came. */
export const sequence: Readonly<Record<Dialect, string>> = {
  postgres: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
  sqlite: "integer PRIMARY KEY"
}

/** Sorts text by the codes of its characters, wherever the database is. */
export const byCodePoint: Readonly<Record<Dialect, string>> = {
  postgres: 'COLLATE "C"',
  sqlite: "COLLATE BINARY"
}

/** Holds `name` until the transaction ends. SQLite has one writer at a time anyway. */
export const acquireExclusiveLock = (
  sql: SqlClient.SqlClient,
  name: string
): Effect.Effect<void, SqlError> =>
  sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`),
    orElse: () => Effect.void
  })

/**
 * The same, together with others who share it: `acquireExclusiveLock` waits for all of them. Who shares it later waits for a
 * `acquireExclusiveLock` that came before, which a stream of them would keep waiting for ever if it were a lock of the row.
 */
export const acquireSharedLock = (
  sql: SqlClient.SqlClient,
  name: string
): Effect.Effect<void, SqlError> =>
  sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`),
    orElse: () => Effect.void
  })

/** Moments of the queue, which have no zone, by the clock of the database, as the queue itself reads them. */
export const makeQueueClock = (sql: SqlClient.SqlClient, leaseSeconds: number) => {
  const seconds = sql.literal(String(leaseSeconds))
  return sql.onDialectOrElse({
    pg: () => ({
      now: sql`now()`,
      leaseExpiredAt: sql`now() - interval '${seconds} seconds'`,
      millisSince: (moment: Fragment) =>
        sql`extract(epoch FROM now()::timestamp - ${moment}) * 1000`
    }),
    orElse: () => ({
      now: sql`CURRENT_TIMESTAMP`,
      leaseExpiredAt: sql`datetime(CURRENT_TIMESTAMP, '-${seconds} seconds')`,
      millisSince: (moment: Fragment) =>
        sql`(julianday(CURRENT_TIMESTAMP) - julianday(${moment})) * 86400000`
    })
  })
}
