/** What was spent by keys, people and workspaces: for good, and this day, week and month in UTC. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "../MemoryJournal.ts"
import { Settings } from "../Settings.ts"
import * as NanoUsd from "../values/NanoUsd.ts"
import { type Interval, windowAt } from "./Interval.ts"
import { latestOfAccounts } from "./latestOfAccounts.ts"
import * as Subject from "./Subject.ts"

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
    readonly of: (
      subjects: ReadonlyArray<Subject.Subject>,
      now: number
    ) => Effect.Effect<ReadonlyMap<Subject.Subject, Spend>>
    /**
     * What this process recorded until now is found by transactions that begin after it: to be asked before
     * one that reserves. Nothing to do where costs are written as they are recorded.
     */
    readonly written: () => Effect.Effect<void>
  }
>()("@signalbox/core/ledger/SpendCounters") {
  /**
   * Knows the latest `Settings.spendCountersKept` subjects of each account that spent something; older ones
   * count from zero again, and nobody's because of what another account spends.
   */
  static readonly layerMemory: Layer.Layer<SpendCounters, never, MemoryJournal> = Layer.effect(
    SpendCounters,
    Effect.gen(function* () {
      const { write } = yield* MemoryJournal
      const { spendCountersKept } = yield* Settings
      const counters = latestOfAccounts<Subject.Subject, Counters>(spendCountersKept)

      return {
        record: (spender, cost, isByok, at) =>
          write(() => {
            const which = isByok ? "byok" : "credits"
            const before = Subject.allOf(spender).map(
              (subject) => [subject, counters.get(subject) ?? none] as const
            )
            for (const [subject, known] of before) {
              const after = { ...known, [which]: added(known[which], cost, at) }
              counters.use(spender.account, subject, after)
            }
            counters.forgetOldest(spender.account, whoever)
            const undo = () => {
              for (const [subject, known] of before) counters.use(spender.account, subject, known)
            }
            return { result: undefined, undo }
          }),
        of: (subjects, now) =>
          Effect.sync(() => {
            const spends = new Map<Subject.Subject, Spend>()
            for (const subject of subjects) {
              const known = counters.get(subject)
              if (known !== undefined && known !== none) spends.set(subject, spendAt(known, now))
            }
            return spends
          }),
        written: () => Effect.void
      }
    })
  )
}

const whoever = () => true

/** What was spent in the window that began then. */
interface Counted {
  readonly beganAt: number
  readonly spent: NanoUsd.NanoUsd
}

/** The latest two windows with spending of each interval, the earlier one first. */
type Windows = Readonly<Record<Interval, ReadonlyArray<Counted>>>

interface Counters {
  readonly credits: Windows
  readonly byok: Windows
}

const nothing: Windows = { lifetime: [], daily: [], weekly: [], monthly: [] }
const none: Counters = { credits: nothing, byok: nothing }

const added = (windows: Windows, cost: NanoUsd.NanoUsd, at: number): Windows => {
  const after = (interval: Interval): ReadonlyArray<Counted> => {
    const before = windows[interval]
    const [earlier] = before
    // Under a clock that was set far back, spending counts in a window that is still known.
    const beganAt = Math.max(
      windowAt(interval, at).beganAt,
      before.length < windowsKept ? -Infinity : (earlier?.beganAt ?? -Infinity)
    )
    const latest = before.at(-1)
    if (latest?.beganAt === beganAt) {
      return [...before.slice(0, -1), { beganAt, spent: NanoUsd.sum(latest.spent, cost) }]
    }
    const spent = before.find((known) => known.beganAt === beganAt)?.spent ?? NanoUsd.zero
    return [
      ...before.filter((known) => known.beganAt !== beganAt),
      { beganAt, spent: NanoUsd.sum(spent, cost) }
    ]
      .toSorted((one, other) => one.beganAt - other.beganAt)
      .slice(-windowsKept)
  }
  return {
    lifetime: after("lifetime"),
    daily: after("daily"),
    weekly: after("weekly"),
    monthly: after("monthly")
  }
}

const windowsKept = 2

/**
 * What was spent in windows later than the one at `now` counts too: the clock was set back, and a limit that was
 * reached stays reached.
 */
const spendAt = ({ byok, credits }: Counters, now: number): Spend => {
  const spent = (windows: Windows, interval: Interval): NanoUsd.NanoUsd => {
    const { beganAt } = windowAt(interval, now)
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
export const noSpend: Spend = spendAt(none, 0)

/** What counts of it where a limit is by `interval`. */
export const spentIn = (
  spend: Spend,
  { countsByok, interval }: { readonly countsByok: boolean; readonly interval: Interval }
): NanoUsd.NanoUsd => {
  const { byok, credits } = names[interval]
  const usage = spend[credits]
  return countsByok ? NanoUsd.sum(usage, spend[byok]) : usage
}

const names: Readonly<
  Record<Interval, { readonly credits: keyof Spend; readonly byok: keyof Spend }>
> = {
  lifetime: { credits: "usage", byok: "byok_usage" },
  daily: { credits: "usage_daily", byok: "byok_usage_daily" },
  weekly: { credits: "usage_weekly", byok: "byok_usage_weekly" },
  monthly: { credits: "usage_monthly", byok: "byok_usage_monthly" }
}
