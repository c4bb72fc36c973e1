/** Manages workspaces, their members and budgets; every change is in the audit log. */
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import { Audit, findChangedTarget } from "../../engine/observability/audit/Audit.ts"
import type { Actor } from "../../values/Actor.ts"
import { setUpdatedAt } from "../../values/setUpdatedAt.ts"
import { mapPage, type OffsetPage, type OffsetRequest } from "../../values/pages/OffsetPage.ts"
import { InvalidRequest, ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { WorkspaceId, defaultWorkspaceId } from "../../values/ids/Ids.ts"
import {
  type Budget,
  type BudgetConfig,
  type Interval,
  findBudgetConflict,
  toInterval
} from "./Budget.ts"
import type { Member } from "./Workspace.ts"
import type { OnWorkspaceDelete } from "./OnWorkspaceDelete.ts"
import * as Workspace from "./Workspace.ts"
import type { NewWorkspace, WorkspacePatch } from "./WorkspaceBody.ts"
import {
  CurrentWorkspaceDefaults,
  type EffectiveWorkspace,
  applyDefaults
} from "./WorkspaceDefaults.ts"
import { WorkspaceStore } from "./WorkspaceStore.ts"
import type { OwnedResource } from "../../values/OwnedResource.ts"
import { toQuotas } from "./quotas.ts"
import { Settings } from "../../instance/Settings.ts"
import { type QuotaExceeded, enforceQuota } from "../../values/enforceQuota.ts"

/** How to remove a workspace. */
export interface WorkspaceRemoval {
  /** The default workspace is removed only when this is true. */
  readonly confirm_default_workspace_deletion?: boolean
}

/** Workspaces, their members and budgets. A workspace is given by id or slug; a removed one takes everything in it along. */
export class Workspaces extends Context.Service<
  Workspaces,
  OwnedResource<
    EffectiveWorkspace,
    NewWorkspace,
    WorkspacePatch,
    unknown,
    EffectiveWorkspace,
    WorkspaceRemoval
  > & {
    /** The given workspace, else the default one of the account; fails when the default one was deleted. */
    readonly resolve: (
      actor: Actor,
      id: string | undefined
    ) => Effect.Effect<WorkspaceId, InvalidRequest>
    /**
     * The id of a workspace given by id or slug; undefined when the account has no such workspace. `default` and no
     * name are the default workspace, unless another one has that slug.
     */
    readonly findId: (
      actor: Actor,
      ref: string | undefined
    ) => Effect.Effect<WorkspaceId | undefined>
    /** Like `get`, with a lock until the transaction ends. */
    readonly hold: (
      actor: Actor,
      ref: string
    ) => Effect.Effect<EffectiveWorkspace, ResourceNotFound>
    /** Like `resolve`, with a lock until the transaction ends. */
    readonly resolveForUpdate: (
      actor: Actor,
      id: string | undefined
    ) => Effect.Effect<WorkspaceId, InvalidRequest>
    /** Registers what to remove when a workspace is deleted. */
    readonly onWorkspaceDelete: (leave: OnWorkspaceDelete) => Effect.Effect<void>
    readonly listMembers: (
      actor: Actor,
      ref: string,
      page: OffsetRequest
    ) => Effect.Effect<OffsetPage<Member>, ResourceNotFound>
    /** Returns the added members only. */
    readonly addMembers: (
      actor: Actor,
      ref: string,
      users: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Member>, ResourceNotFound | QuotaExceeded>
    /** Returns the number of removed members. */
    readonly removeMembers: (
      actor: Actor,
      ref: string,
      users: ReadonlyArray<string>
    ) => Effect.Effect<number, ResourceNotFound>
    readonly getBudgets: (
      actor: Actor,
      ref: string
    ) => Effect.Effect<WorkspaceBudgets, ResourceNotFound>
    /** A limit must be less than the limits of longer intervals, and more than those of shorter ones. */
    readonly putBudget: (
      actor: Actor,
      ref: string,
      interval: Interval,
      config: BudgetConfig
    ) => Effect.Effect<Budget, InvalidRequest | ResourceNotFound>
    readonly removeBudget: (
      actor: Actor,
      ref: string,
      interval: Interval
    ) => Effect.Effect<void, ResourceNotFound>
  }
>()("@signalbox/core/workspaces/Workspaces") {
  static readonly layer = Layer.effect(
    Workspaces,
    Effect.gen(function* () {
      const audit = yield* Audit
      const store = yield* WorkspaceStore
      const defaults = yield* CurrentWorkspaceDefaults
      const quotas = toQuotas(yield* Settings)
      const now = Effect.map(DateTime.now, DateTime.formatIso)
      const deleteHooks: Array<OnWorkspaceDelete> = []

      /** Every account has a default workspace until it is deleted. */
      const ensureDefault = Effect.fnUntraced(function* ({ account }: Actor) {
        const known = yield* store.find(account, defaultWorkspaceId)
        return known ?? (yield* store.ensure(account, Workspace.makeDefault(yield* now)))
      })

      const get = Effect.fnUntraced(function* (actor: Actor, ref: string) {
        yield* ensureDefault(actor)
        const found = yield* store.find(actor.account, ref)
        if (found === undefined)
          return yield* new ResourceNotFound({ resource: "workspace", id: ref })
        return applyDefaults(found, defaults)
      })

      const hold = Effect.fnUntraced(function* (actor: Actor, ref: string) {
        const { id } = yield* get(actor, ref)
        const locked = yield* store.findForUpdate(actor.account, id)
        if (locked === undefined)
          return yield* new ResourceNotFound({ resource: "workspace", id: ref })
        return applyDefaults(locked, defaults)
      })

      const makeResolve = (look: typeof get) => (actor: Actor, id: string | undefined) =>
        Effect.mapBoth(look(actor, id ?? defaultWorkspaceId), {
          onFailure: () =>
            new InvalidRequest({
              path: ["workspace_id"],
              problem:
                id === undefined
                  ? "the default workspace was deleted; name another one"
                  : "there is no such workspace"
            }),
          onSuccess: (workspace) => WorkspaceId.make(workspace.id)
        })

      return {
        get,
        resolve: makeResolve(get),
        findId: (actor, ref = defaultWorkspaceId) =>
          Effect.flatMapEager(store.find(actor.account, ref), (named) => {
            if (named !== undefined) return Effect.succeed(WorkspaceId.make(named.id))
            return ref === Workspace.defaultSlug || ref === defaultWorkspaceId
              ? Effect.map(ensureDefault(actor), (ensured) =>
                  ensured === undefined ? undefined : WorkspaceId.make(ensured.id)
                )
              : Effect.undefined
          }),
        hold,
        resolveForUpdate: makeResolve(hold),
        list: (actor, _, page) =>
          Effect.andThen(
            ensureDefault(actor),
            Effect.map(store.list(actor.account, page), (found) =>
              mapPage(found, (row) => applyDefaults(row, defaults))
            )
          ),
        create: Effect.fnUntraced(function* (actor, config) {
          yield* ensureDefault(actor)
          const created = Workspace.make(config, {
            id: SecureRandom.uuidV4Unsafe(),
            at: yield* now,
            by: actor.user ?? ""
          })
          return yield* audit.change(
            actor,
            "workspace.create",
            Effect.map(
              enforceQuota(
                quotas.workspaces,
                () => store.count(actor.account),
                Effect.mapError(store.insert(actor.account, created), toSlugTakenProblem)
              ),
              () => {
                const after = applyDefaults(created, defaults)
                return { result: after, target: created.id, after }
              }
            )
          )
        }),
        update: Effect.fnUntraced(function* (actor, ref, patch) {
          const { id } = yield* get(actor, ref)
          const at = yield* now
          return yield* audit.change(
            actor,
            "workspace.update",
            Effect.gen(function* () {
              let before: EffectiveWorkspace | undefined
              const updated = yield* Effect.mapError(
                store.update(actor.account, id, (workspace) => {
                  before = applyDefaults(workspace, defaults)
                  return setUpdatedAt(
                    workspace,
                    { ...workspace, ...pickChanges(patch, before) },
                    at
                  )
                }),
                toSlugTakenProblem
              )
              if (updated === undefined)
                return yield* new ResourceNotFound({ resource: "workspace", id: ref })
              const after = applyDefaults(updated, defaults)
              const target = findChangedTarget(id, before, after)
              return { result: after, target, before, after }
            })
          )
        }),
        remove: Effect.fnUntraced(function* (actor, ref, removal = {}) {
          const { id } = yield* get(actor, ref)
          if (id === defaultWorkspaceId && removal.confirm_default_workspace_deletion !== true) {
            return yield* new InvalidRequest({
              path: ["confirm_default_workspace_deletion"],
              problem: "must be true to delete the default workspace"
            })
          }
          const afterCommit = yield* audit.change(
            actor,
            "workspace.delete",
            Effect.gen(function* () {
              // First, so that nothing new is created in the workspace.
              const before = yield* store.remove(actor.account, id)
              if (before === undefined)
                return yield* new ResourceNotFound({ resource: "workspace", id: ref })
              const result = yield* Effect.forEach(deleteHooks, (leave) =>
                leave(actor, WorkspaceId.make(id))
              )
              return { result, target: id, before }
            })
          )
          yield* Effect.all(afterCommit, { discard: true })
        }, Effect.uninterruptible),
        onWorkspaceDelete: (leave) => Effect.sync(() => void deleteHooks.push(leave)),
        listMembers: (actor, ref, page) =>
          Effect.flatMap(get(actor, ref), ({ id }) => store.members(actor.account, id, page)),
        addMembers: Effect.fnUntraced(function* (actor, ref, users) {
          const at = yield* now
          return yield* audit.change(
            actor,
            "workspace.members.add",
            Effect.gen(function* () {
              const { id } = yield* hold(actor, ref)
              const members = Array.from(new Set(users), (user): Member => ({
                id: SecureRandom.uuidV4Unsafe(),
                workspace_id: id,
                user_id: user,
                role: "member",
                created_at: at
              }))
              const added = yield* enforceQuota(
                quotas.members,
                (within) => store.countMembers(actor.account, within),
                store.addMembers(actor.account, members),
                { added: ({ length }) => length, within: id }
              )
              return { result: added, target: added.length === 0 ? undefined : id, after: added }
            })
          )
        }),
        removeMembers: Effect.fnUntraced(function* (actor, ref, users) {
          const { id } = yield* get(actor, ref)
          return yield* audit.change(
            actor,
            "workspace.members.remove",
            Effect.map(store.removeMembers(actor.account, id, users), (removed) => ({
              result: removed.length,
              target: removed.length === 0 ? undefined : id,
              before: removed
            }))
          )
        }),
        getBudgets: Effect.fnUntraced(function* (actor, ref) {
          const { id, include_byok_in_budgets } = yield* get(actor, ref)
          return { budgets: yield* store.budgets(actor.account, id), include_byok_in_budgets }
        }),
        putBudget: Effect.fnUntraced(function* (actor, ref, interval, config) {
          const { id } = yield* get(actor, ref)
          const at = yield* now
          const { include_byok_in_budgets: counts, limit_usd } = config
          const budget: Budget = {
            id: SecureRandom.uuidV4Unsafe(),
            workspace_id: id,
            limit_usd,
            reset_interval: interval === "lifetime" ? null : interval,
            created_at: at,
            updated_at: at
          }
          return yield* audit.change(
            actor,
            "workspace.budget.put",
            Effect.gen(function* () {
              let countedByok = false
              // First, because this locks the workspace and so its budgets. The slug is unchanged, so it cannot be
              // taken.
              const workspace = yield* Effect.orDie(
                store.update(actor.account, id, (workspace) => {
                  countedByok = workspace.include_byok_in_budgets
                  return { ...workspace, include_byok_in_budgets: counts ?? countedByok }
                })
              )
              if (workspace === undefined)
                return yield* new ResourceNotFound({ resource: "workspace", id: ref })
              const budgets = yield* store.budgets(actor.account, id)
              const problem = findBudgetConflict(budgets, interval, limit_usd)
              if (problem !== undefined) return yield* problem
              const kept = budgets.find((each) => toInterval(each) === interval)
              const result =
                kept?.limit_usd === limit_usd ? kept : yield* store.putBudget(actor.account, budget)
              const before = { ...kept, include_byok_in_budgets: countedByok }
              const after = {
                ...result,
                include_byok_in_budgets: workspace.include_byok_in_budgets
              }
              return { result, target: findChangedTarget(id, before, after), before, after }
            })
          )
        }),
        removeBudget: Effect.fnUntraced(function* (actor, ref, interval) {
          const { id } = yield* get(actor, ref)
          const removed = yield* audit.change(
            actor,
            "workspace.budget.delete",
            Effect.map(store.removeBudget(actor.account, id, interval), (before) => ({
              result: before,
              target: before === undefined ? undefined : id,
              before
            }))
          )
          if (removed === undefined)
            return yield* new ResourceNotFound({ resource: "budget", id: interval })
        })
      }
    })
  )
}

/** The budgets of a workspace, and whether its own credentials count under them. */
export interface WorkspaceBudgets {
  readonly budgets: ReadonlyArray<Budget>
  readonly include_byok_in_budgets: boolean
}

/** A client may send a response back: a value that equals its default keeps following the default. */
const pickChanges = (patch: WorkspacePatch, before: EffectiveWorkspace): WorkspacePatch =>
  Struct.pick(
    patch,
    Struct.keys(patch).filter((name) => patch[name] !== before[name])
  )

const toSlugTakenProblem = (): InvalidRequest =>
  new InvalidRequest({ path: ["slug"], problem: "another workspace has it" })
