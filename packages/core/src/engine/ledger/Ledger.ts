/** Reserves and settles the cost of requests under credits and all other spend limits. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Audit } from "../observability/audit/Audit.ts"
import { Settings } from "../../instance/Settings.ts"
import { AccountId } from "../../values/ids/Ids.ts"
import { setMostRecent } from "../../values/setMostRecent.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { LimitExceeded } from "./LedgerErrors.ts"
import { LedgerStore, type Settlement } from "./LedgerStore.ts"
import * as Limit from "./Limit.ts"
import { CurrentSettledLimits, type SettledLimits } from "./SettledLimits.ts"
import * as Step from "../../values/Step.ts"

/** Money reserved for one attempt; `settle` or `release` ends it, and a second call does nothing. */
export interface Reservation {
  readonly settle: (spent: NanoUsd.NanoUsd) => Effect.Effect<Settlement>
  readonly release: Effect.Effect<void>
}

/** A reservation for work that outlives its request, identified by its id. */
export interface DurableReservation extends Reservation {
  readonly id: string
  /** Extends it to `leaseMillis` from now; false when it has ended or expired. */
  readonly renew: (leaseMillis: number) => Effect.Effect<boolean>
}

/** The credits of an account, in nano-USD. */
export interface Credits {
  readonly granted: NanoUsd.NanoUsd
  readonly settled: NanoUsd.NanoUsd
  readonly reserved: NanoUsd.NanoUsd
}

/** Reserves, settles and releases money under limits. */
export class Ledger extends Context.Service<
  Ledger,
  {
    /** The limit that the credits of `account` set; empty for an unlimited account. */
    readonly listCreditLimits: (account: AccountId) => Effect.Effect<ReadonlyArray<Limit.Limit>>
    readonly reserve: (
      account: AccountId,
      limits: ReadonlyArray<Limit.Limit>,
      amount: NanoUsd.NanoUsd,
      /** When it expires unless renewed, and is charged in full; default: `Settings.reservationLeaseMillis`. */
      leaseMillis?: number
    ) => Effect.Effect<DurableReservation, LimitExceeded>
    /** A handle to the reservation with this id, which may have ended; `renew` tells. */
    readonly toReservation: (id: string) => DurableReservation
    /** Adds credits and writes the audit log; the first grant makes an unlimited account limited. */
    readonly grant: (account: string, amount: NanoUsd.NanoUsd) => Effect.Effect<void>
    /** Undefined for an account without credits, which is unlimited. */
    readonly findCredits: (account: string) => Effect.Effect<Credits | undefined>
  }
>()("@signalbox/core/engine/ledger/Ledger") {
  static readonly layer = Layer.effect(
    Ledger,
    Effect.gen(function* () {
      const audit = yield* Audit
      const store = yield* LedgerStore
      const settledLimits = yield* CurrentSettledLimits
      const { maxCachedKeys, reservationLeaseMillis } = yield* Settings
      /** The latest limit of each account, which its requests share. */
      const creditLimits = new Map<AccountId, ReadonlyArray<Limit.Limit>>()
      const toCreditLimits = (
        account: AccountId,
        granted: NanoUsd.NanoUsd | undefined
      ): ReadonlyArray<Limit.Limit> => {
        if (granted === undefined) return noLimits
        const latest = creditLimits.get(account)
        if (latest?.[0]?.cap === granted) return latest
        const limits = [toCreditsLimit(account, granted)]
        setMostRecent(creditLimits, account, limits, maxCachedKeys)
        return limits
      }
      const creditsOf = (account: AccountId) =>
        Step.map(store.findGrantedCredits(account), (granted) => toCreditLimits(account, granted))
      const reservation = (id: string): DurableReservation => new StoredReservation(store, id)
      return {
        listCreditLimits: creditsOf,
        reserve: (account, limits, amount, leaseMillis = reservationLeaseMillis) => {
          const reserving = store.reserve({ account, limits, amount, leaseMillis })
          return settledLimits === undefined
            ? Step.map(reserving, reservation)
            : Step.mapError(
                Step.map(
                  reserving,
                  (id) => new WatchedReservation(store, id, settledLimits, account, limits)
                ),
                (exceeded) => {
                  settledLimits.addRefusal(account, exceeded.limit)
                  return exceeded
                }
              )
        },
        toReservation: reservation,
        grant: Effect.fnUntraced(function* (said, amount) {
          const account = AccountId.make(said)
          yield* audit.change(
            { account },
            "credits.grant",
            Effect.map(store.grant(account, amount), (total) => ({
              result: undefined,
              target: account,
              before: { total_credits: NanoUsd.toUsdNumber(NanoUsd.make(total - amount)) },
              after: { total_credits: NanoUsd.toUsdNumber(total) }
            }))
          )
        }),
        findCredits: Effect.fnUntraced(function* (said) {
          const account = AccountId.make(said)
          const granted = yield* store.findGrantedCredits(account)
          if (granted === undefined) return undefined
          return { granted, ...(yield* store.getUsage(toCreditsLimit(account, granted))) }
        })
      }
    })
  )
}

class StoredReservation implements DurableReservation {
  readonly id: string
  readonly #store: LedgerStore["Service"]

  constructor(store: LedgerStore["Service"], id: string) {
    this.#store = store
    this.id = id
  }

  settle(spent: NanoUsd.NanoUsd): Effect.Effect<Settlement> {
    return this.#store.settle(this.id, spent)
  }

  get release(): Effect.Effect<void> {
    return Effect.suspend(() => this.#store.release(this.id))
  }

  renew(leaseMillis: number): Effect.Effect<boolean> {
    return this.#store.renew(this.id, leaseMillis)
  }
}

/** Reports its limits once it is settled. */
class WatchedReservation extends StoredReservation {
  readonly #account: AccountId
  readonly #limits: ReadonlyArray<Limit.Limit>
  readonly #settledLimits: SettledLimits

  constructor(
    store: LedgerStore["Service"],
    id: string,
    settledLimits: SettledLimits,
    account: AccountId,
    limits: ReadonlyArray<Limit.Limit>
  ) {
    super(store, id)
    this.#account = account
    this.#limits = limits
    this.#settledLimits = settledLimits
  }

  override settle(spent: NanoUsd.NanoUsd): Effect.Effect<Settlement> {
    return Step.map(super.settle(spent), (settlement) => {
      this.#settledLimits.add(this.#account, this.#limits)
      return settlement
    })
  }
}

const toCreditsLimit = (account: AccountId, granted: NanoUsd.NanoUsd): Limit.Limit =>
  Limit.makeLifetimeLimit({ kind: "credits", id: account, cap: granted, countsByok: false })

const noLimits: ReadonlyArray<Limit.Limit> = []
