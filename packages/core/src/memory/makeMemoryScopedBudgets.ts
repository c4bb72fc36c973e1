/** The budgets of a scope, in the lists of budgets that `memoryWorkspaceStore` keeps for each workspace. */
import * as Effect from "effect/Effect"
import type { OwnedStore } from "../instance/OwnedStore.ts"
import {
  type AnyBudget,
  isScopedBudget,
  type ScopedBudget
} from "../tenants/workspaces/ScopedBudget.ts"
import type { AccountId } from "../values/ids/Ids.ts"
import { toOffsetPage } from "../values/pages/OffsetPage.ts"
import type { MemoryTable } from "./makeMemoryTable.ts"
import { isInWorkspace, type OwnedRow, toRowKey } from "./ownedRows.ts"

export const makeMemoryScopedBudgets = ({
  edit,
  rows
}: MemoryTable<string, OwnedRow<ReadonlyArray<AnyBudget>>>): OwnedStore<ScopedBudget> => {
  const listAll = (account: AccountId, workspace: string | undefined) =>
    Array.from(rows.values())
      .flatMap((row) => (row.account === account ? row.value.filter(isScopedBudget) : []))
      .filter(isInWorkspace(workspace))
  const findNow = (account: AccountId, id: string) =>
    listAll(account, undefined).find((budget) => budget.id === id)

  /** Puts `after` in the place of a budget, or removes it. */
  const replace = (
    account: AccountId,
    id: string,
    toAfter: (before: ScopedBudget) => ScopedBudget | undefined
  ) =>
    edit((draft) => {
      const before = findNow(account, id)
      if (before === undefined) return undefined
      const after = toAfter(before)
      const key = toRowKey(account, before.workspace_id)
      const value = (draft.get(key)?.value ?? []).flatMap((budget) => {
        if (budget !== before) return [budget]
        return after === undefined ? [] : [after]
      })
      draft.set(key, { account, value })
      return after ?? before
    })

  return {
    find: (account, id) => Effect.sync(() => findNow(account, id)),
    list: (account, workspace, page) =>
      Effect.sync(() => toOffsetPage(listAll(account, workspace), page)),
    count: (account, workspace) => Effect.sync(() => listAll(account, workspace).length),
    insert: (account, budget) =>
      edit((draft) => {
        if (findNow(account, budget.id) !== undefined) return false
        const key = toRowKey(account, budget.workspace_id)
        draft.set(key, { account, value: [...(draft.get(key)?.value ?? []), budget] })
        return true
      }),
    update: (account, id, change) => replace(account, id, change),
    remove: (account, id) => replace(account, id, () => undefined)
  }
}
