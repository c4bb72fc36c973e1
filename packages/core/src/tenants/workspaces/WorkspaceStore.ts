/** Stores workspaces, their members and budgets. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../../values/ids/Ids.ts"
import type { OffsetRequest, OffsetPage } from "../../values/pages/OffsetPage.ts"
import type { OwnedStore } from "../../instance/OwnedStore.ts"
import type { Budget, Interval } from "./Budget.ts"
import type { AnyBudget, ScopedBudget } from "./ScopedBudget.ts"
import type { Member, SlugTaken, Workspace } from "./Workspace.ts"

/** Race: of concurrent writes with one slug, one fails with `SlugTaken`. */
export class WorkspaceStore extends Context.Service<
  WorkspaceStore,
  {
    /** By id or by slug. */
    readonly find: (account: AccountId, ref: string) => Effect.Effect<Workspace | undefined>
    /** By id only, so that an id is never read as the slug of another workspace. */
    readonly findById: (account: AccountId, id: string) => Effect.Effect<Workspace | undefined>
    /**
     * Like `find`, with a lock until the transaction ends. Race: the workspace cannot be changed or removed while
     * something is created in it.
     */
    readonly findForUpdate: (account: AccountId, id: string) => Effect.Effect<Workspace | undefined>
    /** Oldest first. */
    readonly list: (account: AccountId, page: OffsetRequest) => Effect.Effect<OffsetPage<Workspace>>
    /** Those of customers, oldest first. */
    readonly listCustomers: (
      account: AccountId,
      page: OffsetRequest
    ) => Effect.Effect<OffsetPage<Workspace>>
    /** The names of the bundles that the customers of all accounts have. */
    readonly listBundles: () => Effect.Effect<ReadonlyArray<string>>
    /** See `CountResources`. */
    readonly count: (account: AccountId) => Effect.Effect<number>
    readonly insert: (account: AccountId, workspace: Workspace) => Effect.Effect<void, SlugTaken>
    /**
     * Adds the workspace unless it exists or was ensured before, so that a deleted workspace does not come back.
     * Returns the existing one. Race: of concurrent calls, one adds it.
     */
    readonly ensure: (
      account: AccountId,
      workspace: Workspace
    ) => Effect.Effect<Workspace | undefined>
    /** Undefined when the workspace does not exist. */
    readonly update: (
      account: AccountId,
      id: string,
      change: (workspace: Workspace) => Workspace
    ) => Effect.Effect<Workspace | undefined, SlugTaken>
    /** Removes the workspace with its members and budgets; returns the removed workspace. */
    readonly remove: (account: AccountId, id: string) => Effect.Effect<Workspace | undefined>

    /** Oldest first. */
    readonly members: (
      account: AccountId,
      workspace: string,
      page: OffsetRequest
    ) => Effect.Effect<OffsetPage<Member>>
    /** See `CountResources`. */
    readonly countMembers: (account: AccountId, workspace?: string) => Effect.Effect<number>
    /** Returns the added members only. Race: a member is never added twice. */
    readonly addMembers: (
      account: AccountId,
      members: ReadonlyArray<Member>
    ) => Effect.Effect<ReadonlyArray<Member>>
    /** Returns the removed members. Race: of concurrent removals, one returns the member. */
    readonly removeMembers: (
      account: AccountId,
      workspace: string,
      users: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Member>>

    /** Every budget: those of its intervals and those of a scope. Called for every request, so that one read finds both. */
    readonly budgets: (
      account: AccountId,
      workspace: string
    ) => Effect.Effect<ReadonlyArray<AnyBudget>>
    /** Adds the budget, or replaces the one of its interval, which keeps its id and `created_at`. */
    readonly putBudget: (account: AccountId, budget: Budget) => Effect.Effect<Budget>
    readonly removeBudget: (
      account: AccountId,
      workspace: string,
      interval: Interval
    ) => Effect.Effect<Budget | undefined>
    /** The budgets of a scope. */
    readonly scopedBudgets: OwnedStore<ScopedBudget>
  }
>()("@signalbox/core/tenants/workspaces/WorkspaceStore") {}
