/** The observability settings of workspaces. A port, because workspaces are in a higher layer. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId, WorkspaceId } from "../../../values/ids/Ids.ts"

/** Which requests of a workspace are selected for their content. */
export interface ContentSelection {
  /** The share of requests, above 0 and up to 1. */
  readonly rate: number
  /** The numbers of the keys (`toKeyNumber`); null: all, and requests without one. */
  readonly keys: ReadonlyArray<number> | null
}

/** The observability settings of a workspace. */
export interface ObservabilityPreference {
  /** Whether its generations are broadcast. */
  readonly broadcast: boolean
  /** Which content is logged; absent: none. */
  readonly io?: ContentSelection
  /** Which content is kept where nothing else says so; absent: none. */
  readonly kept?: ContentSelection
}

/** Loads the observability settings of workspaces. */
export class ObservabilityPreferences extends Context.Service<
  ObservabilityPreferences,
  {
    /** A deleted workspace broadcasts, logs and keeps nothing. */
    readonly get: (
      account: AccountId,
      workspace: WorkspaceId
    ) => Effect.Effect<ObservabilityPreference>
  }
>()("@signalbox/core/engine/observability/broadcast/ObservabilityPreferences") {}
