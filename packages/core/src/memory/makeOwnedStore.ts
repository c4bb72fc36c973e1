/** A store of resources that belong to workspaces of accounts, on a table in memory. */
import * as Effect from "effect/Effect"
import type { OwnedResourceRow, OwnedStore } from "../instance/OwnedStore.ts"
import { toOffsetPage } from "../values/pages/OffsetPage.ts"
import type { MemoryTable } from "./makeMemoryTable.ts"
import { type OwnedRow, isInWorkspace, listOwned, toRowKey } from "./ownedRows.ts"

export const makeOwnedStore = <Row extends OwnedResourceRow>({
  edit,
  rows
}: MemoryTable<string, OwnedRow<Row>>): OwnedStore<Row> => ({
  find: (account, id) => Effect.sync(() => rows.get(toRowKey(account, id))?.value),
  list: (account, workspace, page) =>
    Effect.sync(() => toOffsetPage(listOwned(rows, account, isInWorkspace(workspace)), page)),
  count: (account, workspace) =>
    Effect.sync(() => listOwned(rows, account, isInWorkspace(workspace)).length),
  insert: (account, value) =>
    edit((draft) => {
      const id = toRowKey(account, value.id)
      if (draft.has(id)) return false
      draft.set(id, { account, value })
      return true
    }),
  update: (account, id, change) =>
    edit((draft) => {
      const before = draft.get(toRowKey(account, id))?.value
      if (before === undefined) return undefined
      const value = change(before)
      draft.set(toRowKey(account, id), { account, value })
      return value
    }),
  remove: (account, id) =>
    edit((draft) => {
      const before = draft.get(toRowKey(account, id))?.value
      draft.delete(toRowKey(account, id))
      return before
    })
})
