/** What workspaces want told of their requests: as they say themselves, else as the host says in code. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Wish, Wishes } from "../observability/Wishes.ts"
import { defaultWorkspaceId } from "../values/WorkspaceId.ts"
import { makeDefault } from "./Workspace.ts"
import { DefaultsOfWorkspaces, type EffectiveWorkspace, withDefaults } from "./WorkspaceDefaults.ts"
import { WorkspaceStore } from "./WorkspaceStore.ts"

export const layerWishes: Layer.Layer<Wishes, never, WorkspaceStore> = Layer.effect(
  Wishes,
  Effect.gen(function* () {
    const store = yield* WorkspaceStore
    const defaults = yield* DefaultsOfWorkspaces
    // It is kept from when somebody first asks for it.
    const untouched = makeDefault(DateTime.formatIso(yield* DateTime.now))
    return {
      of: (account, workspace) =>
        Effect.map(store.findById(account, workspace), (found) => {
          const known = found ?? (workspace === defaultWorkspaceId ? untouched : undefined)
          return known === undefined ? nothing : wishOf(withDefaults(known, defaults))
        })
    }
  })
)

/** Of a workspace that was deleted. */
const nothing: Wish = { broadcast: false }

const wishOf = (workspace: EffectiveWorkspace): Wish => ({
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
