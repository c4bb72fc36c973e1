/** The budgets of a caller: those of its workspace, and those of its bundle. */
import { memoize } from "effect/Function"
import { type Budget, toInterval } from "../../workspaces/Budget.ts"
import { type AnyBudget, isIntervalBudget } from "../../workspaces/ScopedBudget.ts"
import type { Caller } from "../Caller.ts"

/**
 * A budget of the workspace takes the place of that of the bundle with the same interval, so that one customer may have
 * more or less. Memoized, because requests of a caller have their budgets in common.
 */
export const addBundleBudgets = (
  caller: Caller,
  own: ReadonlyArray<AnyBudget>
): ReadonlyArray<AnyBudget> => addTo(caller)(own)

const addTo = memoize((caller: Caller) => {
  const { bundle, workspace } = caller
  const budgets = (bundle?.budgets ?? []).map(({ interval, limitUsd }): Budget => ({
    id: `bundle ${interval}`,
    workspace_id: workspace,
    limit_usd: limitUsd,
    reset_interval: interval === "lifetime" ? null : interval,
    created_at: "",
    updated_at: ""
  }))
  return memoize((own: ReadonlyArray<AnyBudget>): ReadonlyArray<AnyBudget> => {
    const replaced = new Set(own.filter(isIntervalBudget).map(toInterval))
    return [...own, ...budgets.filter((budget) => !replaced.has(toInterval(budget)))]
  })
})
