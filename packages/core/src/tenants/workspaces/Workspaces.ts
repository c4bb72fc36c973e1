/** Manages workspaces, their members and budgets; every change is in the audit log. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { Audit, findChangedTarget } from "../../engine/observability/audit/Audit.ts"
import { Settings } from "../../instance/Settings.ts"
import type { Actor } from "../../values/Actor.ts"
import type { OwnedResource } from "../../values/OwnedResource.ts"
import * as Step from "../../values/Step.ts"
import { enforceQuota, type QuotaExceeded } from "../../values/enforceQuota.ts"
import { InvalidRequest, ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { defaultWorkspaceId, WorkspaceId } from "../../values/ids/Ids.ts"
import { mapPage, type OffsetPage, type OffsetRequest } from "../../values/pages/OffsetPage.ts"
import { setUpdatedAt } from "../../values/setUpdatedAt.ts"
import { checkKeepContent, ContentKeeping } from "./ContentKeeping.ts"
import type { OnWorkspaceDelete } from "./OnWorkspaceDelete.ts"
import * as Workspace from "./Workspace.ts"
import type { Member } from "./Workspace.ts"
import {
  applyDefaults,
  CurrentWorkspaceDefaults,
  type EffectiveWorkspace,
  type FindWorkspace
} from "./WorkspaceDefaults.ts"
import type { NewWorkspace, WorkspacePatch } from "./WorkspaceFields.ts"
import { WorkspaceStore } from "./WorkspaceStore.ts"
import { type Budgets, makeBudgets } from "./makeBudgets.ts"
import { toQuotas } from "./quotas.ts"

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
  > &
    Members &
    Budgets & {
      /** The given workspace, else the default one of the account; fails when the default one was deleted. */
      readonly resolve: (
        actor: Actor,
        id: string | undefined
      ) => Effect.Effect<WorkspaceId, InvalidRequest>
      /**
       * The workspace of an id or slug; undefined when the account has no such workspace. `default` and no name are the
       * default workspace, unless another one has that slug.
       */
      readonly find: (
        actor: Actor,
        ref: string | undefined
      ) => Effect.Effect<Workspace.Workspace | undefined>
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
      /** Registers what runs before each deletion, such as building a service that then registers what it removes. */
      readonly beforeWorkspaceDelete: (prepare: Effect.Effect<unknown>) => Effect.Effect<void>
    }
>()("@signalbox/core/tenants/workspaces/Workspaces") {
  static readonly layer = Layer.effect(
    Workspaces,
    Effect.gen(function* () {
      const audit = yield* Audit
      const store = yield* WorkspaceStore
      const defaults = yield* CurrentWorkspaceDefaults
      const contentKeeping = yield* ContentKeeping
      const quotas = toQuotas(yield* Settings)
      const now = Effect.map(DateTime.now, DateTime.formatIso)
      const deleteHooks: Array<OnWorkspaceDelete> = []
      const preparations: Array<Effect.Effect<unknown>> = []

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
        find: (actor, ref = defaultWorkspaceId) => {
          const finding = store.find(actor.account, ref)
          return ref === Workspace.defaultSlug || ref === defaultWorkspaceId
            ? Step.flatMap(finding, (named) =>
                named === undefined ? ensureDefault(actor) : Effect.succeed(named)
              )
            : finding
        },
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
          yield* checkKeepContent(contentKeeping, config)
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
          yield* checkKeepContent(contentKeeping, patch)
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
          yield* Effect.all(preparations, { discard: true })
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
        beforeWorkspaceDelete: (prepare) => Effect.sync(() => void preparations.push(prepare)),
        ...(yield* makeMembers(get, hold)),
        ...(yield* makeBudgets(get))
      }
    })
  )
}

/** Builds a service of `layerOnDemand` before a workspace is deleted, because another process may have stored what it removes. */
export const buildBeforeDeletion = (
  build: Effect.Effect<unknown>
): Effect.Effect<void, never, Workspaces> =>
  Workspaces.use(({ beforeWorkspaceDelete }) => beforeWorkspaceDelete(build))

/** A client may send a response back: a value that equals its default keeps following the default. */
const pickChanges = (patch: WorkspacePatch, before: EffectiveWorkspace): WorkspacePatch =>
  Struct.pick(
    patch,
    Struct.keys(patch).filter((name) => patch[name] !== before[name])
  )

const toSlugTakenProblem = (): InvalidRequest =>
  new InvalidRequest({ path: ["slug"], problem: "another workspace has it" })

/** The members of a workspace, which is given by id or slug. */
interface Members {
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
}

/** `hold` locks the workspace until the transaction ends. */
const makeMembers = Effect.fnUntraced(function* (get: FindWorkspace, hold: FindWorkspace) {
  const audit = yield* Audit
  const store = yield* WorkspaceStore
  const quotas = toQuotas(yield* Settings)
  const members: Members = {
    listMembers: (actor, ref, page) =>
      Effect.flatMap(get(actor, ref), ({ id }) => store.members(actor.account, id, page)),
    addMembers: Effect.fnUntraced(function* (actor, ref, users) {
      const at = DateTime.formatIso(yield* DateTime.now)
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
    })
  }
  return members
})
