/** Manages saved views. */
import * as Context from "effect/Context"
import { buildBeforeDeletion } from "../../tenants/workspaces/Workspaces.ts"
import type { OwnedResource } from "../../values/OwnedResource.ts"
import { importNamed, layerOnDemand } from "../../values/layerOnDemand.ts"
import type { NewSavedView, SavedView, SavedViewPatch } from "./SavedView.ts"

/** Saved views of workspaces. */
export class SavedViews extends Context.Service<
  SavedViews,
  OwnedResource<SavedView, NewSavedView, SavedViewPatch>
>()("@signalbox/core/domains/views/SavedViews") {
  static readonly layer = layerOnDemand(
    SavedViews,
    { get: "call", list: "call", create: "call", update: "call", remove: "call" },
    importNamed(() => import("./layerSavedViews.ts"), "layerSavedViews"),
    buildBeforeDeletion
  )
}
