/** Budgets of workspaces. */
import * as Schema from "effect/Schema"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"

/** The shortest first. */
export const intervals = ["daily", "weekly", "monthly", "lifetime"] as const
/** How often a budget resets. */
export const Interval = Schema.Literals(intervals)
export type Interval = typeof Interval.Type

/** The spend limit of a workspace in an interval. */
export const Budget = Schema.Struct({
  id: Schema.String,
  workspace_id: Schema.String,
  limit_usd: Schema.Finite,
  /** Null for a budget that never resets. */
  reset_interval: Schema.NullOr(Schema.Literals(["daily", "weekly", "monthly"])),
  /** Whether it only warns, and refuses nothing; absent: false. */
  soft: Schema.optionalKey(Schema.Boolean),
  created_at: Schema.String,
  updated_at: Schema.String
})
export type Budget = typeof Budget.Type

/** The settings of a budget. */
export const BudgetConfig = Schema.Struct({
  limit_usd: Schema.Finite.check(Schema.isGreaterThan(0)),
  /** Whether it only warns, and refuses nothing; default: false. */
  soft: Schema.optionalKey(Schema.Boolean),
  /** Applies to all budgets of the workspace. */
  include_byok_in_budgets: Schema.optionalKey(Schema.Boolean)
})
export type BudgetConfig = typeof BudgetConfig.Type

export const toInterval = ({ reset_interval }: Pick<Budget, "reset_interval">): Interval =>
  reset_interval ?? "lifetime"

/** `limit` is in USD; undefined when there is no conflict. Soft budgets have none, because they refuse nothing. */
export const findBudgetConflict = (
  budgets: ReadonlyArray<Budget>,
  interval: Interval,
  limit: number
): InvalidRequest | undefined => {
  const length = intervals.indexOf(interval)
  for (const budget of budgets) {
    const other = toInterval(budget)
    const isLonger = intervals.indexOf(other) > length
    if (
      budget.soft === true ||
      other === interval ||
      (isLonger ? limit < budget.limit_usd : limit > budget.limit_usd)
    ) {
      continue
    }
    return new InvalidRequest({
      path: ["limit_usd"],
      problem: `must be ${isLonger ? "less" : "more"} than the ${other} budget of ${budget.limit_usd} USD`
    })
  }
  return undefined
}
