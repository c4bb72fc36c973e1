/** What a workspace wants told of its requests. A port: workspaces are kept above this folder. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../../values/ids/AccountId.ts"
import type { WorkspaceId } from "../../values/ids/WorkspaceId.ts"

/** What a workspace wants told of its requests. */
export interface ObservabilityPreference {
  /** Whether its generations are broadcast. */
  readonly broadcast: boolean
  /** Whose content is logged; absent: nobody's. */
  readonly io?: {
    /** The share of requests, above 0 and up to 1. */
    readonly rate: number
    /** The numbers of the keys (`toKeyNumber`); null: all, and requests without one. */
    readonly keys: ReadonlyArray<number> | null
  }
}

/** Tells what each workspace wants told. */
export class ObservabilityPreferences extends Context.Service<
  ObservabilityPreferences,
  {
    /** A workspace nobody changed wants nothing told. */
    readonly get: (
      account: AccountId,
      workspace: WorkspaceId
    ) => Effect.Effect<ObservabilityPreference>
  }
>()("@signalbox/core/observability/ObservabilityPreferences") {}
