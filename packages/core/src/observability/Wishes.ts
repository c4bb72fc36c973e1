/** What a workspace wants told of its requests. A port: workspaces are kept above this folder. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../values/AccountId.ts"
import type { WorkspaceId } from "../values/WorkspaceId.ts"

/** What a workspace wants told of its requests. */
export interface Wish {
  /** Whether its generations are broadcast. */
  readonly broadcast: boolean
  /** Whose content is logged; absent: nobody's. */
  readonly io?: {
    /** The share of requests, above 0 and up to 1. */
    readonly rate: number
    /** The numbers of the keys (`keyNumber`); null: all, and requests without one. */
    readonly keys: ReadonlyArray<number> | null
  }
}

/** Tells what each workspace wants told. */
export class Wishes extends Context.Service<
  Wishes,
  {
    /** A workspace nobody changed wants nothing told. */
    readonly of: (account: AccountId, workspace: WorkspaceId) => Effect.Effect<Wish>
  }
>()("@signalbox/core/observability/Wishes") {}
