/** Rows of in-memory stores that belong to an account. */
import * as Effect from "effect/Effect"
import type { OwnedResourceRow, OwnedStore } from "../instance/OwnedStore.ts"
import type { AccountId } from "../values/ids/Ids.ts"
import { toOffsetPage } from "../values/pages/OffsetPage.ts"
import type { MemoryTable } from "./makeMemoryTable.ts"

export interface OwnedRow<A> {
  readonly account: AccountId
  readonly value: A
}

/** Unique, because the length of all but the last part is in it; every request makes some. */
export const toRowKey = (account: AccountId, ...parts: ReadonlyArray<string>): string => {
  let key: string = account
  for (const part of parts) key = `${key.length} ${key} ${part}`
  return key
}

/** The values of an account, oldest first. */
export const listOwned = <A>(
  rows: ReadonlyMap<string, OwnedRow<A>>,
  account: AccountId,
  isIncluded: (value: A) => boolean = () => true
): ReadonlyArray<A> =>
  Array.from(rows.values()).flatMap((row) =>
    row.account === account && isIncluded(row.value) ? [row.value] : []
  )

export const isInWorkspace =
  (workspace: string | undefined) =>
  ({ workspace_id }: { readonly workspace_id: string }): boolean =>
    workspace === undefined || workspace_id === workspace

/** A store of resources that belong to workspaces of accounts, on a table in memory. */
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
