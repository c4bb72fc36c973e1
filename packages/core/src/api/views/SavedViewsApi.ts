/** Operations on saved views. */
import { NewSavedView, SavedView, SavedViewPatch } from "../../domains/views/SavedView.ts"
import { resourceGroup, summarize } from "../contract/resourceEndpoints.ts"

export class SavedViewsApi extends resourceGroup("savedViews", {
  title: "Saved views",
  path: "/api/v1/signalbox/saved-views",
  item: SavedView,
  create: NewSavedView,
  update: SavedViewPatch,
  summaries: {
    ...summarize("a saved view", "saved views"),
    create:
      "Save filters and an order of generations under a name, for the operators of a workspace."
  }
}) {}
