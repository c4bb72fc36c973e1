/** Manages the budgets of tags, models, providers and external users; every change is in the audit log. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { importNamed } from "../../values/layerOnDemand.ts"
import type { OwnedResource } from "../../values/OwnedResource.ts"
import { layerOwnedResource } from "./layerOwnedResource.ts"
import type { ScopedBudget } from "./ScopedBudget.ts"
import type { NewScopedBudget, ScopedBudgetPatch } from "./scopedBudgetRules.ts"
import { WorkspaceStore } from "./WorkspaceStore.ts"

/** The budgets of a scope, of all workspaces of an account. */
export class ScopedBudgets extends Context.Service<
  ScopedBudgets,
  OwnedResource<ScopedBudget, NewScopedBudget, ScopedBudgetPatch>
>()("@signalbox/core/tenants/workspaces/ScopedBudgets") {
  static readonly layer = layerOwnedResource(
    ScopedBudgets,
    Effect.map(WorkspaceStore, ({ scopedBudgets }) => scopedBudgets),
    importNamed(() => import("./scopedBudgetRules.ts"), "scopedBudgetRules")
  )
}
