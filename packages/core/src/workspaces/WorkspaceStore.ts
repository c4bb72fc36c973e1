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
    /** By id alone: what already has an id is not to be taken for the slug of another. */
    readonly findById: (account: AccountId, id: string) => Effect.Effect<Workspace | undefined>
    /** By id or by slug. */
    readonly find: (account: AccountId, ref: string) => Effect.Effect<Workspace | undefined>
    /** Oldest first. */
    readonly list: (account: AccountId, page: Page) => Effect.Effect<Paged<Workspace>>
    readonly insert: (account: AccountId, workspace: Workspace) => Effect.Effect<void, SlugTaken>
    /**
     * Adds the workspace unless the account has one of this id or ever had: what was deleted does not
     * come back. Gives the one that is there. Race: of many at once one adds it.
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
      /** Undefined for one that was deleted. */
      const workspaces = memoryTable<string, Owned<Workspace> | undefined>(journal)
      const members = memoryTable<string, Owned<Member>>(journal)
      /** By workspace: a request reads them. */
      const budgets = memoryTable<string, ReadonlyArray<Budget>>(journal)

      const of = (account: AccountId): ReadonlyArray<Workspace> =>
        Array.from(workspaces.rows.values()).flatMap((row) =>
          row?.account === account ? [row.value] : []
        )
      const clash = (account: AccountId, { id, slug }: Workspace): SlugTaken | undefined =>
        of(account).some((other) => other.id !== id && other.slug === slug)
          ? new SlugTaken({ slug })
          : undefined

      return {
        findById: (account, id) => Effect.sync(() => workspaces.rows.get(key(account, id))?.value),
        find: (account, ref) =>
          Effect.sync(
            () =>
              workspaces.rows.get(key(account, ref))?.value ??
              of(account).find(({ slug }) => slug === ref)
          ),
        list: (account, page) => Effect.sync(() => paged(of(account), page)),
        insert: (account, workspace) =>
          Effect.flatMap(
            workspaces.edit((draft) => {
              const taken = clash(account, workspace)
              if (taken === undefined) {
                draft.set(key(account, workspace.id), { account, value: workspace })
              }
              return taken
            }),
            (taken) => taken ?? Effect.void
          ),
        ensure: (account, workspace) =>
          workspaces.edit((draft) => {
            const id = key(account, workspace.id)
            if (draft.has(id)) return draft.get(id)?.value
            draft.set(id, { account, value: workspace })
            return workspace
          }),
        update: (account, id, change) =>
          Effect.flatMap(
            workspaces.edit((draft) => {
              const before = draft.get(key(account, id))?.value
              if (before === undefined) return undefined
              const after = change(before)
              const taken = clash(account, after)
              if (taken !== undefined) return taken
              draft.set(key(account, id), { account, value: after })
              return after
            }),
            (done) => (done instanceof SlugTaken ? done : Effect.succeed(done))
          ),
        remove: Effect.fnUntraced(function* (account, id) {
          const before = yield* workspaces.edit((draft) => {
            const row = draft.get(key(account, id))
            if (row !== undefined) draft.set(key(account, id), undefined)
            return row?.value
          })
          if (before === undefined) return undefined
          yield* members.edit((draft) => {
            for (const [row, { account: owner, value }] of members.rows) {
              if (owner === account && value.workspace_id === id) draft.delete(row)
            }
          })
          yield* budgets.edit((draft) => draft.delete(key(account, id)))
          return before
        }),

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
