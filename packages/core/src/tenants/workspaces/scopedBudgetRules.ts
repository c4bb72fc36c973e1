/** What operators write of budgets with a scope. Loaded with the first such call. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { setUpdatedAt } from "../../values/setUpdatedAt.ts"
import { Budget, BudgetConfig } from "./Budget.ts"
import type { ResourceRules } from "./makeOwnedResource.ts"
import { BudgetName, BudgetScope, describeScope, type ScopedBudget } from "./ScopedBudget.ts"

const editableFields = {
  name: BudgetName,
  limit_usd: BudgetConfig.fields.limit_usd,
  /** Null: it never resets. */
  reset_interval: Budget.fields.reset_interval,
  soft: Schema.Boolean,
  include_byok_in_budgets: Schema.Boolean
}

/** The request body of a new budget. */
export const NewScopedBudget = Schema.Struct({
  scope: BudgetScope,
  ...Struct.pick(editableFields, ["limit_usd", "reset_interval"]),
  ...Schema.Struct({
    ...Struct.omit(editableFields, ["limit_usd", "reset_interval"]),
    workspace_id: Schema.NonEmptyString
  }).mapFields(Struct.map(Schema.optionalKey)).fields
})
export type NewScopedBudget = typeof NewScopedBudget.Type

/** Omitted fields stay unchanged. The scope cannot change: what was counted under it would mean something else. */
export const ScopedBudgetPatch = Schema.Struct(editableFields).mapFields(
  Struct.map(Schema.optionalKey)
)
export type ScopedBudgetPatch = typeof ScopedBudgetPatch.Type

/** Unless it has a name, a new budget is called after its scope. */
export const scopedBudgetRules: Effect.Effect<
  ResourceRules<ScopedBudget, NewScopedBudget, ScopedBudgetPatch>
> = Effect.succeed({
  name: "budget",
  quota: "budgets",
  make: ({ scope, ...config }, { at, id, workspace }) =>
    Result.succeed({
      id,
      workspace_id: workspace,
      name: describeScope(scope),
      scope,
      soft: false,
      include_byok_in_budgets: false,
      ...config,
      created_at: at,
      updated_at: at
    }),
  change: (before, patch, at) => Result.succeed(setUpdatedAt(before, { ...before, ...patch }, at))
})
