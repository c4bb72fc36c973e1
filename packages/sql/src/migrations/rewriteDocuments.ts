/** Rewrites the JSON documents of a table in a migration: renames members, replaces values. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** A path joins the names of nested members with dots and applies to every element of an array. */
export interface DocumentRewrite {
  /** Skipped if the table does not exist, since the job queue creates its own when it first opens. */
  readonly table: string
  /** The column that holds the JSON. */
  readonly column: string
  /** Text columns that identify a row, in the order of an index. */
  readonly key: ReadonlyArray<string>
  /** An SQL condition on the rows; default: every row in which the column is not null. */
  readonly where?: string
  /** New names by path, a nested member before the one around it. */
  readonly rename?: Readonly<Record<string, string>>
  /** By path: new values by old ones. */
  readonly replace?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/**
 * Rewrites in the process, because the JSON functions of Postgres reject NUL and lone surrogates, which prompts
 * may contain.
 */
export const rewriteDocuments = Effect.fnUntraced(function* ({
  column,
  key,
  rename = {},
  replace = {},
  table,
  where
}: DocumentRewrite): Effect.fn.Return<void, SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  if (!(yield* hasTable(sql, table))) return
  const keyColumns = sql.csv(key.map((name) => sql`${sql(name)}`))
  const conditions = [
    sql`${sql(column)} IS NOT NULL`,
    ...(where === undefined ? [] : [sql.literal(where)])
  ]
  let lastKey: ReadonlyArray<string> = []
  while (true) {
    const afterLast =
      lastKey.length === 0
        ? []
        : [sql`(${keyColumns}) > (${sql.csv(lastKey.map((part) => sql`${part}`))})`]
    const rows = yield* sql<Record<string, string>>`
      SELECT ${keyColumns}, ${sql(column)} AS before_rewrite FROM ${sql(table)}
      WHERE ${sql.and([...conditions, ...afterLast])} ORDER BY ${keyColumns} LIMIT ${batchSize}`
    const toKey = (row: Record<string, string>) => key.map((name) => row[name] ?? "")
    const rewritten = rows.flatMap((row) => {
      const before = row["before_rewrite"] ?? "null"
      const document: unknown = JSON.parse(before)
      for (const [path, name] of Object.entries(rename)) {
        editMember(document, path.split("."), (owner, member) => {
          owner[name] = owner[member]
          delete owner[member]
        })
      }
      for (const [path, values] of Object.entries(replace)) {
        editMember(document, path.split("."), (owner, member) => {
          const value = owner[member]
          if (typeof value === "string" && Object.hasOwn(values, value)) {
            owner[member] = values[value]
          }
        })
      }
      const after = JSON.stringify(document)
      const values = [...toKey(row), after].map((value) => sql`${value}`)
      return after === before ? [] : [sql`(${sql.csv(values)})`]
    })
    if (rewritten.length > 0) {
      yield* sql`WITH rewritten (${keyColumns}, after_rewrite) AS (VALUES ${sql.csv(rewritten)})
        UPDATE ${sql(table)} SET ${sql(column)} = rewritten.after_rewrite FROM rewritten
        WHERE ${sql.and(key.map((name) => sql`${sql(table)}.${sql(name)} = rewritten.${sql(name)}`))}`
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchSize) return
    lastKey = toKey(last)
  }
})

const batchSize = 500

const hasTable = (sql: SqlClient.SqlClient, table: string): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    sql.onDialectOrElse({
      pg: () => sql`SELECT 1 FROM pg_tables
        WHERE schemaname = current_schema() AND tablename = ${table}`,
      orElse: () => sql`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ${table}`
    }),
    (rows) => rows.length > 0
  )

/** Edits each member at `path` that exists. */
const editMember = (
  value: unknown,
  path: ReadonlyArray<string>,
  edit: (owner: Record<string, unknown>, member: string) => void
): void => {
  if (Array.isArray(value)) {
    for (const element of value) editMember(element, path, edit)
    return
  }
  const [member, ...rest] = path
  if (member === undefined || !isRecord(value) || !Object.hasOwn(value, member)) return
  if (rest.length === 0) edit(value, member)
  else editMember(value[member], rest, edit)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null
