/** Looks at a database without changing it: for diagnostics, also while an instance uses it. */
import { accessSync, constants, existsSync } from "node:fs"
import { dirname } from "node:path"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import * as SqliteClient from "../connection/SqliteClient.ts"
import { migrations } from "../domains.ts"
import { StorageUnavailable } from "../errors/StorageErrors.ts"

/** What a database is like. */
export interface DatabaseReport {
  /** The number of the latest migration that the database has; 0 before the first start. */
  readonly migration: number
  /** The number of the latest migration of this version. */
  readonly knownMigration: number
  readonly isWritable: boolean
  /**
   * How far the clock of the database is ahead of this process's clock, in milliseconds; undefined if they share one.
   */
  readonly clockAheadMillis: number | undefined
}

const knownMigration = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))

/** Fails with `StorageUnavailable` as `sqlite` and `postgres` do. */
export const inspectDatabase = (
  database:
    | { readonly path: string }
    | { readonly url: Redacted.Redacted; readonly schema?: string }
): Effect.Effect<DatabaseReport, StorageUnavailable> => {
  if ("url" in database) {
    const where = `Postgres at ${URL.parse(Redacted.value(database.url))?.host ?? "an invalid url"}`
    return inspectPostgres(database.schema ?? "signalbox").pipe(
      Effect.provide(PgClient.layer({ url: database.url, maxConnections: 1 })),
      Effect.mapError((cause) => new StorageUnavailable({ where, cause }))
    )
  }
  const { path } = database
  return existsSync(path)
    ? inspectSqlite.pipe(
        Effect.provide(SqliteClient.layer({ path })),
        Effect.mapError((cause) => new StorageUnavailable({ where: path, cause }))
      )
    : inspectFolder(path)
}

const inspectFolder = (path: string): Effect.Effect<DatabaseReport, StorageUnavailable> =>
  Effect.try({
    try: () => {
      if (path !== ":memory:") accessSync(dirname(path), constants.W_OK)
      return { migration: 0, knownMigration, isWritable: true, clockAheadMillis: undefined }
    },
    catch: () =>
      new StorageUnavailable({
        where: path,
        cause: new Error("its folder is missing, or this process may not write to it")
      })
  })

const inspectSqlite = Effect.gen(function* () {
  const sql = yield* SqlClient
  const found = yield* sql`SELECT 1 FROM sqlite_master WHERE name = 'signalbox_migrations'`
  const migration = found.length === 0 ? 0 : yield* readMigration("signalbox_migrations")
  // The lock of a writer, which nothing is written with. A lock that another connection has shows as much.
  const isWritable = yield* Effect.catchIf(
    Effect.as(sql.withTransaction(sql`SELECT 1`), true),
    isSqlError,
    ({ reason }) => Effect.succeed(reason._tag === "LockTimeoutError")
  )
  return { migration, knownMigration, isWritable, clockAheadMillis: undefined }
})

const inspectPostgres = Effect.fnUntraced(function* (schema: string) {
  const sql = yield* SqlClient
  const table = `${schema}.signalbox_migrations`
  const before = yield* Clock.currentTimeMillis
  const [row] = yield* sql<{
    millis: number
    exists: boolean
    writable: boolean
  }>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS millis,
      to_regclass(${table}) IS NOT NULL AS exists,
      current_setting('transaction_read_only') = 'off' AND COALESCE(
        (SELECT has_schema_privilege(oid, 'CREATE') FROM pg_namespace WHERE nspname = ${schema}),
        has_database_privilege(current_database(), 'CREATE')
      ) AS writable`
  const after = yield* Clock.currentTimeMillis
  return {
    migration: row?.exists === true ? yield* readMigration(table) : 0,
    knownMigration,
    isWritable: row?.writable === true,
    clockAheadMillis: Math.round(Number(row?.millis) - (before + after) / 2)
  }
})

const readMigration = (table: string) =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.map(
      sql.unsafe<{ latest: number | null }>(`SELECT max(migration_id) AS latest FROM ${table}`),
      ([row]) => row?.latest ?? 0
    )
  )
