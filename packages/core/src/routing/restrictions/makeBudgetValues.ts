/** The limits of budgets that count each value by itself, such as each external user. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Digest from "effect/crypto/Digest"
import { getCalendar } from "../../engine/ledger/Calendar.ts"
import { LedgerStore } from "../../engine/ledger/LedgerStore.ts"
import * as Limit from "../../engine/ledger/Limit.ts"
import { Settings } from "../../instance/Settings.ts"
import {
  type BudgetScope,
  describeValue,
  type ScopedBudget
} from "../../tenants/workspaces/ScopedBudget.ts"
import * as Step from "../../values/Step.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import { deriveId } from "../../values/ids/generateId.ts"
import { setMostRecent } from "../../values/setMostRecent.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { toBudgetCap } from "./makeCapBuilder.ts"

/**
 * The first `maxBudgetValues` values of a window have counters of their own, and all later ones share one. A value keeps its
 * counter until the window ends, and every process agrees on it: a value takes a place by reserving one nano-USD in the
 * ledger, under a limit of one for the value and a limit of `maxBudgetValues` for all. Places are never released.
 */
export const makeBudgetValues = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const digest = yield* Digest.Digest
  const ledger = yield* LedgerStore
  const settings = yield* Settings
  const { maxBudgetValues, maxCachedKeys, reservationLeaseMillis } = settings
  const calendar = getCalendar(settings)
  /** Budgets stay the same object until they change. */
  const latestLimits = new WeakMap<ScopedBudget, BudgetLimits>()

  const isTaken = (place: Limit.Limit): Effect.Effect<boolean> =>
    Effect.map(
      ledger.getUsage(place),
      ({ reserved, settled }) => reserved > NanoUsd.zero || settled > NanoUsd.zero
    )

  const takePlace = Effect.fnUntraced(function* (
    account: AccountId,
    places: Limit.Limit,
    place: Limit.Limit
  ) {
    const { reserved, settled } = yield* ledger.getUsage(places)
    // A full window is only read, so that values without a place leave nothing behind.
    if (settled + reserved >= places.cap) return yield* isTaken(place)
    const reservation = yield* ledger
      .reserve({
        account,
        limits: [places, place],
        amount: onePlace,
        leaseMillis: reservationLeaseMillis
      })
      .pipe(Effect.catch(() => Effect.undefined))
    if (reservation === undefined) return yield* isTaken(place)
    yield* ledger.settle(reservation, onePlace)
    return true
  })

  const findLimit = Effect.fnUntraced(function* (
    account: AccountId,
    budget: ScopedBudget,
    scope: BudgetScope,
    key: string,
    now: number,
    getShared: BudgetLimits["getShared"]
  ) {
    const id = key.length <= maxKeyCharacters ? key : yield* deriveId(digest, [key])
    const own = Limit.resolveLimit(calendar, now, toValueCap(account, budget, scope, id))
    const toPlace = (cap: bigint, ...parts: ReadonlyArray<string>): Limit.Limit => {
      const { countsByok, endsAt, interval, kind, window } = own
      const place = JSON.stringify([account, budget.id, ...parts])
      return { kind, interval, window, endsAt, countsByok, id: place, cap: NanoUsd.make(cap) }
    }
    const places = toPlace(BigInt(maxBudgetValues), "places")
    return (yield* takePlace(account, places, toPlace(onePlace, "place", id)))
      ? own
      : getShared(now)
  })

  /** The limit of the values in `scope`, a scope of the budget without any `*`. */
  return (
    account: AccountId,
    budget: ScopedBudget,
    scope: BudgetScope
  ): Effect.Effect<Limit.Limit> => {
    let limits = latestLimits.get(budget)
    if (limits === undefined) {
      const getShared = Limit.makeLimitResolver(calendar, toSharedCap(account, budget))
      latestLimits.set(budget, (limits = { byKey: new Map(), getShared }))
    }
    const { byKey, getShared } = limits
    const key = toValueKey(account, scope)
    const now = clock.currentTimeMillisUnsafe()
    const latest = byKey.get(key)
    return latest !== undefined && Limit.refreshLimit(calendar, now, latest) === latest
      ? Effect.succeed(latest)
      : Step.map(findLimit(account, budget, scope, key, now, getShared), (limit) => {
          setMostRecent(byKey, key, limit, maxCachedKeys)
          return limit
        })
  }
})

interface BudgetLimits {
  /** The limit of each value in its latest window. */
  readonly byKey: Map<string, Limit.Limit>
  /** The limit of all values without a place. */
  readonly getShared: (now: number) => Limit.Limit
}

const onePlace = NanoUsd.make(1n)

/**
 * Longer ones become a digest, because an index of Postgres has rows of at most 2,704 bytes
 * (https://fivetran.com/docs/destinations/postgresql/troubleshooting/index-row-size-btree-maximum), and escapes lengthen them.
 */
const maxKeyCharacters = 300

/** Names the values of a scope among those of an account; `renameSubject.ts` reads it. */
const toValueKey = (account: AccountId, { external_user, tag = {} }: BudgetScope): string =>
  JSON.stringify([
    "value",
    account,
    external_user ?? null,
    ...Object.entries(tag).toSorted(([one], [other]) => (one < other ? -1 : 1))
  ])

/** The cap of one value; `key` tells it from others. */
const toValueCap = (
  account: AccountId,
  budget: ScopedBudget,
  scope: BudgetScope,
  key: string
): Limit.LimitDefinition => ({
  ...toBudgetCap(account, { ...budget, scope, name: describeValue(budget, scope) }),
  id: JSON.stringify([account, budget.id, key])
})

/** The cap of all values without a counter of their own. */
export const toSharedCap = (account: AccountId, budget: ScopedBudget): Limit.LimitDefinition => {
  const { external_user: _, ...scope } = budget.scope
  return {
    ...toBudgetCap(account, { ...budget, scope, name: `${budget.name}, other values` }),
    id: JSON.stringify([account, budget.id, "others"])
  }
}
