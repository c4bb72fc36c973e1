/** Operations on the budgets of tags, models, providers and external users. */
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  NewScopedBudget,
  ScopedBudget,
  ScopedBudgetPatch
} from "../../tenants/workspaces/ScopedBudget.ts"
import { Authentication } from "../contract/ErrorEnvelope.ts"
import { dataEnvelope } from "../contract/envelopes.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import { workspacePageQuery } from "../contract/pageQueries.ts"
import { resourceEndpoints, summarize } from "../contract/resourceEndpoints.ts"

const { create, get, list, remove, update } = resourceEndpoints({
  path: "/api/v1/signalbox/budgets",
  id: "id",
  item: ScopedBudget,
  query: workspacePageQuery,
  create: NewScopedBudget,
  created: dataEnvelope(ScopedBudget),
  update: ScopedBudgetPatch,
  summaries: {
    ...summarize("a budget", "budgets"),
    list: "List the budgets of tags, models, providers and external users of a workspace.",
    create:
      "Limit what a workspace spends on a tag, a model, a provider or an external user. Requests that begin from then on count.",
    update: "Update a budget. Omitted fields keep their values; the scope cannot change."
  }
})

export class BudgetsApi extends HttpApiGroup.make("budgets")
  .add(list, create, get, update, remove)
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "Budgets") {}
