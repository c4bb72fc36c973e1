/** Finds what the schema of a database had at the start and has no more. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { toDialect } from "./dialect.ts"

/**
 * Returns a check of the present schema. The check succeeds with the name of a missing column, `table.column`, or
 * function; columns that the user may not read any more count as missing.
 */
export const makeSchemaCheck = (
  sql: SqlClient.SqlClient
): Effect.Effect<Effect.Effect<string | undefined, SqlError>, SqlError> =>
  Effect.map(listNames(sql), (before) =>
    Effect.map(listNames(sql), (now) => {
      const found = new Set(now)
      return before.find((name) => !found.has(name))
    })
  )

const listNames = (sql: SqlClient.SqlClient): Effect.Effect<ReadonlyArray<string>, SqlError> =>
  Effect.map(
    toDialect(sql) === "postgres"
      ? sql<{ name: string }>`
          SELECT table_name || '.' || column_name AS name FROM information_schema.columns
            WHERE table_schema = current_schema()
          UNION ALL SELECT proname || '()' FROM pg_proc
            JOIN pg_namespace ON pg_namespace.oid = pronamespace WHERE nspname = current_schema()`
      : sql<{ name: string }>`
          SELECT tables.name || '.' || columns.name AS name
            FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
            WHERE tables.type = 'table'`,
    (rows) => rows.map(({ name }) => name)
  )
