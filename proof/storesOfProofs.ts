/** Where the boxes of proofs keep what is written: `SIGNALBOX_STORES=sqlite` puts all of them on SQLite. */
import type { Options } from "@signalbox/core"
import {
  defaultAccountId,
  type GivenStores,
  memoryStores,
  WorkspaceStore
} from "@signalbox/core/stores"
import { sqlite } from "@signalbox/sql"
import * as Layer from "effect/Layer"

export const storesOfProofs = (): Pick<Options, "stores"> =>
  process.env["SIGNALBOX_STORES"] === "sqlite" ? { stores: sqlite({ path: ":memory:" }) } : {}

/** Adds a workspace before the service is made, so that `keys` can name it. The broadcast is not told of it. */
export const withWorkspace = (
  id: string,
  { stores = memoryStores }: Pick<Options, "stores">
): { readonly stores: GivenStores } => {
  if (!isLayer(stores)) throw new Error("the stores of a proof are a layer")
  const at = "2026-01-01T00:00:00.000Z"
  return {
    stores: Layer.effectDiscard(
      WorkspaceStore.use((store) =>
        store.ensure(defaultAccountId, {
          id,
          name: "Other",
          slug: `of-${id.slice(0, 6)}`,
          description: null,
          default_image_model: null,
          default_text_model: null,
          default_provider_sort: null,
          io_logging_api_key_ids: null,
          io_logging_sampling_rate: null,
          is_data_discount_logging_enabled: false,
          is_observability_broadcast_enabled: false,
          is_observability_io_logging_enabled: null,
          created_by: "",
          default_guardrail_id: id,
          created_at: at,
          updated_at: at,
          include_byok_in_budgets: false
        })
      )
    ).pipe(Layer.provideMerge(stores))
  }
}

const isLayer = (stores: GivenStores): stores is Extract<GivenStores, Layer.Any> =>
  Layer.isLayer(stores)
