/** Manages saved views. */
import * as Context from "effect/Context"
import { layerOwnedResource } from "../../tenants/workspaces/layerOwnedResource.ts"
import { importNamed } from "../../values/layerOnDemand.ts"
import type { OwnedResource } from "../../values/OwnedResource.ts"
import type { NewSavedView, SavedView, SavedViewPatch } from "./SavedView.ts"
import { SavedViewStore } from "./SavedViewStore.ts"

/** Saved views of workspaces. */
export class SavedViews extends Context.Service<
  SavedViews,
  OwnedResource<SavedView, NewSavedView, SavedViewPatch>
>()("@signalbox/core/domains/views/SavedViews") {
  static readonly layer = layerOwnedResource(
    SavedViews,
    SavedViewStore,
    importNamed(() => import("./SavedView.ts"), "savedViewRules")
  )
}
