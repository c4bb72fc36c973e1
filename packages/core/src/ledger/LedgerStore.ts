/** What the ledger must keep: counters of what is settled and reserved, and open reservations. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../values/ids/AccountId.ts"
import type * as NanoUsd from "../values/usage/NanoUsd.ts"
import type { LimitExceeded } from "./LedgerErrors.ts"
import { type Limit } from "./Limit.ts"

/** Money to set aside under every one of these limits. */
export interface ReservationRequest {
  readonly account: AccountId
  readonly limits: ReadonlyArray<Limit>
  readonly amount: NanoUsd.NanoUsd
  /** The reservation lapses, and is charged in full, when nobody ends it for this long. */
  readonly leaseMillis: number
}

/** What a settlement charged. */
export interface Settlement {
  readonly charged: NanoUsd.NanoUsd
  /** What was owed beyond the reservation and the room left in the limits; recorded, not charged. */
  readonly overrun: NanoUsd.NanoUsd
}

/**
 * What is settled under a limit with a `subject` is at least what `SpendCounters` knows that subject to
 * have spent in the limit's window: `reserve` looks, and raises what is settled where that is less. So a
 * limit counts from the beginning of its window, whenever it was set, lifted or set again. A store that
 * has both in one database looks, raises and reserves in one statement, so in one round trip.
 *
 * What is reserved counts under the limits it was reserved under alone. A limit that begins to be another
 * one meanwhile (`interval`, `countsByok`), or to be at all, counts it once it is settled and recorded.
 *
 * Race: under any interleaving of these verbs, over any number of processes on one store, nothing
 * takes `settled + reserved` of a limit beyond the cap that came with the reservation. A cap is not
 * kept for anybody else: who read it earlier must not restore it for who read it later.
 *
 * No amount, cap or sum is beyond `NanoUsd.most`: what is, is that, and nothing fails for it.
 */
export class LedgerStore extends Context.Service<
  LedgerStore,
  {
    /** All limits or none: names the first limit that has no room. There is always room for 0. */
    readonly reserve: (request: ReservationRequest) => Effect.Effect<string, LimitExceeded>
    /** Ends a reservation with what was really spent. A second end of it changes nothing. */
    readonly settle: (reservation: string, amount: NanoUsd.NanoUsd) => Effect.Effect<Settlement>
    /** Puts off when a reservation lapses to `leaseMillis` from now; false: it has ended, or lapsed. */
    readonly renew: (reservation: string, leaseMillis: number) => Effect.Effect<boolean>
    /** Ends a reservation without a charge. A second end of it changes nothing. */
    readonly release: (reservation: string) => Effect.Effect<void>
    /** Adds to an account's credits; returns the total granted so far. */
    readonly grant: (account: AccountId, amount: NanoUsd.NanoUsd) => Effect.Effect<NanoUsd.NanoUsd>
    /**
     * Grants what the host says an account has from its start: in the place of what it said at the start
     * before, and beside what was granted otherwise.
     */
    readonly setInitialCredits: (account: AccountId, amount: NanoUsd.NanoUsd) => Effect.Effect<void>
    /** All credits ever granted to an account; undefined when none ever were. */
    readonly findGrantedCredits: (account: AccountId) => Effect.Effect<NanoUsd.NanoUsd | undefined>
    /** What is settled and reserved under a limit, as `reserve` would find it now. */
    readonly getUsage: (
      limit: Limit
    ) => Effect.Effect<{ readonly settled: NanoUsd.NanoUsd; readonly reserved: NanoUsd.NanoUsd }>
  }
>()("@signalbox/core/ledger/LedgerStore") {}
