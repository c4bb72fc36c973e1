/** Operations on saved views. */
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { NewSavedView, SavedView, SavedViewPatch } from "../../domains/views/SavedView.ts"
import { Authentication } from "../contract/ErrorEnvelope.ts"
import { dataEnvelope } from "../contract/envelopes.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import { workspacePageQuery } from "../contract/pageQueries.ts"
import { resourceEndpoints, summarize } from "../contract/resourceEndpoints.ts"

const { create, get, list, remove, update } = resourceEndpoints({
  path: "/api/v1/signalbox/saved-views",
  id: "id",
  item: SavedView,
  query: workspacePageQuery,
  create: NewSavedView,
  created: dataEnvelope(SavedView),
  update: SavedViewPatch,
  summaries: {
    ...summarize("a saved view", "saved views"),
    create:
      "Save filters and an order of generations under a name, for the operators of a workspace."
  }
})

export class SavedViewsApi extends HttpApiGroup.make("savedViews")
  .add(list, create, get, update, remove)
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "Saved views") {}
