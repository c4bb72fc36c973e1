/** What workspaces want told of their requests, as they say it themselves. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Wish, Wishes } from "../observability/Wishes.ts"
import type { Workspace } from "./Workspace.ts"
import { WorkspaceStore } from "./WorkspaceStore.ts"

export const layerWishes: Layer.Layer<Wishes, never, WorkspaceStore> = Layer.effect(
  Wishes,
  Effect.map(WorkspaceStore, (store) => ({
    of: (account, workspace) => Effect.map(store.findById(account, workspace), wishOf)
  }))
)

/** A workspace that was deleted wants nothing any more. */
const wishOf = (workspace: Workspace | undefined): Wish => ({
  broadcast: workspace?.is_observability_broadcast_enabled ?? false,
  ...(workspace?.is_observability_io_logging_enabled === true
    ? {
        io: {
          rate: workspace.io_logging_sampling_rate,
          keys: workspace.io_logging_api_key_ids
        }
      }
    : undefined)
})
