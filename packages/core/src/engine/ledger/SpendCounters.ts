/** Counts the spending of keys, users and workspaces: in total, and per day, week and month of the `Calendar`. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { Interval } from "./Interval.ts"
import type * as Subject from "./Subject.ts"

/**
 * Nano-USD by the field names of the HTTP API: in total, and in the current day, week and month. `byok_usage` is
 * the spending on the account's own credentials; `usage` does not include it.
 */
export const Spend = Schema.Struct({
  usage: NanoUsd.NanoUsd,
  usage_daily: NanoUsd.NanoUsd,
  usage_weekly: NanoUsd.NanoUsd,
  usage_monthly: NanoUsd.NanoUsd,
  byok_usage: NanoUsd.NanoUsd,
  byok_usage_daily: NanoUsd.NanoUsd,
  byok_usage_weekly: NanoUsd.NanoUsd,
  byok_usage_monthly: NanoUsd.NanoUsd
})
export type Spend = typeof Spend.Type

/**
 * Limits count from these counters, including spending from before they were set. A cost is recorded after its
 * reservation is settled, never before, because a limit would count it twice.
 *
 * Race: of concurrent records, each is counted exactly once.
 *
 * Sums stop at `NanoUsd.maxAmount`, so that an absurd report of an upstream breaks nothing.
 */
export class SpendCounters extends Context.Service<
  SpendCounters,
  {
    /**
     * Counts a cost for every subject of `spender` (`Subject.listSubjects`). `at` is when the cost was reserved, in
     * milliseconds since the epoch, so that it counts in the windows whose limits it was reserved under.
     */
    readonly record: (
      spender: Subject.Spender,
      cost: NanoUsd.NanoUsd,
      isByok: boolean,
      at: number
    ) => Effect.Effect<void>
    /**
     * The spend of those subjects that have any, in one query. Windows later than `now` count too: the clock was
     * set back.
     */
    readonly findSpend: (
      subjects: ReadonlyArray<Subject.Subject>,
      now: number
    ) => Effect.Effect<ReadonlyMap<Subject.Subject, Spend>>
    /**
     * Makes the records of this process visible to later transactions; call it before one that reserves. Does
     * nothing where records are written at once.
     */
    readonly flush: () => Effect.Effect<void>
  }
>()("@signalbox/core/engine/ledger/SpendCounters") {}

/** The spend of a subject without any. */
export const noSpend: Spend = {
  usage: NanoUsd.zero,
  usage_daily: NanoUsd.zero,
  usage_weekly: NanoUsd.zero,
  usage_monthly: NanoUsd.zero,
  byok_usage: NanoUsd.zero,
  byok_usage_daily: NanoUsd.zero,
  byok_usage_weekly: NanoUsd.zero,
  byok_usage_monthly: NanoUsd.zero
}

/** The part of a spend that counts for a limit. */
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
