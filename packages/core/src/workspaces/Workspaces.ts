/** Makes, changes and finds workspaces; every change is told of in the audit log. */
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import { Audit, targetUnlessSame } from "../observability/Audit.ts"
import type { Actor } from "../values/Actor.ts"
import { stamped } from "../values/stamped.ts"
import type { Page, Paged } from "../values/Page.ts"
import { InvalidRequest, Missing } from "../values/RequestErrors.ts"
import { defaultWorkspaceId, WorkspaceId } from "../values/WorkspaceId.ts"
import { type Budget, type BudgetConfig, type Interval, intervalOf } from "./Budget.ts"
import { budgetProblem } from "./budgetProblem.ts"
import type { Member } from "./Member.ts"
import type { Leave } from "./Leave.ts"
import * as Workspace from "./Workspace.ts"
import { DefaultsOfWorkspaces, type EffectiveWorkspace, withDefaults } from "./WorkspaceDefaults.ts"
import { WorkspaceStore } from "./WorkspaceStore.ts"
import { quotasOf } from "./quotas.ts"
import { Settings } from "../Settings.ts"
import { type QuotaExceeded, withinQuota } from "../values/withinQuota.ts"

/** Manages workspaces, their members and budgets. */
export class Workspaces extends Context.Service<
  Workspaces,
  {
    /** By id or slug. */
    readonly find: (actor: Actor, ref: string) => Effect.Effect<EffectiveWorkspace, Missing>
    /**
     * The workspace a request means: the one it names, else the account's default one. A default that
     * was deleted has to be named.
     */
    readonly meant: (
      actor: Actor,
      id: string | undefined
    ) => Effect.Effect<WorkspaceId, InvalidRequest>
    /**
     * The id of the workspace that a host names by id or slug; undefined: the account has none such. `default`,
     * like no name at all, is the default one, unless another has that slug.
     */
    readonly idOf: (actor: Actor, ref: string | undefined) => Effect.Effect<WorkspaceId | undefined>
    /** As `find`, inside a change of what lives in it: nobody removes it until that is done. */
    readonly hold: (actor: Actor, ref: string) => Effect.Effect<EffectiveWorkspace, Missing>
    /** As `meant`, held likewise. */
    readonly holdMeant: (
      actor: Actor,
      id: string | undefined
    ) => Effect.Effect<WorkspaceId, InvalidRequest>
    readonly list: (actor: Actor, page: Page) => Effect.Effect<Paged<EffectiveWorkspace>>
    readonly create: (
      actor: Actor,
      config: Workspace.NewWorkspace
    ) => Effect.Effect<EffectiveWorkspace, InvalidRequest | QuotaExceeded>
    readonly update: (
      actor: Actor,
      ref: string,
      patch: Workspace.WorkspacePatch
    ) => Effect.Effect<EffectiveWorkspace, InvalidRequest | Missing>
    /**
     * With all that lives in it, or not at all. The default one goes only when that is confirmed.
     */
    readonly remove: (
      actor: Actor,
      ref: string,
      confirmsDefault: boolean
    ) => Effect.Effect<void, InvalidRequest | Missing>
    /** Whoever keeps things of workspaces says once how they leave. */
    readonly whenRemoved: (leave: Leave) => Effect.Effect<void>
    readonly members: (
      actor: Actor,
      ref: string,
      page: Page
    ) => Effect.Effect<Paged<Member>, Missing>
    /** Those who were not in it yet. */
    readonly addMembers: (
      actor: Actor,
      ref: string,
      users: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Member>, Missing | QuotaExceeded>
    /** How many were in it. */
    readonly removeMembers: (
      actor: Actor,
      ref: string,
      users: ReadonlyArray<string>
    ) => Effect.Effect<number, Missing>
    readonly budgets: (actor: Actor, ref: string) => Effect.Effect<WorkspaceBudgets, Missing>
    /** Refuses what is not less than the budgets of longer intervals, and more than those of shorter ones. */
    readonly putBudget: (
      actor: Actor,
      ref: string,
      interval: Interval,
      config: BudgetConfig
    ) => Effect.Effect<Budget, InvalidRequest | Missing>
    readonly removeBudget: (
      actor: Actor,
      ref: string,
      interval: Interval
    ) => Effect.Effect<void, Missing>
  }
>()("@signalbox/core/workspaces/Workspaces") {
  static readonly layer: Layer.Layer<Workspaces, never, Audit | WorkspaceStore> = Layer.effect(
    Workspaces,
    Effect.gen(function* () {
      const audit = yield* Audit
      const store = yield* WorkspaceStore
      const defaults = yield* DefaultsOfWorkspaces
      const quotas = quotasOf(yield* Settings)
      const now = Effect.map(DateTime.now, DateTime.formatIso)
      const residents: Array<Leave> = []

      /** Everybody has one until it is deleted. */
      const ensureDefault = Effect.fnUntraced(function* ({ account }: Actor) {
        const known = yield* store.find(account, defaultWorkspaceId)
        return known ?? (yield* store.ensure(account, Workspace.makeDefault(yield* now)))
      })

      const find = Effect.fnUntraced(function* (actor: Actor, ref: string) {
        yield* ensureDefault(actor)
        const found = yield* store.find(actor.account, ref)
        if (found === undefined) return yield* new Missing({ what: "workspace", id: ref })
        return withDefaults(found, defaults)
      })

      const hold = Effect.fnUntraced(function* (actor: Actor, ref: string) {
        const { id } = yield* find(actor, ref)
        const held = yield* store.hold(actor.account, id)
        if (held === undefined) return yield* new Missing({ what: "workspace", id: ref })
        return withDefaults(held, defaults)
      })

      const meantBy = (look: typeof find) => (actor: Actor, id: string | undefined) =>
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
        find,
        meant: meantBy(find),
        idOf: Effect.fnUntraced(function* (actor, ref = defaultWorkspaceId) {
          const named = yield* store.find(actor.account, ref)
          const found =
            named === undefined && (ref === Workspace.defaultSlug || ref === defaultWorkspaceId)
              ? yield* ensureDefault(actor)
              : named
          return found === undefined ? undefined : WorkspaceId.make(found.id)
        }),
        hold,
        holdMeant: meantBy(hold),
        list: (actor, page) =>
          Effect.andThen(
            ensureDefault(actor),
            Effect.map(store.list(actor.account, page), ({ rows, total }) => ({
              rows: rows.map((row) => withDefaults(row, defaults)),
              total
            }))
          ),
        create: Effect.fnUntraced(function* (actor, config) {
          yield* ensureDefault(actor)
          const made = Workspace.make(config, {
            id: SecureRandom.uuidV4Unsafe(),
            at: yield* now,
            by: actor.user ?? ""
          })
          return yield* audit.change(
            actor,
            "workspace.create",
            Effect.map(
              withinQuota(
                quotas.workspaces,
                () => store.count(actor.account),
                Effect.mapError(store.insert(actor.account, made), slugTaken)
              ),
              () => {
                const after = withDefaults(made, defaults)
                return { result: after, target: made.id, after }
              }
            )
          )
        }),
        update: Effect.fnUntraced(function* (actor, ref, patch) {
          const { id } = yield* find(actor, ref)
          const at = yield* now
          return yield* audit.change(
            actor,
            "workspace.update",
            Effect.gen(function* () {
              let before: EffectiveWorkspace | undefined
              const kept = yield* Effect.mapError(
                store.update(actor.account, id, (workspace) => {
                  before = withDefaults(workspace, defaults)
                  return stamped(workspace, { ...workspace, ...changesIn(patch, before) }, at)
                }),
                slugTaken
              )
              if (kept === undefined) return yield* new Missing({ what: "workspace", id: ref })
              const after = withDefaults(kept, defaults)
              const target = targetUnlessSame(id, before, after)
              return { result: after, target, before, after }
            })
          )
        }),
        remove: Effect.fnUntraced(function* (actor, ref, confirmsDefault) {
          const { id } = yield* find(actor, ref)
          if (id === defaultWorkspaceId && !confirmsDefault) {
            return yield* new InvalidRequest({
              path: ["confirm_default_workspace_deletion"],
              problem: "must be true to delete the default workspace"
            })
          }
          const afterwards = yield* audit.change(
            actor,
            "workspace.delete",
            Effect.gen(function* () {
              // First, so that nobody moves in any more.
              const before = yield* store.remove(actor.account, id)
              if (before === undefined) return yield* new Missing({ what: "workspace", id: ref })
              const result = yield* Effect.forEach(residents, (leave) =>
                leave(actor, WorkspaceId.make(id))
              )
              return { result, target: id, before }
            })
          )
          yield* Effect.all(afterwards, { discard: true })
        }, Effect.uninterruptible),
        whenRemoved: (leave) => Effect.sync(() => void residents.push(leave)),
        members: (actor, ref, page) =>
          Effect.flatMap(find(actor, ref), ({ id }) => store.members(actor.account, id, page)),
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
              const added = yield* withinQuota(
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
          const { id } = yield* find(actor, ref)
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
        budgets: Effect.fnUntraced(function* (actor, ref) {
          const { id, include_byok_in_budgets } = yield* find(actor, ref)
          return { budgets: yield* store.budgets(actor.account, id), include_byok_in_budgets }
        }),
        putBudget: Effect.fnUntraced(function* (actor, ref, interval, config) {
          const { id } = yield* find(actor, ref)
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
              // First, so that the budgets of the workspace are nobody else's until this is done. Its slug
              // stays, so it clashes with nobody.
              const workspace = yield* Effect.orDie(
                store.update(actor.account, id, (workspace) => {
                  countedByok = workspace.include_byok_in_budgets
                  return { ...workspace, include_byok_in_budgets: counts ?? countedByok }
                })
              )
              if (workspace === undefined) return yield* new Missing({ what: "workspace", id: ref })
              const budgets = yield* store.budgets(actor.account, id)
              const problem = budgetProblem(budgets, interval, limit_usd)
              if (problem !== undefined) return yield* problem
              const kept = budgets.find((each) => intervalOf(each) === interval)
              const result =
                kept?.limit_usd === limit_usd ? kept : yield* store.putBudget(actor.account, budget)
              const before = { ...kept, include_byok_in_budgets: countedByok }
              const after = {
                ...result,
                include_byok_in_budgets: workspace.include_byok_in_budgets
              }
              return { result, target: targetUnlessSame(id, before, after), before, after }
            })
          )
        }),
        removeBudget: Effect.fnUntraced(function* (actor, ref, interval) {
          const { id } = yield* find(actor, ref)
          const removed = yield* audit.change(
            actor,
            "workspace.budget.delete",
            Effect.map(store.removeBudget(actor.account, id, interval), (before) => ({
              result: before,
              target: before === undefined ? undefined : id,
              before
            }))
          )
          if (removed === undefined) return yield* new Missing({ what: "budget", id: interval })
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

/** What was told may be sent back: a value that holds by default goes on following the default. */
const changesIn = (
  patch: Workspace.WorkspacePatch,
  before: EffectiveWorkspace
): Workspace.WorkspacePatch =>
  Struct.pick(
    patch,
    Struct.keys(patch).filter((name) => patch[name] !== before[name])
  )

const slugTaken = (): InvalidRequest =>
  new InvalidRequest({ path: ["slug"], problem: "another workspace has it" })
