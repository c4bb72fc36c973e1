/** What the ledger of a simulated world was asked to do, kept by other code than its own. */
import { type LedgerStore, type Limit, toBindingCap, toCounterKey } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"

type Ledger = LedgerStore["Service"]

interface Reservation {
  readonly counters: ReadonlyArray<string>
  /** Nano-USD that it holds or has charged. */
  amount: bigint
}

/** Adds up what was granted and charged under each limit, in the simplest way. */
export class LedgerBook {
  /** Every limit that anything was reserved under, by the key of its counter. */
  readonly limits = new Map<string, Limit>()
  readonly overspent: Array<string> = []
  readonly #totals = new Map<string, bigint>()
  readonly #reservations = new Map<string, Reservation>()

  /** The same ledger, watched. */
  watch(ledger: Ledger): Ledger {
    return {
      ...ledger,
      reserve: (request) =>
        Effect.map(ledger.reserve(request), (id) => {
          const counters = request.limits.map((limit) => {
            const key = toCounterKey(limit)
            this.limits.set(key, limit)
            return key
          })
          this.#reservations.set(id, { counters, amount: 0n })
          this.#setAmount(id, request.amount)
          return id
        }),
      settle: (id, owed) =>
        Effect.map(ledger.settle(id, owed), (settlement) => {
          // Nothing is charged for a reservation that has ended before.
          if (settlement.charged > 0n || owed === 0n) this.#setAmount(id, settlement.charged)
          return settlement
        }),
      release: (id) => Effect.map(ledger.release(id), () => this.#setAmount(id, 0n))
    }
  }

  #setAmount(id: string, amount: bigint): void {
    const reservation = this.#reservations.get(id)
    if (reservation === undefined) return
    const more = amount - reservation.amount
    reservation.amount = amount
    for (const key of reservation.counters) {
      const total = (this.#totals.get(key) ?? 0n) + more
      this.#totals.set(key, total)
      const limit = this.limits.get(key)
      if (more > 0n && limit !== undefined && total > toBindingCap(limit)) {
        this.overspent.push(`${key}: ${total} of ${limit.cap}`)
      }
    }
  }
}
