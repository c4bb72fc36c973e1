/** WorkspaceStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import type { OwnedStore } from "../instance/OwnedStore.ts"
import { type Budget, type Interval, toInterval } from "../tenants/workspaces/Budget.ts"
import {
  type AnyBudget,
  isIntervalBudget,
  isScopedBudget,
  type ScopedBudget
} from "../tenants/workspaces/ScopedBudget.ts"
import { type Member, SlugTaken, type Workspace } from "../tenants/workspaces/Workspace.ts"
import { WorkspaceStore } from "../tenants/workspaces/WorkspaceStore.ts"
import type { AccountId } from "../values/ids/Ids.ts"
import { toOffsetPage } from "../values/pages/OffsetPage.ts"
import { MemoryJournal } from "./MemoryJournal.ts"
import { makeMemoryTable, type MemoryTable } from "./makeMemoryTable.ts"
import { isInWorkspace, listOwned, type OwnedRow, toRowKey } from "./ownedRows.ts"

/** The budgets of a scope, in the lists of budgets that `memoryWorkspaceStore` keeps for each workspace. */
const makeMemoryScopedBudgets = ({
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

export const memoryWorkspaceStore: Layer.Layer<WorkspaceStore, never, MemoryJournal> = Layer.effect(
  WorkspaceStore,
  Effect.map(MemoryJournal, (journal) => {
    const workspaces = makeMemoryTable<string, OwnedRow<Workspace>>(journal)
    /** Ids by slug. */
    const slugs = makeMemoryTable<string, string>(journal)
    /** Ids that were ever ensured, so that a deleted workspace does not come back. */
    const ensured = makeMemoryTable<string, true>(journal)
    const members = makeMemoryTable<string, OwnedRow<Member>>(journal)
    /** By workspace, because every request reads them. */
    const budgets = makeMemoryTable<string, OwnedRow<ReadonlyArray<AnyBudget>>>(journal)

    const getById = (account: AccountId, id: string): Workspace | undefined =>
      workspaces.rows.get(toRowKey(account, id))?.value
    const getBySlug = (account: AccountId, slug: string): Workspace | undefined => {
      const id = slugs.rows.get(toRowKey(account, slug))
      return id === undefined ? undefined : getById(account, id)
    }

    /** Runs in a transaction that rolls back when the slug is taken. */
    const put = Effect.fnUntraced(function* (account: AccountId, workspace: Workspace) {
      const { id, slug } = workspace
      const owner = getBySlug(account, slug)
      if (owner !== undefined && owner.id !== id) return yield* new SlugTaken({ slug })
      const before = getById(account, id)?.slug
      yield* slugs.edit((draft) => {
        if (before !== undefined) draft.delete(toRowKey(account, before))
        draft.set(toRowKey(account, slug), id)
      })
      yield* workspaces.edit((draft) =>
        draft.set(toRowKey(account, id), { account, value: workspace })
      )
    })

    return {
      find: (account, ref) => Effect.succeed(getById(account, ref) ?? getBySlug(account, ref)),
      findById: (account, id) => Effect.succeed(getById(account, id)),
      // Transactions in memory are serial.
      findForUpdate: (account, id) => Effect.sync(() => getById(account, id)),
      list: (account, page) =>
        Effect.sync(() => toOffsetPage(listOwned(workspaces.rows, account), page)),
      listCustomers: (account, page) =>
        Effect.sync(() =>
          toOffsetPage(
            listOwned(workspaces.rows, account, ({ customer }) => customer !== undefined),
            page
          )
        ),
      listBundles: () =>
        Effect.sync(() =>
          Array.from(
            new Set(
              Array.from(workspaces.rows.values()).flatMap(({ value: { customer } }) =>
                customer === undefined ? [] : [customer.bundle]
              )
            )
          )
        ),
      count: (account) => Effect.sync(() => listOwned(workspaces.rows, account).length),
      countMembers: (account, workspace) =>
        Effect.sync(() => listOwned(members.rows, account, isInWorkspace(workspace)).length),
      insert: (account, workspace) => journal.withTransaction(put(account, workspace)),
      ensure: Effect.fnUntraced(function* (account, workspace) {
        const id = toRowKey(account, workspace.id)
        const existing = getById(account, workspace.id)
        if (existing !== undefined || ensured.rows.has(id)) return existing
        yield* ensured.edit((draft) => draft.set(id, true))
        // The first workspace of an account cannot have a taken slug.
        yield* Effect.orDie(put(account, workspace))
        return workspace
      }, journal.withTransaction),
      update: Effect.fnUntraced(function* (account, id, change) {
        const before = getById(account, id)
        if (before === undefined) return undefined
        const after = change(before)
        yield* put(account, after)
        return after
      }, journal.withTransaction),
      remove: Effect.fnUntraced(function* (account, id) {
        const before = getById(account, id)
        if (before === undefined) return undefined
        yield* workspaces.edit((draft) => draft.delete(toRowKey(account, id)))
        yield* slugs.edit((draft) => draft.delete(toRowKey(account, before.slug)))
        yield* members.edit((draft) => {
          for (const [row, { account: owner, value }] of members.rows) {
            if (owner === account && value.workspace_id === id) draft.delete(row)
          }
        })
        yield* budgets.edit((draft) => draft.delete(toRowKey(account, id)))
        return before
      }, journal.withTransaction),

      members: (account, workspace, page) =>
        Effect.sync(() =>
          toOffsetPage(listOwned(members.rows, account, isInWorkspace(workspace)), page)
        ),
      addMembers: (account, added) =>
        members.edit((draft) =>
          added.filter((member) => {
            const id = toRowKey(account, member.workspace_id, member.user_id)
            if (draft.has(id)) return false
            draft.set(id, { account, value: member })
            return true
          })
        ),
      removeMembers: (account, workspace, users) =>
        members.edit((draft) =>
          users.flatMap((user) => {
            const id = toRowKey(account, workspace, user)
            const row = draft.get(id)
            return row !== undefined && draft.delete(id) ? [row.value] : []
          })
        ),

      budgets: (account, workspace) =>
        Effect.succeed(
          budgets.rows.size === 0
            ? noBudgets
            : (budgets.rows.get(toRowKey(account, workspace))?.value ?? noBudgets)
        ),
      putBudget: (account, budget) =>
        budgets.edit((draft) => {
          const id = toRowKey(account, budget.workspace_id)
          const all = draft.get(id)?.value ?? []
          const before = all.filter(isIntervalBudget).find(hasInterval(toInterval(budget)))
          const after = { ...budget, ...Struct.pick(before ?? budget, ["id", "created_at"]) }
          const value =
            before === undefined ? [...all, after] : all.with(all.indexOf(before), after)
          draft.set(id, { account, value })
          return after
        }),
      removeBudget: (account, workspace, interval) =>
        budgets.edit((draft) => {
          const id = toRowKey(account, workspace)
          const all = draft.get(id)?.value ?? []
          const before = all.filter(isIntervalBudget).find(hasInterval(interval))
          if (before !== undefined)
            draft.set(id, { account, value: all.filter((budget) => budget !== before) })
          return before
        }),
      scopedBudgets: makeMemoryScopedBudgets(budgets)
    }
  })
)

const noBudgets: ReadonlyArray<AnyBudget> = []

const hasInterval =
  (interval: Interval) =>
  (budget: Budget): boolean =>
    toInterval(budget) === interval
