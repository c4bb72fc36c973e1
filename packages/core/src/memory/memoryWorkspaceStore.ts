/** WorkspaceStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "../MemoryJournal.ts"
import { makeMemoryTable } from "../makeMemoryTable.ts"
import type { AccountId } from "../values/ids/AccountId.ts"
import { toOffsetPage } from "../values/pages/OffsetPage.ts"
import { type Budget, type Interval, toInterval } from "../workspaces/Budget.ts"
import type { Member } from "../workspaces/Member.ts"
import type { Workspace } from "../workspaces/Workspace.ts"
import { SlugTaken } from "../workspaces/WorkspaceErrors.ts"
import { WorkspaceStore } from "../workspaces/WorkspaceStore.ts"

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
    const budgets = makeMemoryTable<string, ReadonlyArray<Budget>>(journal)

    const listAll = (account: AccountId): ReadonlyArray<Workspace> =>
      Array.from(workspaces.rows.values()).flatMap((row) =>
        row.account === account ? [row.value] : []
      )
    const getById = (account: AccountId, id: string): Workspace | undefined =>
      workspaces.rows.get(toKey(account, id))?.value
    const getBySlug = (account: AccountId, slug: string): Workspace | undefined => {
      const id = slugs.rows.get(toKey(account, slug))
      return id === undefined ? undefined : getById(account, id)
    }

    /** Runs in a transaction that rolls back when the slug is taken. */
    const put = Effect.fnUntraced(function* (account: AccountId, workspace: Workspace) {
      const { id, slug } = workspace
      const owner = getBySlug(account, slug)
      if (owner !== undefined && owner.id !== id) return yield* new SlugTaken({ slug })
      const before = getById(account, id)?.slug
      yield* slugs.edit((draft) => {
        if (before !== undefined) draft.delete(toKey(account, before))
        draft.set(toKey(account, slug), id)
      })
      yield* workspaces.edit((draft) =>
        draft.set(toKey(account, id), { account, value: workspace })
      )
    })

    return {
      find: (account, ref) => Effect.sync(() => getById(account, ref) ?? getBySlug(account, ref)),
      findById: (account, id) => Effect.sync(() => getById(account, id)),
      // Transactions in memory are serial.
      findForUpdate: (account, id) => Effect.sync(() => getById(account, id)),
      list: (account, page) => Effect.sync(() => toOffsetPage(listAll(account), page)),
      count: (account) => Effect.sync(() => listAll(account).length),
      countMembers: (account, workspace) =>
        Effect.sync(() => {
          let count = 0
          for (const row of members.rows.values()) {
            if (
              row.account === account &&
              (workspace === undefined || row.value.workspace_id === workspace)
            ) {
              count++
            }
          }
          return count
        }),
      insert: (account, workspace) => journal.withTransaction(put(account, workspace)),
      ensure: Effect.fnUntraced(function* (account, workspace) {
        const id = toKey(account, workspace.id)
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
        yield* workspaces.edit((draft) => draft.delete(toKey(account, id)))
        yield* slugs.edit((draft) => draft.delete(toKey(account, before.slug)))
        yield* members.edit((draft) => {
          for (const [row, { account: owner, value }] of members.rows) {
            if (owner === account && value.workspace_id === id) draft.delete(row)
          }
        })
        yield* budgets.edit((draft) => draft.delete(toKey(account, id)))
        return before
      }, journal.withTransaction),

      members: (account, workspace, page) =>
        Effect.sync(() =>
          toOffsetPage(filterByWorkspace(members.rows.values(), account, workspace), page)
        ),
      addMembers: (account, added) =>
        members.edit((draft) =>
          added.filter((member) => {
            const id = toKey(account, member.workspace_id, member.user_id)
            if (draft.has(id)) return false
            draft.set(id, { account, value: member })
            return true
          })
        ),
      removeMembers: (account, workspace, users) =>
        members.edit((draft) =>
          users.flatMap((user) => {
            const id = toKey(account, workspace, user)
            const row = draft.get(id)
            return row !== undefined && draft.delete(id) ? [row.value] : []
          })
        ),

      budgets: (account, workspace) =>
        Effect.sync(() => budgets.rows.get(toKey(account, workspace)) ?? []),
      putBudget: (account, budget) =>
        budgets.edit((draft) => {
          const id = toKey(account, budget.workspace_id)
          const all = draft.get(id) ?? []
          const before = all.find(hasInterval(toInterval(budget)))
          const after =
            before === undefined
              ? budget
              : { ...budget, id: before.id, created_at: before.created_at }
          draft.set(
            id,
            before === undefined ? [...all, after] : all.with(all.indexOf(before), after)
          )
          return after
        }),
      removeBudget: (account, workspace, interval) =>
        budgets.edit((draft) => {
          const id = toKey(account, workspace)
          const all = draft.get(id) ?? []
          const before = all.find(hasInterval(interval))
          if (before !== undefined)
            draft.set(
              id,
              all.filter((budget) => budget !== before)
            )
          return before
        })
    }
  })
)

const hasInterval =
  (interval: Interval) =>
  (budget: Budget): boolean =>
    toInterval(budget) === interval

interface OwnedRow<A> {
  readonly account: AccountId
  readonly value: A
}

const toKey = (account: AccountId, ...parts: ReadonlyArray<string>): string =>
  JSON.stringify([account, ...parts])

const filterByWorkspace = <A extends { readonly workspace_id: string }>(
  rows: Iterable<OwnedRow<A>>,
  account: AccountId,
  workspace: string
): ReadonlyArray<A> =>
  Array.from(rows).flatMap((row) =>
    row.account === account && row.value.workspace_id === workspace ? [row.value] : []
  )
