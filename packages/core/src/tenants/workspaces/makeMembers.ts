/** Manages the members of workspaces. */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { Audit } from "../../engine/observability/audit/Audit.ts"
import { Settings } from "../../instance/Settings.ts"
import type { Actor } from "../../values/Actor.ts"
import { type QuotaExceeded, enforceQuota } from "../../values/enforceQuota.ts"
import type { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import type { OffsetPage, OffsetRequest } from "../../values/pages/OffsetPage.ts"
import { toQuotas } from "./quotas.ts"
import type { Member } from "./Workspace.ts"
import type { FindWorkspace } from "./WorkspaceDefaults.ts"
import { WorkspaceStore } from "./WorkspaceStore.ts"

/** The members of a workspace, which is given by id or slug. */
export interface Members {
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
export const makeMembers = Effect.fnUntraced(function* (get: FindWorkspace, hold: FindWorkspace) {
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
