/** What a workspace may spend in a period, as the wire shows it. Source: wire, WorkspaceBudget. */
import * as Schema from "effect/Schema"

/** The shortest first. */
export const intervals = ["daily", "weekly", "monthly", "lifetime"] as const
/** How often a budget counts from zero again. */
export const Interval = Schema.Literals(intervals)
export type Interval = typeof Interval.Type

/** How much a workspace may spend in an interval. */
export const Budget = Schema.Struct({
  id: Schema.String,
  workspace_id: Schema.String,
  limit_usd: Schema.Finite,
  /** Null: it counts for ever. */
  reset_interval: Schema.NullOr(Schema.Literals(["daily", "weekly", "monthly"])),
  created_at: Schema.String,
  updated_at: Schema.String
})
export type Budget = typeof Budget.Type

/** A budget as it is set. */
export const BudgetConfig = Schema.Struct({
  limit_usd: Schema.Finite.check(Schema.isGreaterThan(0)),
  /** Of all budgets of the workspace. */
  include_byok_in_budgets: Schema.optionalKey(Schema.Boolean)
})
export type BudgetConfig = typeof BudgetConfig.Type

export const toInterval = ({ reset_interval }: Budget): Interval => reset_interval ?? "lifetime"
