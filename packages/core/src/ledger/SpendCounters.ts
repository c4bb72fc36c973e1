/** What was spent by keys, people and workspaces: for good, and this day, week and month in UTC. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as NanoUsd from "../values/usage/NanoUsd.ts"
import { type Interval, toWindow } from "./Interval.ts"
import type * as Subject from "./Subject.ts"

/**
 * In nano-USD, by the names of the wire: for good, and in this day, week and month. What the account's
 * own provider credentials paid for is `byok_usage`, and no part of `usage`.
 */
export type Spend = Readonly<
  Record<`${"" | "byok_"}usage${"" | "_daily" | "_weekly" | "_monthly"}`, NanoUsd.NanoUsd>
>

/**
 * What limits count from, also from before they were set. A cost is recorded once the reservation that
 * it was spent under is settled, never earlier, or a limit would count it twice.
 *
 * Races: costs recorded at once are all counted, each once.
 *
 * A sum is never beyond `NanoUsd.most`: what an upstream made up fails for nobody.
 */
export class SpendCounters extends Context.Service<
  SpendCounters,
  {
    /**
     * Counts for every subject of `spender` (`Subject.allOf`). `at`: when what it cost was reserved, in
     * milliseconds since the epoch, so that it counts in the windows in which it was held against limits.
     */
    readonly record: (
      spender: Subject.Spender,
      cost: NanoUsd.NanoUsd,
      isByok: boolean,
      at: number
    ) => Effect.Effect<void>
    /**
     * Of those who spent something: any number of them at once, so that a list is one query. Under a clock that was
     * set back, `now` lies before windows with spending; that counts as well.
     */
    readonly findSpend: (
      subjects: ReadonlyArray<Subject.Subject>,
      now: number
    ) => Effect.Effect<ReadonlyMap<Subject.Subject, Spend>>
    /**
     * What this process recorded until now is found by transactions that begin after it: to be asked before
     * one that reserves. Nothing to do where costs are written as they are recorded.
     */
    readonly flush: () => Effect.Effect<void>
  }
>()("@signalbox/core/ledger/SpendCounters") {}

/** What was spent in the window that began then. */
export interface WindowSpend {
  readonly beganAt: number
  readonly spent: NanoUsd.NanoUsd
}

/** The latest two windows with spending of each interval, the earlier one first. */
export type WindowsByInterval = Readonly<Record<Interval, ReadonlyArray<WindowSpend>>>

export interface SubjectCounters {
  readonly credits: WindowsByInterval
  readonly byok: WindowsByInterval
}

const emptyWindows: WindowsByInterval = { lifetime: [], daily: [], weekly: [], monthly: [] }
export const emptyCounters: SubjectCounters = { credits: emptyWindows, byok: emptyWindows }

/**
 * What was spent in windows later than the one at `now` counts too: the clock was set back, and a limit that was
 * reached stays reached.
 */
export const toSpend = ({ byok, credits }: SubjectCounters, now: number): Spend => {
  const spent = (windows: WindowsByInterval, interval: Interval): NanoUsd.NanoUsd => {
    const { beganAt } = toWindow(interval, now)
    let sum = NanoUsd.zero
    for (const window of windows[interval]) {
      if (window.beganAt >= beganAt) sum = NanoUsd.sum(sum, window.spent)
    }
    return sum
  }
  return {
    usage: spent(credits, "lifetime"),
    usage_daily: spent(credits, "daily"),
    usage_weekly: spent(credits, "weekly"),
    usage_monthly: spent(credits, "monthly"),
    byok_usage: spent(byok, "lifetime"),
    byok_usage_daily: spent(byok, "daily"),
    byok_usage_weekly: spent(byok, "weekly"),
    byok_usage_monthly: spent(byok, "monthly")
  }
}

/** Of who has spent nothing. */
export const noSpend: Spend = toSpend(emptyCounters, 0)

/** What counts of it where a limit is by `interval`. */
export const toSpentAmount = (
  spend: Spend,
  { countsByok, interval }: { readonly countsByok: boolean; readonly interval: Interval }
): NanoUsd.NanoUsd => {
  const { byok, credits } = spendFields[interval]
  const usage = spend[credits]
  return countsByok ? NanoUsd.sum(usage, spend[byok]) : usage
}

const spendFields: Readonly<
  Record<Interval, { readonly credits: keyof Spend; readonly byok: keyof Spend }>
> = {
  lifetime: { credits: "usage", byok: "byok_usage" },
  daily: { credits: "usage_daily", byok: "byok_usage_daily" },
  weekly: { credits: "usage_weekly", byok: "byok_usage_weekly" },
  monthly: { credits: "usage_monthly", byok: "byok_usage_monthly" }
}
