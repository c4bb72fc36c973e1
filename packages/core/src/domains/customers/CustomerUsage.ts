/** What a customer has used in a period, by model and by user. */
import type { Interval } from "../../engine/ledger/Interval.ts"
import type { Spend } from "../../engine/ledger/SpendCounters.ts"
import type { Measures } from "../../engine/observability/rollups/Measures.ts"
import type { LimitUsage } from "../../routing/restrictions/LimitUsage.ts"
import type { Customer } from "./Customer.ts"

/** The running period of an interval, or the one before. */
export const usagePeriods = ["current", "previous"] as const
type UsagePeriod = (typeof usagePeriods)[number]

/** What to report. */
export interface UsageQuery {
  readonly interval: Interval
  readonly period: UsagePeriod
}

/** What a customer has used in a period. */
export interface CustomerUsage {
  readonly customer: Customer
  readonly interval: Interval
  /** Milliseconds since the epoch; of a lifetime, when the customer was created. */
  readonly from: number
  /** Exclusive, in milliseconds since the epoch; Infinity for a lifetime. */
  readonly to: number
  readonly total: Measures
  /** The most important first; they add up to `total`. */
  readonly byModel: ReadonlyArray<{ readonly model: string; readonly measures: Measures }>
  /** The most important first, without the requests of no user. */
  readonly byUser: ReadonlyArray<{ readonly user: string; readonly measures: Measures }>
  /** False when small figures were added up with those of other customers, so that some are missing here. */
  readonly isComplete: boolean
  /** Exact in any case; absent for a period that is over. */
  readonly spend?: Spend
  /** The budgets that hold now; none for a period that is over. */
  readonly budgets: ReadonlyArray<LimitUsage>
}
