/** Manages saved views. */
import * as Layer from "effect/Layer"
import { makeOwnedResource } from "../../tenants/workspaces/makeOwnedResource.ts"
import { change, make, type NewSavedView } from "./SavedView.ts"
import { SavedViews } from "./SavedViews.ts"
import { SavedViewStore } from "./SavedViewStore.ts"

export const layerSavedViews = Layer.effect(
  SavedViews,
  makeOwnedResource(SavedViewStore, {
    name: "saved_view",
    resource: "saved view",
    quota: "savedViews",
    make: (view: Omit<NewSavedView, "workspace_id">, origin) => make(view, origin),
    change
  })
)
