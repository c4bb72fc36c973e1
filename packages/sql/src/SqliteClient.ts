/**
 * SQLite through `node:sqlite` as a client of `effect/sql`: one connection, used by one fiber at a
 * time. `@effect/sql-sqlite-node` can take its place.
 */
import { basename } from "node:path"
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Schedule from "effect/Schedule"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import * as Stream from "effect/Stream"

export interface SqliteOptions {
  /** A file, made when it is not there, or `:memory:`. */
  readonly path: string
  /**
   * `normal` (the default) loses nothing when the process dies, and at most the last moments when the
   * machine does; `full` waits for the disk at every commit.
   */
  readonly synchronous?: "normal" | "full"
  /** How long to wait for another connection that writes, in milliseconds; default: 5,000. */
  readonly lockWaitMillis?: number
}

/** Fails when the file cannot be opened. */
export const layer = (options: SqliteOptions): Layer.Layer<SqlClient.SqlClient, SqlError> =>
  Layer.effect(SqlClient.SqlClient, make(options)).pipe(Layer.provide(Reactivity.layer))

const make = Effect.fnUntraced(function* (options: SqliteOptions) {
  const patiently = yield* makeLockRetry(options)
  const connection = makeConnection(yield* open(options, patiently), patiently)
  const acquirers = SqlClient.makeSqliteAcquirers({
    connection: Effect.succeed(connection),
    semaphore: Semaphore.makeUnsafe(1),
    isTransaction: (connection) => connection.db.isTransaction
  })
  return yield* SqlClient.make({
    ...acquirers,
    driver: "sqlite-node",
    compiler: Statement.makeCompilerSqlite(),
    // A transaction that reads first could not write any more once another connection has written.
    beginTransaction: "BEGIN IMMEDIATE",
    prepareTransactionControls: true,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [
      ["db.system.name", "sqlite"],
      ["db.namespace", basename(options.path)]
    ]
  })
})

/** `node:sqlite` is loaded when it is asked for: whoever uses Postgres does without it. */
const open = Effect.fnUntraced(function* (
  { path, synchronous = "normal" }: SqliteOptions,
  patiently: LockRetry
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
  return yield* Effect.acquireRelease(patiently(attempt), (db) => Effect.sync(() => db.close()))
})

type LockRetry = <A>(attempt: Effect.Effect<A, SqlError>) => Effect.Effect<A, SqlError>

/**
 * Waits while another connection writes. SQLite's own busy timeout would hold up the whole process, and
 * with it whoever is to end the other's transaction. A test that moves the clock does not move this one.
 */
const makeLockRetry = Effect.fnUntraced(function* ({ lockWaitMillis = 5_000 }: SqliteOptions) {
  const clock = yield* Clock.Clock
  const policy = {
    while: (error: SqlError) => error.reason._tag === "LockTimeoutError",
    schedule: Schedule.spaced(lockRetryMillis),
    times: Math.ceil(lockWaitMillis / lockRetryMillis)
  }
  const patiently: LockRetry = (attempt) =>
    Effect.provideService(Effect.retry(attempt, policy), Clock.Clock, clock)
  return patiently
})

const lockRetryMillis = 10

interface SqliteConnection extends Connection {
  readonly db: DatabaseSync
}

const makeConnection = (db: DatabaseSync, patiently: LockRetry): SqliteConnection => {
  const prepared = makeStatementCache(db)

  const run = <A>(
    sql: string,
    params: ReadonlyArray<unknown>,
    asArrays: boolean,
    read: (statement: StatementSync, params: ReadonlyArray<SQLInputValue>) => A
  ): Effect.Effect<A, SqlError> =>
    Effect.flatMap(SqlClient.SafeIntegers, (safeIntegers) =>
      patiently(
        trySqlite("execute", () => {
          const statement = prepared(sql)
          statement.setReadBigInts(safeIntegers)
          statement.setReturnArrays(asArrays)
          // What SQLite cannot take it refuses itself.
          return read(statement, params as ReadonlyArray<SQLInputValue>)
        })
      )
    )

  const execute: Connection["execute"] = (sql, params, transformRows) => {
    const rows = run(sql, params, false, (statement, params) => statement.all(...params))
    return transformRows === undefined ? rows : Effect.map(rows, transformRows)
  }
  const executeValues: Connection["executeValues"] = (sql, params) =>
    // Rows are arrays here, which the types of Node do not say.
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

/** Statements are prepared once; the one that was used least recently makes room for another. */
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

/** Node calls SQLite's extended code `errcode`; what classifies errors looks for `errno`. */
const withErrno = (cause: unknown): unknown =>
  cause instanceof Error && "errcode" in cause
    ? Object.assign(cause, { errno: cause.errcode })
    : cause
