/**
 * Remembers for a moment what a limit had no room for, so that a hammered limit costs the database four statements a second
 * and not one for each request.
 */
import type { NanoUsd } from "@signalbox/core/stores"
import type { LedgerLimit, ReserveCommand } from "./LedgerDriver.ts"

/** The room under each limit of a request that did not fit. */
export type Rooms = ReadonlyArray<bigint>

interface Rejection {
  readonly counters: ReadonlyArray<string>
  readonly amount: NanoUsd.NanoUsd
  readonly rooms: Rooms
  /** In monotonic milliseconds. */
  readonly at: number
}

type Request = Pick<ReserveCommand, "amount" | "limits">

/**
 * Refuses equal or larger amounts under the same limits with the same caps. A smaller amount, or a raised cap, asks the
 * database, and what ends in this process forgets the rejections of its counters.
 */
export class RecentRejections {
  /** By counter and by limits. */
  readonly #rejections = new Map<string, Map<string, Rejection>>()
  #count = 0

  find({ amount, limits }: Request, now: number): Rooms | undefined {
    if (this.#count === 0) return undefined
    const [first] = limits
    const ofCounter = first === undefined ? undefined : this.#rejections.get(first.counterKey)
    const rejection = ofCounter?.get(toKey(limits))
    // The test clock may go back.
    return rejection !== undefined &&
      amount >= rejection.amount &&
      Math.abs(now - rejection.at) < rejectionMillis
      ? rejection.rooms
      : undefined
  }

  add({ amount, limits }: Request, rooms: Rooms, now: number): void {
    if (this.#count >= maxRejections) this.clear()
    const counters = limits.map(({ counterKey }) => counterKey)
    const rejection = { counters, amount, rooms, at: now }
    const key = toKey(limits)
    for (const counter of counters) {
      let ofCounter = this.#rejections.get(counter)
      if (ofCounter === undefined) this.#rejections.set(counter, (ofCounter = new Map()))
      if (!ofCounter.has(key)) this.#count++
      ofCounter.set(key, rejection)
    }
  }

  /** Forgets what concerns these counters: there may be room again. */
  forget(counters: Iterable<string>): void {
    if (this.#count === 0) return
    for (const counter of counters) {
      for (const [key, rejection] of this.#rejections.get(counter) ?? []) {
        this.#remove(key, rejection)
      }
    }
  }

  clear(): void {
    this.#rejections.clear()
    this.#count = 0
  }

  #remove(key: string, { counters }: Rejection): void {
    for (const counter of counters) {
      const ofCounter = this.#rejections.get(counter)
      if (ofCounter?.delete(key) === true) this.#count--
      if (ofCounter?.size === 0) this.#rejections.delete(counter)
    }
  }
}

const toKey = (limits: ReadonlyArray<LedgerLimit>): string =>
  JSON.stringify(limits.flatMap(({ cap, counterKey }) => [counterKey, String(cap)]))

/** How long a rejection is repeated without a look. Room that another process makes is seen after it. */
export const rejectionMillis = 250

/** Beyond these all are forgotten, which costs statements only. */
const maxRejections = 10_000
