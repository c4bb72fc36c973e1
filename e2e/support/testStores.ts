/** The stores of test instances: in memory, or on SQLite with `SIGNALBOX_STORES=sqlite`. */
import type { Options } from "@signalbox/core"
import {
  defaultAccountId,
  defaultWorkspaceId,
  type StoresOption,
  memoryStores,
  type Workspace,
  WorkspaceStore
} from "@signalbox/core/stores"
import { sqlite } from "@signalbox/sql"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export const makeTestStores = (): Pick<Options, "stores"> =>
  process.env["SIGNALBOX_STORES"] === "sqlite" ? { stores: sqlite({ path: ":memory:" }) } : {}

/** Adds a workspace with broadcasts turned off before the instance starts, so that its `keys` can refer to it. */
export const withWorkspace = (
  id: string,
  { stores = memoryStores }: Pick<Options, "stores">
): { readonly stores: StoresOption } => {
  if (!isLayer(stores)) throw new Error("the stores of a test must be a layer")
  const workspaces = [
    // Every account has its default workspace first.
    makeWorkspace(defaultWorkspaceId, { name: "Default", slug: "default" }),
    makeWorkspace(id, {
      name: "Elsewhere",
      slug: "elsewhere",
      is_observability_broadcast_enabled: false
    })
  ]
  const add = WorkspaceStore.use((store) =>
    Effect.forEach(workspaces, (each) => store.ensure(defaultAccountId, each))
  )
  return { stores: Layer.provideMerge(Layer.effectDiscard(add), stores) }
}

const createdAt = "2026-01-01T00:00:00.000Z"

const makeWorkspace = (
  id: string,
  given: Pick<Workspace, "name" | "slug"> & Partial<Workspace>
): Workspace => ({
  id,
  description: null,
  default_image_model: null,
  default_text_model: null,
  default_provider_sort: null,
  io_logging_api_key_ids: null,
  io_logging_sampling_rate: null,
  is_data_discount_logging_enabled: false,
  is_observability_broadcast_enabled: null,
  is_observability_io_logging_enabled: null,
  created_by: "",
  // Derived in the same way as in the service.
  default_guardrail_id:
    (0xffff_ffff - Number.parseInt(id.slice(0, 8), 16)).toString(16).padStart(8, "0") + id.slice(8),
  created_at: createdAt,
  updated_at: createdAt,
  include_byok_in_budgets: false,
  ...given
})

const isLayer = (stores: StoresOption): stores is Extract<StoresOption, Layer.Any> =>
  Layer.isLayer(stores)
