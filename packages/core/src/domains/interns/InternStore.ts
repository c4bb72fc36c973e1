/** Stores interns. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId, WorkspaceId } from "../../values/ids/Ids.ts"
import type { CursorRequest, CursorPage } from "../../values/pages/CursorPage.ts"
import type { Intern, NameTaken, NotLendable } from "./Intern.ts"
import type { InternId } from "./InternId.ts"
import type { InternStatus } from "./InternStatus.ts"

/** Selects interns of a workspace. */
export interface InternFilter {
  readonly workspace: WorkspaceId
  /** Without duplicates; default: all. */
  readonly statuses?: ReadonlyArray<InternStatus>
}

/** Stores interns, one row each. */
export class InternStore extends Context.Service<
  InternStore,
  {
    /**
     * Race: of concurrent interns with one `creation.key`, one is stored, and all callers get that one. Of
     * concurrent interns with one name, creator and workspace, one is stored, and the others fail. Fails unless an
     * intern of the same workspace owns `attachedVault`; a concurrent removal of that intern either comes first or
     * detaches the vault.
     */
    readonly add: (intern: Intern) => Effect.Effect<Intern, NameTaken | NotLendable>
    /** See `CountResources`. */
    readonly count: (account: AccountId, workspace?: string) => Effect.Effect<number>
    readonly find: (id: InternId) => Effect.Effect<Intern | undefined>
    /** The intern with this `creation.key`. */
    readonly findByCreationKey: (key: string) => Effect.Effect<Intern | undefined>
    /** `hostname` is in lower case. The latest intern when several have it. */
    readonly findByHostname: (hostname: string) => Effect.Effect<Intern | undefined>
    /**
     * Does not change `attachedVault`. Race: returns false and changes nothing unless the stored version is `version`;
     * fails and changes nothing when another intern has the name.
     */
    readonly replace: (version: number, after: Intern) => Effect.Effect<boolean, NameTaken>
    /** The latest first; the cost must not grow with the number of interns. */
    readonly list: (
      account: AccountId,
      filter: InternFilter,
      cursorRequest: CursorRequest
    ) => Effect.Effect<CursorPage<Intern>>
    /**
     * Detaches its vault from other interns, without incrementing their versions. Race: returns false and changes
     * nothing unless the stored version is `version`.
     */
    readonly remove: (version: number, id: InternId) => Effect.Effect<boolean>
  }
>()("@signalbox/core/domains/interns/InternStore") {}
