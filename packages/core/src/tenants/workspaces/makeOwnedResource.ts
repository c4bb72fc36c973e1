/** Manages resources that belong to workspaces: a quota, an audit entry of each change, and their removal. */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import { Audit } from "../../engine/observability/audit/Audit.ts"
import { makeAuditedRows } from "../../engine/observability/audit/makeAuditedRows.ts"
import type { OwnedResourceRow, OwnedStore } from "../../instance/OwnedStore.ts"
import { Settings } from "../../instance/Settings.ts"
import type { Actor } from "../../values/Actor.ts"
import { enforceQuota } from "../../values/enforceQuota.ts"
import type { InvalidRequest, ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import type { WorkspaceId } from "../../values/ids/Ids.ts"
import { unlimitedPage } from "../../values/pages/OffsetPage.ts"
import type { OwnedResource } from "../../values/OwnedResource.ts"
import { toQuotas } from "./quotas.ts"
import { Workspaces } from "./Workspaces.ts"

/** What a new resource does not take from its request. */
export interface ResourceOrigin {
  readonly id: string
  readonly workspace: WorkspaceId
  /** ISO 8601. */
  readonly at: string
}

/** What a kind of resource of workspaces has of its own. */
export interface ResourceRules<Row, New, Patch> {
  /** What errors and the audit log call it, such as `guardrail`. */
  readonly name: string
  /** What errors call it, such as `alert rule`; default: `name`. */
  readonly resource?: string
  readonly quota: Exclude<keyof ReturnType<typeof toQuotas>, "workspaces">
  readonly make: (
    config: Omit<New, "workspace_id">,
    origin: ResourceOrigin
  ) => Result.Result<Row, InvalidRequest>
  /** `at` is ISO 8601. */
  readonly change: (row: Row, patch: Patch, at: string) => Result.Result<Row, InvalidRequest>
  /** Makes a resource that exists before its first change stores it. */
  readonly makeUnstored?: (
    actor: Actor,
    id: string,
    at: string
  ) => Effect.Effect<Row, ResourceNotFound>
}

export interface NewResource {
  readonly workspace_id?: string
}

/** The deletion of a workspace removes its resources. */
export const makeOwnedResource = Effect.fnUntraced(function* <
  Row extends OwnedResourceRow,
  New extends NewResource,
  Patch,
  R
>(
  port: Effect.Effect<OwnedStore<Row>, never, R>,
  {
    change,
    make,
    makeUnstored,
    name,
    quota,
    resource: called = name
  }: ResourceRules<Row, New, Patch>
) {
  const store = yield* port
  const audit = yield* Audit
  const workspaces = yield* Workspaces
  const quotas = toQuotas(yield* Settings)
  const now = Effect.map(DateTime.now, DateTime.formatIso)
  const rows = makeAuditedRows(audit, store, { action: name, resource: called })

  /** Returns whether it stored the resource. */
  const storeUnstored = Effect.fnUntraced(function* (actor: Actor, id: string, at: string) {
    if (makeUnstored === undefined) return false
    if ((yield* store.find(actor.account, id)) !== undefined) return false
    return yield* store.insert(actor.account, yield* makeUnstored(actor, id, at))
  })

  yield* workspaces.onWorkspaceDelete(
    Effect.fnUntraced(function* (actor, workspace) {
      const { rows: all } = yield* store.list(actor.account, workspace, unlimitedPage)
      for (const { id } of all) yield* rows.removeIfPresent(actor, id)
      return Effect.void
    })
  )

  const resource: OwnedResource<Row, New, Patch> = {
    get: rows.get,
    list: Effect.fnUntraced(function* (actor, { workspace_id }, page) {
      const id = yield* workspaces.resolve(actor, workspace_id)
      return yield* store.list(actor.account, id, page)
    }),
    create: Effect.fnUntraced(function* (actor, { workspace_id, ...config }) {
      const at = yield* now
      return yield* audit.change(
        actor,
        `${name}.create`,
        Effect.gen(function* () {
          const workspace = yield* workspaces.resolveForUpdate(actor, workspace_id)
          const origin = { id: SecureRandom.uuidV4Unsafe(), workspace, at }
          const made = yield* Effect.fromResult(make(config, origin))
          yield* enforceQuota(
            quotas[quota],
            (within) => store.count(actor.account, within),
            store.insert(actor.account, made),
            { within: workspace }
          )
          return { result: made, target: made.id, after: made }
        })
      )
    }),
    update: Effect.fnUntraced(function* (actor, id, patch) {
      const at = yield* now
      return yield* rows.update(actor, id, (row) => change(row, patch, at), {
        ensure: storeUnstored(actor, id, at)
      })
    }),
    remove: (actor, id) => Effect.asVoid(rows.remove(actor, id))
  }
  return resource
})
