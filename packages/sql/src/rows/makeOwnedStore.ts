/** A store of resources that belong to workspaces of accounts, on a table of `createOwnedTable`. */
import type { OwnedResourceRow, OwnedStore } from "@signalbox/core/stores"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { withExclusiveLock } from "../connection/locks.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { countRows } from "./countRows.ts"
import { type DocumentRow, readDocument, readFirst } from "./DocumentRow.ts"
import { selectPage } from "./selectPage.ts"
import { toKeyText } from "./toKeyText.ts"

interface OwnedStoreOptions {
  /** Whether lists have the row that changed last first; default: the oldest one first. */
  readonly hasLastChangedFirst?: boolean
}

/** Changes hold the exclusive lock `[table, account]`. */
export const makeOwnedStore = <Row extends OwnedResourceRow>(
  sql: SqlClient.SqlClient,
  table: string,
  { hasLastChangedFirst = false }: OwnedStoreOptions = {}
): OwnedStore<Row> => {
  const from = sql`${sql(table)}`
  const withLock = (account: string) => withExclusiveLock(sql)(table, account)
  const matchRow = (account: string, id: string) =>
    sql`account = ${toKeyText(account)} AND id = ${toKeyText(id)}`
  const find = (account: string, id: string) =>
    Effect.map(
      sql<DocumentRow<Row>>`SELECT document FROM ${from} WHERE ${matchRow(account, id)}`,
      readFirst
    )
  const insertRow = (account: string, row: Row) =>
    Effect.map(
      sql`INSERT INTO ${from} ${sql.insert({
        account: toKeyText(account),
        id: toKeyText(row.id),
        workspace: toKeyText(row.workspace_id),
        document: JSON.stringify(row)
      })} ON CONFLICT DO NOTHING RETURNING id`,
      (added) => added.length > 0
    )

  return {
    find: (account, id) => guardStoreCall(find(account, id)),
    list: (account, workspace, page) =>
      guardStoreCall(
        selectPage(sql, {
          from: sql`${from}
            WHERE account = ${toKeyText(account)} AND workspace = ${toKeyText(workspace)}`,
          order: hasLastChangedFirst ? sql`seq DESC` : sql`seq`,
          page,
          decode: readDocument<Row>
        })
      ),
    count: countRows(sql, table, from),
    insert: (account, row) => guardStoreCall(insertRow(account, row)),
    update: Effect.fnUntraced(
      function* (account, id, change) {
        const before = yield* find(account, id)
        if (before === undefined) return undefined
        const after = change(before)
        if (hasLastChangedFirst) {
          // Anew, so that it gets the latest number.
          yield* sql`DELETE FROM ${from} WHERE ${matchRow(account, id)}`
          yield* insertRow(account, after)
          return after
        }
        yield* sql`UPDATE ${from} SET workspace = ${toKeyText(after.workspace_id)},
          document = ${JSON.stringify(after)} WHERE ${matchRow(account, id)}`
        return after
      },
      (effect, account) => withLock(account)(effect)
    ),
    remove: Effect.fnUntraced(
      function* (account, id) {
        const before = yield* find(account, id)
        yield* sql`DELETE FROM ${from} WHERE ${matchRow(account, id)}`
        return before
      },
      (effect, account) => withLock(account)(effect)
    )
  }
}

/** A store of resources that has no further methods. */
export const ownedStore = <Port, Row extends OwnedResourceRow>(
  port: Context.Key<Port, OwnedStore<Row>>,
  table: string
): Layer.Layer<Port, never, SqlClient.SqlClient> =>
  Layer.effect(
    port,
    Effect.map(SqlClient.SqlClient, (sql) => makeOwnedStore<Row>(sql, table))
  )
