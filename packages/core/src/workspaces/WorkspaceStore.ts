/** Where workspaces, their members and their budgets are kept. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "../MemoryJournal.ts"
import { memoryTable } from "../memoryTable.ts"
import type { AccountId } from "../values/AccountId.ts"
import { type Page, type Paged, paged } from "../values/Page.ts"
import { type Budget, type Interval, intervalOf } from "./Budget.ts"
import type { Member } from "./Member.ts"
import type { Workspace } from "./Workspace.ts"
import { SlugTaken } from "./WorkspaceErrors.ts"

/** Race: of two who take one slug at once, one is refused. */
export class WorkspaceStore extends Context.Service<
  WorkspaceStore,
  {
    /** By id or by slug. */
    readonly find: (account: AccountId, ref: string) => Effect.Effect<Workspace | undefined>
    /** By id alone: what already has an id is not to be taken for the slug of another. */
    readonly findById: (account: AccountId, id: string) => Effect.Effect<Workspace | undefined>
    /**
     * The same, asked for inside a transaction. Race: until that ends nobody changes or removes what was
     * found, so that what is made in it is not left behind.
     */
    readonly hold: (account: AccountId, id: string) => Effect.Effect<Workspace | undefined>
    /** Oldest first. */
    readonly list: (account: AccountId, page: Page) => Effect.Effect<Paged<Workspace>>
    /** See `Count`. */
    readonly count: (account: AccountId) => Effect.Effect<number>
    readonly insert: (account: AccountId, workspace: Workspace) => Effect.Effect<void, SlugTaken>
    /**
     * Adds the workspace unless the account has one of this id or had one that was ensured: what was
     * deleted does not come back. Gives the one that is there. Race: of many at once one adds it.
     */
    readonly ensure: (
      account: AccountId,
      workspace: Workspace
    ) => Effect.Effect<Workspace | undefined>
    /** What `change` makes of it; undefined when there is none. */
    readonly update: (
      account: AccountId,
      id: string,
      change: (workspace: Workspace) => Workspace
    ) => Effect.Effect<Workspace | undefined, SlugTaken>
    /** With its members and budgets; what was there. */
    readonly remove: (account: AccountId, id: string) => Effect.Effect<Workspace | undefined>

    /** Oldest first. */
    readonly members: (
      account: AccountId,
      workspace: string,
      page: Page
    ) => Effect.Effect<Paged<Member>>
    /** See `Count`. */
    readonly countMembers: (account: AccountId, workspace?: string) => Effect.Effect<number>
    /** Those who were not in it yet. Race: nobody is in a workspace twice. */
    readonly addMembers: (
      account: AccountId,
      members: ReadonlyArray<Member>
    ) => Effect.Effect<ReadonlyArray<Member>>
    /** Those who were in it. Race: of two who remove somebody at once, one is given the member. */
    readonly removeMembers: (
      account: AccountId,
      workspace: string,
      users: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Member>>

    readonly budgets: (
      account: AccountId,
      workspace: string
    ) => Effect.Effect<ReadonlyArray<Budget>>
    /** Adds it, or changes the one of its interval, which keeps its id and its age. */
    readonly putBudget: (account: AccountId, budget: Budget) => Effect.Effect<Budget>
    readonly removeBudget: (
      account: AccountId,
      workspace: string,
      interval: Interval
    ) => Effect.Effect<Budget | undefined>
  }
>()("@signalbox/core/workspaces/WorkspaceStore") {
  static readonly layerMemory: Layer.Layer<WorkspaceStore, never, MemoryJournal> = Layer.effect(
    WorkspaceStore,
    Effect.map(MemoryJournal, (journal) => {
      const workspaces = memoryTable<string, Owned<Workspace>>(journal)
      /** The id of each by its slug: a request may find one by either. */
      const slugs = memoryTable<string, string>(journal)
      /** The ids that were ensured once, kept for ever, so that what was deleted does not come back. */
      const ensured = memoryTable<string, true>(journal)
      const members = memoryTable<string, Owned<Member>>(journal)
      /** By workspace: a request reads them. */
      const budgets = memoryTable<string, ReadonlyArray<Budget>>(journal)

      const of = (account: AccountId): ReadonlyArray<Workspace> =>
        Array.from(workspaces.rows.values()).flatMap((row) =>
          row.account === account ? [row.value] : []
        )
      const byId = (account: AccountId, id: string): Workspace | undefined =>
        workspaces.rows.get(key(account, id))?.value
      const bySlug = (account: AccountId, slug: string): Workspace | undefined => {
        const id = slugs.rows.get(key(account, slug))
        return id === undefined ? undefined : byId(account, id)
      }

      /** One after the other, inside a transaction that is undone when the slug is taken. */
      const put = Effect.fnUntraced(function* (account: AccountId, workspace: Workspace) {
        const { id, slug } = workspace
        const owner = bySlug(account, slug)
        if (owner !== undefined && owner.id !== id) return yield* new SlugTaken({ slug })
        const before = byId(account, id)?.slug
        yield* slugs.edit((draft) => {
          if (before !== undefined) draft.delete(key(account, before))
          draft.set(key(account, slug), id)
        })
        yield* workspaces.edit((draft) =>
          draft.set(key(account, id), { account, value: workspace })
        )
      })

      return {
        find: (account, ref) => Effect.sync(() => byId(account, ref) ?? bySlug(account, ref)),
        findById: (account, id) => Effect.sync(() => byId(account, id)),
        // Transactions come one after the other here.
        hold: (account, id) => Effect.sync(() => byId(account, id)),
        list: (account, page) => Effect.sync(() => paged(of(account), page)),
        count: (account) => Effect.sync(() => of(account).length),
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
        insert: (account, workspace) => journal.atomically(put(account, workspace)),
        ensure: Effect.fnUntraced(function* (account, workspace) {
          const id = key(account, workspace.id)
          const known = byId(account, workspace.id)
          if (known !== undefined || ensured.rows.has(id)) return known
          yield* ensured.edit((draft) => draft.set(id, true))
          // It is the first one of an account, so nobody has its slug.
          yield* Effect.orDie(put(account, workspace))
          return workspace
        }, journal.atomically),
        update: Effect.fnUntraced(function* (account, id, change) {
          const before = byId(account, id)
          if (before === undefined) return undefined
          const after = change(before)
          yield* put(account, after)
          return after
        }, journal.atomically),
        remove: Effect.fnUntraced(function* (account, id) {
          const before = byId(account, id)
          if (before === undefined) return undefined
          yield* workspaces.edit((draft) => draft.delete(key(account, id)))
          yield* slugs.edit((draft) => draft.delete(key(account, before.slug)))
          yield* members.edit((draft) => {
            for (const [row, { account: owner, value }] of members.rows) {
              if (owner === account && value.workspace_id === id) draft.delete(row)
            }
          })
          yield* budgets.edit((draft) => draft.delete(key(account, id)))
          return before
        }, journal.atomically),

        members: (account, workspace, page) =>
          Effect.sync(() => paged(ownedIn(members.rows.values(), account, workspace), page)),
        addMembers: (account, added) =>
          members.edit((draft) =>
            added.filter((member) => {
              const id = key(account, member.workspace_id, member.user_id)
              if (draft.has(id)) return false
              draft.set(id, { account, value: member })
              return true
            })
          ),
        removeMembers: (account, workspace, users) =>
          members.edit((draft) =>
            users.flatMap((user) => {
              const id = key(account, workspace, user)
              const row = draft.get(id)
              return row !== undefined && draft.delete(id) ? [row.value] : []
            })
          ),

        budgets: (account, workspace) =>
          Effect.sync(() => budgets.rows.get(key(account, workspace)) ?? []),
        putBudget: (account, budget) =>
          budgets.edit((draft) => {
            const id = key(account, budget.workspace_id)
            const all = draft.get(id) ?? []
            const before = all.find(isOf(intervalOf(budget)))
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
            const id = key(account, workspace)
            const all = draft.get(id) ?? []
            const before = all.find(isOf(interval))
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
}

const isOf =
  (interval: Interval) =>
  (budget: Budget): boolean =>
    intervalOf(budget) === interval

interface Owned<A> {
  readonly account: AccountId
  readonly value: A
}

const key = (account: AccountId, ...parts: ReadonlyArray<string>): string =>
  JSON.stringify([account, ...parts])

const ownedIn = <A extends { readonly workspace_id: string }>(
  rows: Iterable<Owned<A>>,
  account: AccountId,
  workspace: string
): ReadonlyArray<A> =>
  Array.from(rows).flatMap((row) =>
    row.account === account && row.value.workspace_id === workspace ? [row.value] : []
  )
