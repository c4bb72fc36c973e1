/** Rows of in-memory stores that belong to an account. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import type { Renaming } from "../domains/people/PersonStore.ts"
import type { OwnedResourceRow, OwnedStore } from "../instance/OwnedStore.ts"
import type { AccountId } from "../values/ids/Ids.ts"
import { toOffsetPage } from "../values/pages/OffsetPage.ts"
import { makeMemoryTable, type MemoryTable } from "./makeMemoryTable.ts"
import { MemoryJournal } from "./MemoryJournal.ts"
import { MemoryPeople, renameValues } from "./MemoryPeople.ts"

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

type Rename<Row> = (row: Row, renaming: Renaming) => Row

/** Renames persons in the rows of their account. */
export const registerRename = <Row>(
  { edit }: MemoryTable<string, OwnedRow<Row>>,
  rename: Rename<Row>
): Effect.Effect<void> =>
  Effect.map(MemoryPeople, (people) =>
    people.register((renaming) =>
      edit((draft) =>
        renameValues(draft, (row) => {
          if (row.account !== renaming.account) return row
          const value = rename(row.value, renaming)
          return value === row.value ? row : { ...row, value }
        })
      )
    )
  )

/** A store of resources that has no further methods, in memory. `rename` is for rows that name persons. */
export const memoryOwnedStore = <Port, Row extends OwnedResourceRow>(
  port: Context.Key<Port, OwnedStore<Row>>,
  rename: Rename<Row> = identity
): Layer.Layer<Port, never, MemoryJournal> =>
  Layer.effect(
    port,
    Effect.gen(function* () {
      const table = makeMemoryTable<string, OwnedRow<Row>>(yield* MemoryJournal)
      yield* registerRename(table, rename)
      return makeOwnedStore(table)
    })
  )
