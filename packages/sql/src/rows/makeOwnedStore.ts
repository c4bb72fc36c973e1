/** A store of resources that belong to workspaces of accounts, on a table of `createOwnedTable`. */
import type { OwnedResourceRow, OwnedStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { withExclusiveLock } from "../connection/locks.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { countRows } from "./countRows.ts"
import { type DocumentRow, readDocument, readFirst } from "./DocumentRow.ts"
import { selectPage } from "./selectPage.ts"
import { toKeyText } from "./toKeyText.ts"

/** Changes hold the exclusive lock `[table, account]`. */
export const makeOwnedStore = <Row extends OwnedResourceRow>(
  sql: SqlClient.SqlClient,
  table: string
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

  return {
    find: (account, id) => guardStoreCall(find(account, id)),
    list: (account, workspace, page) =>
      guardStoreCall(
        selectPage(sql, {
          from: sql`${from}
            WHERE account = ${toKeyText(account)} AND workspace = ${toKeyText(workspace)}`,
          order: sql`seq`,
          page,
          decode: readDocument<Row>
        })
      ),
    count: countRows(sql, table, from),
    insert: (account, row) =>
      guardStoreCall(
        Effect.map(
          sql`INSERT INTO ${from} ${sql.insert({
            account: toKeyText(account),
            id: toKeyText(row.id),
            workspace: toKeyText(row.workspace_id),
            document: JSON.stringify(row)
          })} ON CONFLICT DO NOTHING RETURNING id`,
          (added) => added.length > 0
        )
      ),
    update: Effect.fnUntraced(
      function* (account, id, change) {
        const before = yield* find(account, id)
        if (before === undefined) return undefined
        const after = change(before)
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
