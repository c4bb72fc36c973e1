/** Brings the schema up to date, also when several processes start at once. */
import * as Effect from "effect/Effect"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type Dialect, toDialect } from "../connection/dialect.ts"
import { migrations as releasedMigrations } from "../domains.ts"
import type { Migration } from "./Migration.ts"
import { migrationsTable } from "./migrationsTable.ts"
import { rewriteDocuments } from "./rewriteDocuments.ts"
import { SchemaTooNew } from "../errors/StorageErrors.ts"

/**
 * Runs missing migrations in one transaction under a lock. Other processes wait, and a process that dies leaves
 * the schema as it was. Returns the names of the migrations it ran.
 */
export const migrate = Effect.fnUntraced(function* (
  migrations: Readonly<Record<string, Migration>> = releasedMigrations
): Effect.fn.Return<
  ReadonlyArray<string>,
  SchemaTooNew | SqlError | Migrator.MigrationError,
  SqlClient.SqlClient
> {
  const sql = yield* SqlClient.SqlClient
  const completed = yield* Migrator.make({})({
    table: migrationsTable,
    loader: makeLoader(migrations, toDialect(sql))
  })
  const [row] = yield* sql<{
    latest: number
  }>`SELECT max(migration_id) AS latest FROM ${sql(migrationsTable)}`
  const found = row?.latest ?? 0
  const known = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))
  if (found > known) return yield* new SchemaTooNew({ found, known })
  return completed.map(([id, name]) => `${id}_${name}`)
})

const makeLoader = (
  migrations: Readonly<Record<string, Migration>>,
  dialect: Dialect
): Migrator.Loader =>
  Migrator.fromRecord(
    Object.fromEntries(
      Object.entries(migrations).map(([name, statements]) => [
        name,
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          Effect.forEach(
            statements(dialect),
            (step) => (typeof step === "string" ? sql.unsafe(step) : rewriteDocuments(step)),
            { discard: true }
          )
        )
      ])
    )
  )
