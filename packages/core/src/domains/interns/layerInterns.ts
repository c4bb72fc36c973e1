/** Creates, updates, provisions, suspends and destroys interns; every change is in the audit log. */
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Layer from "effect/Layer"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { Audit } from "../../engine/observability/audit/Audit.ts"
import { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { Workspaces } from "../../tenants/workspaces/Workspaces.ts"
import { InternUpdater } from "./tasks/InternUpdater.ts"
import { InternCreator } from "./InternCreator.ts"
import type { Intern } from "./Intern.ts"
import * as InternId from "./InternId.ts"
import type { InternPatch } from "./InternRequest.ts"
import { InternStore } from "./InternStore.ts"
import { InternTransitions } from "./tasks/InternTransitions.ts"
import { toInternResponse } from "./toInternResponse.ts"
import { Interns } from "./Interns.ts"

export const layerInterns = Layer.effect(
  Interns,
  Effect.gen(function* () {
    const audit = yield* Audit
    const { updateWithName } = yield* InternUpdater
    const { create } = yield* InternCreator
    const { destroy, destroyAll, provision, suspend } = yield* InternTransitions
    const store = yield* InternStore
    const workspaces = yield* Workspaces

    yield* workspaces.onWorkspaceDelete((actor, workspace) =>
      Effect.as(destroyAll(actor, workspace), Effect.void)
    )

    const get = Effect.fnUntraced(function* ({ account, workspace }: Caller, id: string) {
      const found = InternId.is(id) ? yield* store.find(id) : undefined
      return found?.account === account && found.workspace === workspace
        ? found
        : yield* new ResourceNotFound({ resource: "intern", id })
    })

    const update = Effect.fnUntraced(function* (id: InternId.InternId, patch: InternPatch) {
      let before: Intern | undefined
      const after = yield* updateWithName(id, (now, at) => {
        before = now
        const patched = { ...now, ...patch }
        return Equal.equals(now, patched) ? undefined : { ...patched, updatedAt: at }
      })
      if (before === undefined) return yield* new ResourceNotFound({ resource: "intern", id })
      if (after === undefined) return { result: before, target: undefined }
      return {
        result: after,
        target: id,
        before: toInternResponse(before),
        after: toInternResponse(after)
      }
    })

    return {
      create,
      get,
      findByHostname: (hostname) => store.findByHostname(hostname.toLowerCase().replace(/\.$/, "")),
      list: ({ account, workspace }, statuses, scroll) =>
        store.list(
          account,
          {
            workspace,
            ...(statuses === undefined ? undefined : { statuses: Array.from(new Set(statuses)) })
          },
          scroll
        ),
      update: (caller, id, patch) =>
        Effect.flatMap(get(caller, id), (found) =>
          audit.change(caller, "intern.update", update(found.id, patch))
        ),
      provision: (caller, id) =>
        Effect.flatMap(get(caller, id), (found) => provision(caller, found.id)),
      suspend: (caller, id) =>
        Effect.flatMap(get(caller, id), (found) => suspend(caller, found.id)),
      destroy: (caller, id, { acknowledgesLoss = false } = {}) =>
        Effect.flatMap(get(caller, id), (found) => destroy(caller, found.id, acknowledgesLoss))
    }
  })
).pipe(Layer.provide([InternCreator.layer, InternTransitions.layer, InternUpdater.layer]))
