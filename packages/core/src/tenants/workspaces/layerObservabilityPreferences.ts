/** The observability preferences of workspaces, with the defaults of the host. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  type ObservabilityPreference,
  ObservabilityPreferences
} from "../../engine/observability/broadcast/ObservabilityPreferences.ts"
import { defaultWorkspaceId } from "../../values/ids/Ids.ts"
import { makeDefault } from "./Workspace.ts"
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
    return {
      get: (account, workspace) =>
        Effect.map(store.findById(account, workspace), (found) => {
          const known = found ?? (workspace === defaultWorkspaceId ? defaultWorkspace : undefined)
          return known === undefined ? noPreferences : toPreferences(applyDefaults(known, defaults))
        })
    }
  })
)

/** For a deleted workspace. */
const noPreferences: ObservabilityPreference = { broadcast: false }

const toPreferences = (workspace: EffectiveWorkspace): ObservabilityPreference => ({
  broadcast: workspace.is_observability_broadcast_enabled,
  ...(workspace.is_observability_io_logging_enabled
    ? {
        io: {
          rate: workspace.io_logging_sampling_rate,
          keys: workspace.io_logging_api_key_ids
        }
      }
    : undefined)
})
