/** Creates, updates, provisions, suspends and destroys interns; every change is in the audit log. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import type { CursorRequest, CursorPage } from "../../values/pages/CursorPage.ts"
import type { CreatedIntern, CreateInternError } from "./InternCreator.ts"
import type { Intern, LossUnacknowledged, NameTaken, WrongStatus } from "./Intern.ts"
import type { InternPatch, NewIntern } from "./InternRequest.ts"
import type { InternStatus } from "./InternStatus.ts"
import { importNamed, layerOnDemand } from "../../values/layerOnDemand.ts"
import { buildBeforeDeletion } from "../../tenants/workspaces/Workspaces.ts"

/** Interns. A caller sees the interns of its key's workspace; others are not found. */
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
>()("@signalbox/core/domains/interns/Interns") {
  static readonly layer = layerOnDemand(
    Interns,
    {
      create: "call",
      get: "call",
      findByHostname: "call",
      list: "call",
      update: "call",
      provision: "call",
      suspend: "call",
      destroy: "call"
    },
    importNamed(() => import("./layerInterns.ts"), "layerInterns"),
    buildBeforeDeletion
  )
}
