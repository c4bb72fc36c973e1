/** What a customer has used, as the HTTP API shows it. Amounts are in USD. */
import * as Schema from "effect/Schema"
import type { CustomerUsage } from "../../domains/customers/Customer.ts"
import { Interval } from "../../tenants/workspaces/Budget.ts"
import { toSpentAmount } from "../../engine/ledger/SpendCounters.ts"
import type { LimitUsage } from "../../routing/restrictions/LimitUsage.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { measureFields, toMeasureFields } from "../contract/measures.ts"

const BudgetUsage = Schema.Struct({
  interval: Interval,
  limit: Schema.Finite,
  /** Whether it only warns. */
  soft: Schema.Boolean,
  /** Spent in the interval, as the budget counts it. */
  settled: Schema.Finite,
  /** Set aside for requests in progress. */
  reserved: Schema.Finite,
  /** At least 0. */
  remaining: Schema.Finite,
  /** ISO 8601; null for a budget that never resets. */
  resets_at: Schema.NullOr(Schema.String)
})

export const CustomerUsageResponse = Schema.Struct({
  slug: Schema.String,
  name: Schema.String,
  bundle: Schema.String,
  interval: Interval,
  /** ISO 8601; of a lifetime, when the customer was created. */
  from: Schema.String,
  /** Exclusive, in ISO 8601; null for a lifetime. */
  to: Schema.NullOr(Schema.String),
  /** What it has spent, to the nano-dollar; null for a period that is over, where `totals.cost` says it. */
  spent: Schema.NullOr(Schema.Finite),
  /** The same on its own credentials, which `spent` does not include. */
  byok_spent: Schema.NullOr(Schema.Finite),
  /** The budgets of its bundle and of its workspace; none for a period that is over. */
  budgets: Schema.Array(BudgetUsage),
  totals: Schema.Struct(measureFields),
  /** The most important first; they add up to `totals`. */
  by_model: Schema.Array(Schema.Struct({ model: Schema.String, ...measureFields })),
  /** The most important first, without the requests of no user. */
  by_user: Schema.Array(Schema.Struct({ user: Schema.String, ...measureFields })),
  /**
   * False when small figures were added up with those of other customers (`settings.maxRollupPairs`), so that `totals` may
   * lack some; `spent` and `budgets` lack nothing.
   */
  is_complete: Schema.Boolean
})

export const toCustomerUsageResponse = ({
  budgets,
  byModel,
  byUser,
  customer: { bundle, name, slug },
  from,
  interval,
  isComplete,
  spend,
  to,
  total
}: CustomerUsage): typeof CustomerUsageResponse.Type => {
  const spent =
    spend === undefined ? undefined : toSpentAmount(spend, { interval, countsByok: false })
  const all = spend === undefined ? undefined : toSpentAmount(spend, { interval, countsByok: true })
  return {
    slug,
    name,
    bundle,
    interval,
    from: new Date(from).toISOString(),
    to: to === Infinity ? null : new Date(to).toISOString(),
    spent: spent === undefined ? null : NanoUsd.toUsdNumber(spent),
    byok_spent:
      spent === undefined || all === undefined
        ? null
        : NanoUsd.toUsdNumber(NanoUsd.make(all - spent)),
    budgets: budgets.map(toBudgetUsage),
    totals: toMeasureFields(total),
    by_model: byModel.map(({ measures, model }) => ({ model, ...toMeasureFields(measures) })),
    by_user: byUser.map(({ measures, user }) => ({ user, ...toMeasureFields(measures) })),
    is_complete: isComplete
  }
}

const toBudgetUsage = ({ limit, reserved, settled }: LimitUsage): typeof BudgetUsage.Type => ({
  interval: limit.interval,
  limit: NanoUsd.toUsdNumber(limit.cap),
  soft: limit.soft === true,
  settled: NanoUsd.toUsdNumber(settled),
  reserved: NanoUsd.toUsdNumber(reserved),
  remaining: NanoUsd.toUsdNumber(
    NanoUsd.max(NanoUsd.make(limit.cap - settled - reserved), NanoUsd.zero)
  ),
  resets_at: limit.endsAt === Infinity ? null : new Date(limit.endsAt).toISOString()
})
