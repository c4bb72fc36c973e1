/** The slots of parallel requests, in memory: for each key, who holds one and until when. */
export class RequestSlots {
  readonly #holders = new Map<string, Map<string, number>>()

  /** The number of keys of which a slot is held. */
  get size(): number {
    return this.#holders.size
  }

  /** Does the same as `RateLimitStore.takeSlot`, at `now` in milliseconds of a clock that never jumps. */
  take(key: string, slot: string, slots: number, leaseMillis: number, now: number): boolean {
    const holders = this.#holders.get(key) ?? new Map<string, number>()
    // The oldest come first, and leases have one length, so the first that lasts ends the search.
    for (const [holder, endsAt] of holders) {
      if (endsAt > now) break
      holders.delete(holder)
    }
    if (holders.size >= slots) return false
    holders.set(slot, now + leaseMillis)
    this.#holders.set(key, holders)
    return true
  }

  /** Does the same as `RateLimitStore.renewSlot`. */
  renew(key: string, slot: string, leaseMillis: number, now: number): void {
    const holders = this.#holders.get(key) ?? new Map<string, number>()
    // Reinserted, so that the map stays in the order in which leases end.
    holders.delete(slot)
    holders.set(slot, now + leaseMillis)
    this.#holders.set(key, holders)
  }

  /** Does the same as `RateLimitStore.releaseSlot`. */
  release(key: string, slot: string): void {
    const holders = this.#holders.get(key)
    if (holders === undefined) return
    holders.delete(slot)
    if (holders.size === 0) this.#holders.delete(key)
  }
}
