/** What was spent by key and by account: for good, and this day, week and month in UTC. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings } from "../Settings.ts"
import type { AccountId } from "../values/AccountId.ts"
import type { KeyHash } from "../values/KeyHash.ts"
import * as NanoUsd from "../values/NanoUsd.ts"
import type { WorkspaceId } from "../values/WorkspaceId.ts"
import { type Interval, windowAt } from "./Interval.ts"

export interface Spender {
  readonly account: AccountId
  readonly workspace: WorkspaceId
  readonly keyHash?: KeyHash
}

/**
 * In nano-USD, by the names of the wire: for good, and in this day, week and month. What the account's
 * own provider credentials paid for is `byok_usage`, and no part of `usage`.
 */
export type Spend = Readonly<
  Record<`${"" | "byok_"}usage${"" | "_daily" | "_weekly" | "_monthly"}`, NanoUsd.NanoUsd>
>

/** Races: costs recorded at once are all counted, each once. */
export class SpendCounters extends Context.Service<
  SpendCounters,
  {
    /** `at` in milliseconds since the epoch. */
    readonly record: (
      spender: Spender,
      cost: NanoUsd.NanoUsd,
      isByok: boolean,
      at: number
    ) => Effect.Effect<void>
    readonly of: (key: KeyHash, now: number) => Effect.Effect<Spend>
    readonly ofAccount: (account: AccountId, now: number) => Effect.Effect<Spend>
  }
>()("@signalbox/core/ledger/SpendCounters") {
  /**
   * Knows the latest `Settings.spendCountersKept` keys that spent something, and as many accounts;
   * older ones count from zero again.
   */
  static readonly layerMemory: Layer.Layer<SpendCounters> = Layer.effect(
    SpendCounters,
    Effect.map(Settings, ({ spendCountersKept }) => {
      const keys = new Map<string, Counters>()
      const accounts = new Map<string, Counters>()

      const add = (
        counters: Map<string, Counters>,
        id: string,
        cost: NanoUsd.NanoUsd,
        isByok: boolean,
        at: number
      ): void => {
        const known = counters.get(id) ?? none
        // Set anew, so that the first one of the map is the one that spent least recently.
        counters.delete(id)
        counters.set(
          id,
          isByok
            ? { ...known, byok: added(known.byok, cost, at) }
            : { ...known, credits: added(known.credits, cost, at) }
        )
        if (counters.size > spendCountersKept) {
          const [oldest] = counters.keys()
          if (oldest !== undefined) counters.delete(oldest)
        }
      }

      return {
        record: ({ account, keyHash }, cost, isByok, at) =>
          Effect.sync(() => {
            if (keyHash !== undefined) add(keys, keyHash, cost, isByok, at)
            add(accounts, account, cost, isByok, at)
          }),
        of: (key, now) => Effect.sync(() => spendAt(keys.get(key), now)),
        ofAccount: (account, now) => Effect.sync(() => spendAt(accounts.get(account), now))
      }
    })
  )
}

/** What was spent in the window that is counted, by when that began. */
type Counted = Readonly<
  Record<Interval, { readonly beganAt: number; readonly spent: NanoUsd.NanoUsd }>
>

interface Counters {
  readonly credits: Counted
  readonly byok: Counted
}

const never = { beganAt: -Infinity, spent: NanoUsd.zero }
const nothing: Counted = { lifetime: never, daily: never, weekly: never, monthly: never }
const none: Counters = { credits: nothing, byok: nothing }

const added = (counted: Counted, cost: NanoUsd.NanoUsd, at: number): Counted => {
  const after = (interval: Interval): Counted[Interval] => {
    const before = counted[interval]
    const { beganAt } = windowAt(interval, at)
    // What ended in a window that is over no longer counts in the one there is.
    if (beganAt < before.beganAt) return before
    return { beganAt, spent: beganAt === before.beganAt ? NanoUsd.sum(before.spent, cost) : cost }
  }
  return {
    lifetime: after("lifetime"),
    daily: after("daily"),
    weekly: after("weekly"),
    monthly: after("monthly")
  }
}

const spendAt = (counters: Counters | undefined, now: number): Spend => {
  const { byok, credits } = counters ?? none
  const spent = (counted: Counted, interval: Interval): NanoUsd.NanoUsd =>
    counted[interval].beganAt === windowAt(interval, now).beganAt
      ? counted[interval].spent
      : NanoUsd.zero
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
export const noSpend: Spend = spendAt(undefined, 0)
