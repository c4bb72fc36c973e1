/** What a period will cost at its rate so far. Pure. */
import * as NanoUsd from "../../values/usage/NanoUsd.ts"

/** What was spent of a limit, and when. Times are milliseconds since the epoch. */
export interface PeriodSpend {
  readonly settled: NanoUsd.NanoUsd
  readonly cap: NanoUsd.NanoUsd
  readonly beganAt: number
  readonly endsAt: number
  readonly now: number
}

export interface Forecast {
  /** What is spent at the end of the period, rounded up. */
  readonly total: NanoUsd.NanoUsd
  /** When the cap will be reached, in milliseconds since the epoch; undefined if it is reached already, or not before the end. */
  readonly exhaustedAt: number | undefined
}

/**
 * Assumes that the rest of the period costs as much per hour as what has passed of it. It knows no weekends and no growth,
 * and says nothing before a tenth of the period has passed, when one busy hour would promise a fortune. Oracle's budgets do
 * the same, and wait for three days of a month: https://docs.oracle.com/en-us/iaas/Content/Billing/Tasks/tag-budget.htm.
 */
export const computeForecast = ({
  beganAt,
  cap,
  endsAt,
  now,
  settled
}: PeriodSpend): Forecast | undefined => {
  const length = endsAt - beganAt
  const elapsed = now - beganAt
  if (!Number.isFinite(length) || elapsed <= 0 || elapsed * 10 < length || now >= endsAt) {
    return undefined
  }
  const projected = divideUp(settled * BigInt(length), BigInt(elapsed))
  const total = NanoUsd.min(NanoUsd.make(projected), NanoUsd.maxAmount)
  return {
    total,
    exhaustedAt:
      settled >= cap || projected <= cap
        ? undefined
        : beganAt + Number(divideUp(cap * BigInt(elapsed), settled))
  }
}

const divideUp = (amount: bigint, by: bigint): bigint => (amount + by - 1n) / by
