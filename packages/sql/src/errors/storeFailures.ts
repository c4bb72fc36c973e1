/** What the errors of Postgres, of poolers and of SQLite mean for the storage: plain data, a row for each. */

/** What a failure says about the storage. */
export interface StoreFailure {
  /** For operators. */
  readonly means: string
  /**
   * `database`: an operator has to repair it. A check of the database decides whether any call can succeed until then;
   * if not, the instance is not ready. `session`: a connection broke or could not be opened, and the same check
   * decides. `schema`: the statement names a missing object, and a check of the schema decides. `statement`: this call
   * alone failed, and may be repeated.
   */
  readonly scope: "database" | "schema" | "session" | "statement"
  /** Whether it is certain that nothing was written, so that a repetition counts nothing twice. */
  readonly wroteNothing: boolean
  /** Only calls that need more space fail, so that a look has to need some too. */
  readonly lacksSpace?: true
}

const database = (means: string, wroteNothing = true): StoreFailure => ({
  means,
  scope: "database",
  wroteNothing
})
const full = (means: string): StoreFailure => ({ ...database(means), lacksSpace: true })
const session = (means: string, wroteNothing = false): StoreFailure => ({
  means,
  scope: "session",
  wroteNothing
})
const statement = (means: string, wroteNothing = true): StoreFailure => ({
  means,
  scope: "statement",
  wroteNothing
})

const schema = (means: string): StoreFailure => ({ means, scope: "schema", wroteNothing: true })

/** By `SQLSTATE`, or by its class of two characters: https://www.postgresql.org/docs/current/errcodes-appendix.html. */
export const postgresFailures: Readonly<Record<string, StoreFailure>> = {
  // Errors of PgBouncer have 08P01, such as `query_wait_timeout` and "server login has been failing":
  // https://github.com/pgbouncer/pgbouncer/blob/master/src/objects.c, https://github.com/pgbouncer/pgbouncer/issues/1094.
  "08": session("the connection to the database broke"),
  "08001": session("the database cannot be reached", true),
  "08004": session("the database rejects connections", true),
  // "cached plan must not change result type". The driver parses the statement anew, except in a transaction, which has
  // failed by then: https://jdbc.postgresql.org/documentation/server-prepare/#re-execution-of-failed-statements.
  "0A000": statement("a prepared statement became invalid by a change of the schema"),
  // https://www.postgresql.org/docs/current/hot-standby.html#HOT-STANDBY-USERS
  "25006": database("the database is read-only, as after a failover"),
  "25P02": statement("the transaction has failed before"),
  // https://www.postgresql.org/docs/current/runtime-config-client.html#GUC-IDLE-IN-TRANSACTION-SESSION-TIMEOUT
  "25P03": session("the database ended an idle transaction", true),
  // https://www.postgresql.org/docs/current/runtime-config-client.html#GUC-TRANSACTION-TIMEOUT
  "25P04": session("the transaction exceeded the database's timeout", true),
  // The driver prepares it again as after 0A000. Poolers: https://www.pgbouncer.org/config.html#max_prepared_statements.
  "26000": statement("a prepared statement is unknown, as behind a pooler or after a failover"),
  // https://www.postgresql.org/docs/current/client-authentication-problems.html
  "28": session("the database rejects the user or the password", true),
  "3D000": session("the database does not exist", true),
  "3F000": schema("the schema does not exist"),
  // https://www.postgresql.org/docs/current/mvcc-serialization-failure-handling.html
  "40001": statement("a concurrent transaction made this one fail"),
  "40003": statement("it is unknown whether the statement completed", false),
  // https://www.postgresql.org/docs/current/explicit-locking.html#LOCKING-DEADLOCKS
  "40P01": statement("a deadlock was detected"),
  "42501": statement("the user lacks a privilege"),
  "42703": schema("a column is missing, as in an older copy of the database"),
  "42883": schema("a function is missing, as in an older copy of the database"),
  "42P01": schema("a table is missing, as in an older copy of the database"),
  "53": statement("the database lacks a resource"),
  // https://www.postgresql.org/docs/current/disk-full.html
  "53100": full("the disk of the database is full"),
  // A limit of the server, the database or the role:
  // https://www.postgresql.org/docs/current/runtime-config-connection.html.
  "53300": session("the database has too many connections", true),
  "55006": statement("an object is in use"),
  // `lock_timeout`: https://www.postgresql.org/docs/current/runtime-config-client.html#GUC-LOCK-TIMEOUT.
  "55P03": statement("a lock was not available in time"),
  // `statement_timeout` and `pg_cancel_backend` share the code, and differ in the message alone:
  // https://github.com/postgres/postgres/blob/master/src/backend/tcop/postgres.c (`ProcessInterrupts`).
  "57014": statement("the query was cancelled, by a timeout or by an operator"),
  // https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-ADMIN-SIGNAL and
  // https://www.postgresql.org/docs/current/server-shutdown.html
  "57P": session("the database ended the connection"),
  "57P03": session("the database is starting up or shutting down", true),
  "58": database("the database cannot read or write its files", false),
  XX: statement("the database or its pooler has an internal error", false),
  // https://wiki.postgresql.org/wiki/Corruption
  XX001: database("data of the database are corrupt", false),
  XX002: database("an index of the database is corrupt", false)
}

/**
 * By primary result code, the low eight bits of an extended one such as `SQLITE_BUSY_SNAPSHOT` (517):
 * https://www.sqlite.org/rescode.html#primary_result_codes_versus_extended_result_codes.
 */
export const sqliteFailures: Readonly<Record<number, StoreFailure>> = {
  3: database("the file may not be accessed"),
  // While the lock is held, other calls cannot write either, so a check of the database decides:
  // https://www.sqlite.org/rescode.html#busy.
  5: session("another connection holds a lock of the file", true),
  6: statement("another statement holds a lock of a table"),
  7: statement("there is no memory for the statement"),
  // Also `query_only` and a file that was moved: https://www.sqlite.org/rescode.html#readonly.
  8: database("the file cannot be written to"),
  9: statement("the statement was interrupted"),
  10: database("the file or its disk fails", false),
  11: database("the file is corrupt", false),
  // Also `max_page_count`: https://www.sqlite.org/rescode.html#full.
  13: full("the disk is full"),
  14: database("the file cannot be opened"),
  // https://www.sqlite.org/rescode.html#protocol
  15: statement("another connection recovers the file"),
  // https://www.sqlite.org/rescode.html#schema
  17: statement("a prepared statement became invalid by a change of the schema"),
  26: database("the file is no database", false)
}

/**
 * SQLite has one code for all errors of a statement, and only the message says more:
 * https://github.com/sqlite/sqlite/blob/master/src/resolve.c, https://github.com/sqlite/sqlite/blob/master/src/build.c and
 * https://github.com/sqlite/sqlite/blob/master/src/insert.c.
 */
export const missingInSqlite = /^(?:no such (?:table|column)|table .* has no column named)/

export const sqliteSchemaFailure = schema(
  "a table or a column is missing, as in an older copy of the database"
)
