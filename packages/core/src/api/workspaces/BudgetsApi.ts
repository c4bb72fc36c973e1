/** Operations on the budgets of tags, models, providers and external users. */
import { ScopedBudget } from "../../tenants/workspaces/ScopedBudget.ts"
import { NewScopedBudget, ScopedBudgetPatch } from "../../tenants/workspaces/scopedBudgetRules.ts"
import { resourceGroup, summarize } from "../contract/resourceEndpoints.ts"

export class BudgetsApi extends resourceGroup("budgets", {
  title: "Budgets",
  path: "/api/v1/signalbox/budgets",
  item: ScopedBudget,
  create: NewScopedBudget,
  update: ScopedBudgetPatch,
  summaries: {
    ...summarize("a budget", "budgets"),
    list: "List the budgets of tags, models, providers and external users of a workspace.",
    create:
      "Limit what a workspace spends on a tag, a model, a provider or an external user. Requests that begin from then on count.",
    update: "Update a budget. Omitted fields keep their values; the scope cannot change."
  }
}) {}
