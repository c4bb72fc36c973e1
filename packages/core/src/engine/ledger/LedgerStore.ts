/** Stores counters of settled and reserved money, and open reservations. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../../values/ids/Ids.ts"
import type * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { LimitExceeded } from "./LedgerErrors.ts"
import type { Limit } from "./Limit.ts"

/** Money to reserve under all of these limits. */
export interface ReservationRequest {
  readonly account: AccountId
  readonly limits: ReadonlyArray<Limit>
  readonly amount: NanoUsd.NanoUsd
  /** A reservation that is neither ended nor renewed for this long expires and is charged in full. */
  readonly leaseMillis: number
}

/** What a settlement charged. */
export interface Settlement {
  readonly charged: NanoUsd.NanoUsd
  /** The part of the amount beyond the reservation and the rest of the limits: recorded, not charged. */
  readonly overrun: NanoUsd.NanoUsd
}

/**
 * The settled amount of a limit with a `subject` is at least the spend that `SpendCounters` has recorded for
 * that subject in the window of the limit: `reserve` raises a smaller settled amount first. A limit therefore
 * counts from the beginning of its window, whenever it was set. A store with both in one database does all of
 * it in one statement, and so in one round trip.
 *
 * A reservation counts only under the limits it was made under. A limit that is set or changed later
 * (`interval`, `countsByok`) counts it once it is settled and recorded.
 *
 * Race: under any interleaving of these operations, over any number of processes on one store,
 * `settled + reserved` of a limit stays within the cap of the reservation. The store does not keep caps: a
 * caller with an outdated cap must not restore it for others. Processes may have different clocks: the leases that they share
 * are on one.
 *
 * A store that need not wait may act when its method is called, so call a method when its result is due, and once for
 * each result.
 *
 * Amounts, caps and sums above `NanoUsd.maxAmount` are treated as `NanoUsd.maxAmount`.
 */
export class LedgerStore extends Context.Service<
  LedgerStore,
  {
    /**
     * Reserves under all limits or none; a soft one always has room (`toBindingCap`). Fails with the first limit without
     * room, and with the amount that running requests hold of it, read at about that time. An amount of 0 always fits.
     *
     * Race: a store may refuse an amount again, or a larger one, under the same limits and caps for 250 ms without a look at
     * what other processes have done meanwhile.
     */
    readonly reserve: (request: ReservationRequest) => Effect.Effect<string, LimitExceeded>
    /** Ends a reservation and charges `amount`. Ending it again changes nothing. */
    readonly settle: (reservation: string, amount: NanoUsd.NanoUsd) => Effect.Effect<Settlement>
    /** Extends a reservation to `leaseMillis` from now; false when it has ended or expired. */
    readonly renew: (reservation: string, leaseMillis: number) => Effect.Effect<boolean>
    /** Ends a reservation without a charge. Ending it again changes nothing. */
    readonly release: (reservation: string) => Effect.Effect<void>
    /** Adds to an account's credits; returns the total granted so far. */
    readonly grant: (account: AccountId, amount: NanoUsd.NanoUsd) => Effect.Effect<NanoUsd.NanoUsd>
    /**
     * Sets the credits that the host configures at start. They replace the credits of the last start and add to other
     * grants.
     */
    readonly setInitialCredits: (account: AccountId, amount: NanoUsd.NanoUsd) => Effect.Effect<void>
    /** All credits granted to an account; undefined when it was never granted any. */
    readonly findGrantedCredits: (account: AccountId) => Effect.Effect<NanoUsd.NanoUsd | undefined>
    /** The settled and reserved amounts of a limit, as `reserve` would find them now. */
    readonly getUsage: (
      limit: Limit
    ) => Effect.Effect<{ readonly settled: NanoUsd.NanoUsd; readonly reserved: NanoUsd.NanoUsd }>
  }
>()("@signalbox/core/engine/ledger/LedgerStore") {}
