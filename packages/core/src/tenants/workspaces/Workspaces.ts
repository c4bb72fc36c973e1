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
import { mapPage } from "../../values/pages/OffsetPage.ts"
import { InvalidRequest, ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { WorkspaceId, defaultWorkspaceId } from "../../values/ids/Ids.ts"
import { type Budgets, makeBudgets } from "./makeBudgets.ts"
import { checkKeepContent, ContentKeeping } from "./ContentKeeping.ts"
import { type Members, makeMembers } from "./makeMembers.ts"
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
import { enforceQuota } from "../../values/enforceQuota.ts"
import * as Step from "../../values/Step.ts"

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
        ...(yield* makeMembers(get, hold)),
        ...(yield* makeBudgets(get))
      }
    })
  )
}

/** A client may send a response back: a value that equals its default keeps following the default. */
const pickChanges = (patch: WorkspacePatch, before: EffectiveWorkspace): WorkspacePatch =>
  Struct.pick(
    patch,
    Struct.keys(patch).filter((name) => patch[name] !== before[name])
  )

const toSlugTakenProblem = (): InvalidRequest =>
  new InvalidRequest({ path: ["slug"], problem: "another workspace has it" })
