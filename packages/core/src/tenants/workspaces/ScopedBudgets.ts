/** Manages the budgets of tags, models, providers and external users; every change is in the audit log. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { OwnedResource } from "../../values/OwnedResource.ts"
import { makeOwnedResource } from "./makeOwnedResource.ts"
import {
  changeScopedBudget,
  makeScopedBudget,
  type NewScopedBudget,
  type ScopedBudget,
  type ScopedBudgetPatch
} from "./ScopedBudget.ts"
import { WorkspaceStore } from "./WorkspaceStore.ts"

/** The budgets of a scope, of all workspaces of an account. */
export class ScopedBudgets extends Context.Service<
  ScopedBudgets,
  OwnedResource<ScopedBudget, NewScopedBudget, ScopedBudgetPatch>
>()("@signalbox/core/tenants/workspaces/ScopedBudgets") {
  static readonly layer = Layer.effect(
    ScopedBudgets,
    makeOwnedResource(
      Effect.map(WorkspaceStore, ({ scopedBudgets }) => scopedBudgets),
      {
        name: "budget",
        quota: "budgets",
        make: makeScopedBudget,
        change: changeScopedBudget
      }
    )
  )
}
