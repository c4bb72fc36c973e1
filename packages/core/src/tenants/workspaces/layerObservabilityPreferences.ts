/** The observability preferences of workspaces, with the defaults of the host. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { memoize } from "effect/Function"
import * as Layer from "effect/Layer"
import {
  type ContentSelection,
  type ObservabilityPreference,
  ObservabilityPreferences
} from "../../engine/observability/broadcast/ObservabilityPreferences.ts"
import { defaultWorkspaceId } from "../../values/ids/Ids.ts"
import * as Step from "../../values/Step.ts"
import { makeDefault, type Workspace } from "./Workspace.ts"
import {
  CurrentWorkspaceDefaults,
  type EffectiveWorkspace,
  applyDefaults
} from "./WorkspaceDefaults.ts"
import { WorkspaceStore } from "./WorkspaceStore.ts"

export const layerObservabilityPreferences: Layer.Layer<
  ObservabilityPreferences,
  never,
  WorkspaceStore
> = Layer.effect(
  ObservabilityPreferences,
  Effect.gen(function* () {
    const store = yield* WorkspaceStore
    const defaults = yield* CurrentWorkspaceDefaults
    // The default workspace is stored at its first use.
    const defaultWorkspace = makeDefault(DateTime.formatIso(yield* DateTime.now))
    // Memoized, because every request asks for those of its workspace.
    const getPreferences = memoize((workspace: Workspace) =>
      toPreferences(applyDefaults(workspace, defaults))
    )
    return {
      get: (account, workspace) =>
        Step.map(store.findById(account, workspace), (found) => {
          const known = found ?? (workspace === defaultWorkspaceId ? defaultWorkspace : undefined)
          return known === undefined ? noPreferences : getPreferences(known)
        })
    }
  })
)

/** For a deleted workspace. */
const noPreferences: ObservabilityPreference = { broadcast: false }

const toPreferences = (workspace: EffectiveWorkspace): ObservabilityPreference => ({
  broadcast: workspace.is_observability_broadcast_enabled,
  ...(workspace.is_observability_io_logging_enabled ? { io: toSelection(workspace) } : undefined),
  ...(workspace.keep_content ? { kept: toSelection(workspace) } : undefined)
})

const toSelection = (workspace: EffectiveWorkspace): ContentSelection => ({
  rate: workspace.io_logging_sampling_rate,
  keys: workspace.io_logging_api_key_ids
})
