/** Creates, updates, provisions, suspends and destroys interns; every change is in the audit log. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Layer from "effect/Layer"
import type { Caller } from "../auth/Caller.ts"
import { Audit } from "../observability/audit/Audit.ts"
import { ResourceNotFound } from "../values/errors/RequestErrors.ts"
import type { CursorRequest, CursorPage } from "../values/pages/CursorPage.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { InternUpdater } from "./tasks/InternUpdater.ts"
import { type CreatedIntern, type CreateInternError, InternCreator } from "./InternCreator.ts"
import type { Intern } from "./Intern.ts"
import type { LossUnacknowledged, NameTaken, WrongStatus } from "./InternErrors.ts"
import * as InternId from "./InternId.ts"
import type { InternPatch, NewIntern } from "./InternRequest.ts"
import type { InternStatus } from "./InternStatus.ts"
import { InternStore } from "./InternStore.ts"
import { InternTransitions } from "./tasks/InternTransitions.ts"
import { toInternResponse } from "./toInternResponse.ts"

/** Interns. A caller sees those of the workspace of its key; others are not found. */
export class Interns extends Context.Service<
  Interns,
  {
    /**
     * Creates an intern and its private vault once per key (1..255 characters), or per request without a key. A
     * repetition finishes an unfinished create, and returns a finished one.
     */
    readonly create: (
      caller: Caller,
      request: NewIntern,
      key?: string
    ) => Effect.Effect<CreatedIntern, CreateInternError>
    readonly get: (caller: Caller, id: string) => Effect.Effect<Intern, ResourceNotFound>
    /** Searches all accounts; ignores case and a trailing dot. */
    readonly findByHostname: (hostname: string) => Effect.Effect<Intern | undefined>
    /** The latest first; default: all statuses. */
    readonly list: (
      caller: Caller,
      statuses: ReadonlyArray<InternStatus> | undefined,
      scroll: CursorRequest
    ) => Effect.Effect<CursorPage<Intern>>
    readonly update: (
      caller: Caller,
      id: string,
      patch: InternPatch
    ) => Effect.Effect<Intern, ResourceNotFound | NameTaken>
    /** Queues the first boot, or the resumption after a suspension. */
    readonly provision: (
      caller: Caller,
      id: string
    ) => Effect.Effect<Intern, ResourceNotFound | WrongStatus>
    /** Stops a running intern. */
    readonly suspend: (
      caller: Caller,
      id: string
    ) => Effect.Effect<Intern, ResourceNotFound | WrongStatus>
    /** Destroys the intern and its private vault; the intern exists until its host has finished. */
    readonly destroy: (
      caller: Caller,
      id: string,
      options?: { readonly acknowledgesLoss?: boolean }
    ) => Effect.Effect<Intern, ResourceNotFound | WrongStatus | LossUnacknowledged>
  }
>()("@signalbox/core/interns/Interns") {
  static readonly layer = Layer.effect(
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
        findByHostname: (hostname) =>
          store.findByHostname(hostname.toLowerCase().replace(/\.$/, "")),
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
}
