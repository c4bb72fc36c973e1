/** What one subject has spent: in total, and in the latest two windows with spending of each interval. */
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { Calendar } from "./Calendar.ts"
import type { Interval } from "./Interval.ts"

/** The spending of a window is kept as a difference of totals, so that a cost changes one number. */
export interface SpendTotals {
  readonly total: bigint
  readonly daily: WindowTotals
  readonly weekly: WindowTotals
  readonly monthly: WindowTotals
}

interface WindowTotals {
  /** When the latest window began, in milliseconds since the epoch. */
  readonly beganAt: number
  /** The total when it began. */
  readonly totalBefore: bigint
  /** The window before it that has spending; -Infinity: none. */
  readonly earlierBeganAt: number
  readonly spentEarlier: bigint
}

const emptyWindow: WindowTotals = {
  beganAt: -Infinity,
  totalBefore: 0n,
  earlierBeganAt: -Infinity,
  spentEarlier: 0n
}

export const empty: SpendTotals = {
  total: 0n,
  daily: emptyWindow,
  weekly: emptyWindow,
  monthly: emptyWindow
}

/** A cost of before both known windows, because the clock was set far back, counts in the earlier one. */
export const addCost = (
  calendar: Calendar,
  { daily, monthly, total, weekly }: SpendTotals,
  cost: NanoUsd.NanoUsd,
  at: number
): SpendTotals => ({
  total: total + cost,
  daily: addToWindow(daily, calendar.toWindow("daily", at).beganAt, total, cost),
  weekly: addToWindow(weekly, calendar.toWindow("weekly", at).beganAt, total, cost),
  monthly: addToWindow(monthly, calendar.toWindow("monthly", at).beganAt, total, cost)
})

const addToWindow = (
  window: WindowTotals,
  beganAt: number,
  total: bigint,
  cost: bigint
): WindowTotals => {
  if (beganAt === window.beganAt) return window
  if (beganAt > window.beganAt) {
    return {
      beganAt,
      totalBefore: total,
      earlierBeganAt: window.beganAt,
      spentEarlier: total - window.totalBefore
    }
  }
  const isNewer = beganAt > window.earlierBeganAt
  return {
    beganAt: window.beganAt,
    totalBefore: window.totalBefore + cost,
    earlierBeganAt: isNewer ? beganAt : window.earlierBeganAt,
    spentEarlier: isNewer ? cost : window.spentEarlier + cost
  }
}

/**
 * The spending in the window that contains `now`. Spending in later windows counts too: when the clock is set back, an
 * exhausted limit stays exhausted.
 */
export const toSpent = (
  calendar: Calendar,
  totals: SpendTotals,
  interval: Interval,
  now: number
): NanoUsd.NanoUsd => {
  if (totals === empty) return NanoUsd.zero
  if (interval === "lifetime") return toAmount(totals.total)
  const { beganAt, earlierBeganAt, spentEarlier, totalBefore } = totals[interval]
  const start = calendar.toWindow(interval, now).beganAt
  if (beganAt < start) return NanoUsd.zero
  const spent = totals.total - totalBefore
  return toAmount(earlierBeganAt >= start ? spent + spentEarlier : spent)
}

const toAmount = (amount: bigint): NanoUsd.NanoUsd =>
  NanoUsd.min(NanoUsd.make(amount), NanoUsd.maxAmount)
