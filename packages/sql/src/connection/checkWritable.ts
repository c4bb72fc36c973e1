/** Checks that the database takes changes, and drops sessions that do not. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import { findStoreFailure } from "../errors/findStoreFailure.ts"
import { toDialect } from "./dialect.ts"
import { migrationsTable } from "../migrations/migrationsTable.ts"

/** Writes a row without changing it, which a read-only, full or unreachable database refuses. */
export const checkWritable = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError> =>
  toDialect(sql) === "postgres" ? writeToPostgres(sql) : writeToSqlite(sql)

const writeToPostgres = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError> =>
  Effect.scoped(
    Effect.flatMap(sql.reserve, (session) =>
      session
        .executeUnprepared(
          `UPDATE ${migrationsTable} SET name = name WHERE migration_id = 1`,
          [],
          undefined
        )
        .pipe(
          Effect.tapError((error) =>
            findStoreFailure(error)?.code === readOnlyCode ? dropSession(session) : Effect.void
          ),
          Effect.asVoid
        )
    )
  )

/**
 * Changes the row and changes it back: a row that stays the same is not written
 * (https://github.com/sqlite/sqlite/blob/master/src/btree.c, `btreeOverwriteContent`).
 */
const writeToSqlite = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError> => {
  const table = sql(migrationsTable)
  return Effect.andThen(
    sql`UPDATE ${table} SET name = name || '.' WHERE migration_id = 1`,
    sql`UPDATE ${table} SET name = substr(name, 1, length(name) - 1) WHERE migration_id = 1`
  ).pipe(sql.withTransaction, Effect.asVoid)
}

const readOnlyCode = "SQLSTATE 25006"

/**
 * Ends the sessions of a pool of this size that began while the database was read-only and stay so. A session may end
 * itself: https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-ADMIN-SIGNAL. All are reserved first, so
 * that each is looked at.
 */
export const dropReadOnlySessions = (
  sql: SqlClient.SqlClient,
  sessions: number
): Effect.Effect<void> =>
  sessions === 0
    ? Effect.void
    : Effect.scoped(
        Effect.flatMap(
          Effect.all(Arr.replicate(sql.reserve, sessions), { concurrency: "unbounded" }),
          (reserved) =>
            Effect.forEach(reserved, dropSession, { concurrency: "unbounded", discard: true })
        )
      ).pipe(Effect.timeoutOption(reserveTimeoutMillis), Effect.ignore)

/** Sessions that may write stay. The driver takes one that ended out of its pool. */
const dropSession = (session: Connection): Effect.Effect<void> =>
  Effect.ignore(session.executeUnprepared(endIfReadOnly, [], undefined))

const endIfReadOnly =
  "SELECT pg_terminate_backend(pg_backend_pid()) WHERE current_setting('transaction_read_only') = 'on'"

/** While requests hold the other sessions for longer, the next failure looks again. */
const reserveTimeoutMillis = 2_000
