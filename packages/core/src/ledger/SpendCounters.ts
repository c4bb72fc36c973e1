/** What was spent by keys, people and workspaces: for good, and this day, week and month in UTC. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "../MemoryJournal.ts"
import { Settings } from "../Settings.ts"
import * as NanoUsd from "../values/usage/NanoUsd.ts"
import { type Interval, toWindow } from "./Interval.ts"
import { makeAccountLru } from "./AccountLru.ts"
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
>()("@signalbox/core/ledger/SpendCounters") {
  /**
   * Knows the latest `Settings.maxSpendCounters` subjects of each account that spent something; older ones
   * count from zero again, and nobody's because of what another account spends.
   */
  static readonly layerMemory: Layer.Layer<SpendCounters, never, MemoryJournal> = Layer.effect(
    SpendCounters,
    Effect.gen(function* () {
      const { write } = yield* MemoryJournal
      const { maxSpendCounters } = yield* Settings
      const counters = makeAccountLru<Subject.Subject, SubjectCounters>(maxSpendCounters)

      return {
        record: (spender, cost, isByok, at) =>
          write(() => {
            const which = isByok ? "byok" : "credits"
            const before = Subject.listSubjects(spender).map(
              (subject) => [subject, counters.get(subject) ?? emptyCounters] as const
            )
            for (const [subject, known] of before) {
              const after = { ...known, [which]: addCost(known[which], cost, at) }
              counters.put(spender.account, subject, after)
            }
            counters.evictOldest(spender.account, allowAny)
            const undo = () => {
              for (const [subject, known] of before) counters.put(spender.account, subject, known)
            }
            return { result: undefined, undo }
          }),
        findSpend: (subjects, now) =>
          Effect.sync(() => {
            const spends = new Map<Subject.Subject, Spend>()
            for (const subject of subjects) {
              const known = counters.get(subject)
              if (known !== undefined && known !== emptyCounters)
                spends.set(subject, toSpend(known, now))
            }
            return spends
          }),
        flush: () => Effect.void
      }
    })
  )
}

const allowAny = () => true

/** What was spent in the window that began then. */
interface WindowSpend {
  readonly beganAt: number
  readonly spent: NanoUsd.NanoUsd
}

/** The latest two windows with spending of each interval, the earlier one first. */
type WindowsByInterval = Readonly<Record<Interval, ReadonlyArray<WindowSpend>>>

interface SubjectCounters {
  readonly credits: WindowsByInterval
  readonly byok: WindowsByInterval
}

const emptyWindows: WindowsByInterval = { lifetime: [], daily: [], weekly: [], monthly: [] }
const emptyCounters: SubjectCounters = { credits: emptyWindows, byok: emptyWindows }

const addCost = (
  windows: WindowsByInterval,
  cost: NanoUsd.NanoUsd,
  at: number
): WindowsByInterval => {
  const addToInterval = (interval: Interval): ReadonlyArray<WindowSpend> => {
    const before = windows[interval]
    const [earlier] = before
    // Under a clock that was set far back, spending counts in a window that is still known.
    const beganAt = Math.max(
      toWindow(interval, at).beganAt,
      before.length < maxWindows ? -Infinity : (earlier?.beganAt ?? -Infinity)
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
      .slice(-maxWindows)
  }
  return {
    lifetime: addToInterval("lifetime"),
    daily: addToInterval("daily"),
    weekly: addToInterval("weekly"),
    monthly: addToInterval("monthly")
  }
}

const maxWindows = 2

/**
 * What was spent in windows later than the one at `now` counts too: the clock was set back, and a limit that was
 * reached stays reached.
 */
const toSpend = ({ byok, credits }: SubjectCounters, now: number): Spend => {
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
