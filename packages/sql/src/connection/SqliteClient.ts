/** An `effect/sql` client of SQLite on `node:sqlite`: one connection, used by one fiber at a time. */
import { basename } from "node:path"
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import * as Stream from "effect/Stream"
import { type LockRetry, makeLockRetry } from "./makeLockRetry.ts"

/** Which file to open and how. Only `path` is required. */
export interface SqliteOptions {
  /** A file, created if it does not exist, or `:memory:`. */
  readonly path: string
  /**
   * `normal` loses no commit when the process dies, but may lose the latest ones when the machine does.
   * `full` waits for the disk at every commit. Default: `normal`.
   */
  readonly synchronous?: "normal" | "full"
  /** How long to wait for a lock that another connection or process holds, in milliseconds. Default: 5,000. */
  readonly lockWaitMillis?: number
}

/** Opens the file and migrates nothing. */
export const layer = (options: SqliteOptions): Layer.Layer<SqlClient.SqlClient, SqlError> =>
  Layer.effect(SqlClient.SqlClient, make(options)).pipe(Layer.provide(Reactivity.layer))

const make = Effect.fnUntraced(function* (options: SqliteOptions) {
  const retryWhileLocked = yield* makeLockRetry(options.lockWaitMillis ?? 5_000)
  const connection = makeConnection(yield* open(options, retryWhileLocked), retryWhileLocked)
  const acquirers = SqlClient.makeSqliteAcquirers({
    connection: Effect.succeed(connection),
    semaphore: Semaphore.makeUnsafe(1),
    isTransaction: (connection) => connection.db.isTransaction
  })
  return yield* SqlClient.make({
    ...acquirers,
    driver: "sqlite-node",
    compiler: Statement.makeCompilerSqlite(),
    // A deferred transaction that begins with a read fails to write once another connection has written.
    beginTransaction: "BEGIN IMMEDIATE",
    prepareTransactionControls: true,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [
      ["db.system.name", "sqlite"],
      ["db.namespace", basename(options.path)]
    ]
  })
})

/** `node:sqlite` is loaded on demand, so that Postgres works without it. */
const open = Effect.fnUntraced(function* (
  { path, synchronous = "normal" }: SqliteOptions,
  retryWhileLocked: LockRetry
) {
  const { DatabaseSync } = yield* Effect.promise(() => import("node:sqlite"))
  const attempt = trySqlite("open", () => {
    const db = new DatabaseSync(path)
    try {
      db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`)
      return db
    } catch (cause) {
      db.close()
      throw cause
    }
  })
  return yield* Effect.acquireRelease(retryWhileLocked(attempt), (db) =>
    Effect.sync(() => db.close())
  )
})

interface SqliteConnection extends Connection {
  readonly db: DatabaseSync
}

const makeConnection = (db: DatabaseSync, retryWhileLocked: LockRetry): SqliteConnection => {
  const prepare = makeStatementCache(db)

  const run = <A>(
    sql: string,
    params: ReadonlyArray<unknown>,
    asArrays: boolean,
    read: (statement: StatementSync, params: ReadonlyArray<SQLInputValue>) => A
  ): Effect.Effect<A, SqlError> =>
    Effect.flatMap(SqlClient.SafeIntegers, (safeIntegers) =>
      retryWhileLocked(
        trySqlite("execute", () => {
          const statement = prepare(sql)
          statement.setReadBigInts(safeIntegers)
          statement.setReturnArrays(asArrays)
          // SQLite rejects values of unsupported types itself.
          const result = read(statement, params as ReadonlyArray<SQLInputValue>)
          retryWhileLocked.recordSuccess(sql)
          return result
        })
      )
    )

  const execute: Connection["execute"] = (sql, params, transformRows) => {
    const rows = run(sql, params, false, (statement, params) => statement.all(...params))
    return transformRows === undefined ? rows : Effect.map(rows, transformRows)
  }
  const executeValues: Connection["executeValues"] = (sql, params) =>
    // The types of Node do not cover `setReturnArrays(true)`.
    run(sql, params, true, (statement, params) => statement.all(...params) as unknown as Values)

  return {
    db,
    execute,
    executeUnprepared: execute,
    executeValues,
    executeValuesUnprepared: executeValues,
    executeRaw: (sql, params) =>
      run(sql, params, false, (statement, params) => statement.run(...params)),
    executeStream: (sql, params, transformRows) =>
      Stream.fromIterableEffect(execute(sql, params, transformRows))
  }
}

type Values = ReadonlyArray<ReadonlyArray<unknown>>

/** Caches prepared statements and evicts the least recently used. */
const makeStatementCache = (db: DatabaseSync): ((sql: string) => StatementSync) => {
  const statements = new Map<string, StatementSync>()
  return (sql) => {
    const statement = statements.get(sql) ?? db.prepare(sql)
    statements.delete(sql)
    statements.set(sql, statement)
    if (statements.size > maxCachedStatements) {
      const [oldest] = statements.keys()
      if (oldest !== undefined) statements.delete(oldest)
    }
    return statement
  }
}

const maxCachedStatements = 200

const trySqlite = <A>(operation: string, attempt: () => A): Effect.Effect<A, SqlError> =>
  Effect.try({
    try: attempt,
    catch: (cause) => new SqlError({ reason: classifySqliteError(withErrno(cause), { operation }) })
  })

/** Node names the extended result code `errcode`, and `classifySqliteError` reads `errno`. */
const withErrno = (cause: unknown): unknown =>
  cause instanceof Error && "errcode" in cause
    ? Object.assign(cause, { errno: cause.errcode })
    : cause
