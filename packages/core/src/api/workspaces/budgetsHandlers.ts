/** Handlers of the operations on budgets of a scope. */
import { identity } from "effect/Function"
import { ScopedBudgets } from "../../tenants/workspaces/ScopedBudgets.ts"
import type { Handlers } from "../operation/Handler.ts"
import { resourceHandlers } from "../operation/resourceHandlers.ts"
import type { BudgetsApi } from "./BudgetsApi.ts"

export const budgetsHandlers = ScopedBudgets.useSync((budgets): Handlers<typeof BudgetsApi> =>
  resourceHandlers("id", budgets, identity)
)
