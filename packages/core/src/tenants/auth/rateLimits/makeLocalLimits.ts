/** Counts the calls, tokens and parallel requests of this process alone. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { getCurrentRef } from "../../../values/Pending.ts"
import { readMonotonicMillis } from "../../../values/SteadyTime.ts"
import type { KeyRateLimit, TokenRateLimit } from "../keys/ApiKey.ts"
import type { RateLimitStore, RateLimitWindow } from "./RateLimitStore.ts"

/** A `RateLimitStore` that acts when it is called. `clock` is used where the caller has none of its own. */
export const makeLocalLimits = (clock: Clock.Clock): RateLimitStore["Service"] => {
  const windows = new RateLimitWindows()
  const buckets = new TokenBuckets()
  const slots = new RequestSlots()
  const now = (): number => readMonotonicMillis(getCurrentRef(Clock.Clock) ?? clock)
  return {
    take: (key, limit) => Effect.succeed(windows.take(key, limit, now())),
    readWindow: (key, limit) => Effect.succeed(windows.read(key, limit, now())),
    takeTokens: (key, limit, tokens) => Effect.succeed(buckets.take(key, limit, tokens, now())),
    addTokens: (key, limit, tokens) => {
      buckets.add(key, limit, tokens, now())
      return Effect.void
    },
    takeSlot: (key, slot, count, leaseMillis) =>
      Effect.succeed(slots.take(key, slot, count, leaseMillis, now())),
    renewSlot: (key, slot, leaseMillis) => {
      slots.renew(key, slot, leaseMillis, now())
      return Effect.void
    },
    releaseSlot: (key, slot) => {
      slots.release(key, slot)
      return Effect.void
    }
  }
}

interface OpenWindow {
  count: number
  endsAt: number
}

/**
 * Tokens taken from rate limits, in memory: a bucket for each key, which drains evenly. A bucket is the time at which
 * it will be empty, as in the generic cell rate algorithm
 * (https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm): tokens are the milliseconds in which they drain.
 */
class TokenBuckets {
  readonly #emptyAt = new Map<string, number>()
  #nextSweep = minSweepSize

  /** The number of stored buckets: at most `minSweepSize`, or twice the number that had tokens together. */
  get size(): number {
    return this.#emptyAt.size
  }

  /** Does the same as `RateLimitStore.takeTokens`, at `now` in milliseconds of a clock that never jumps. */
  take(key: string, limit: TokenRateLimit, tokens: number, now: number): number {
    const emptyAt = Math.max(this.#emptyAt.get(key) ?? now, now)
    const drainMillis = toDrainMillis(limit, tokens)
    const excess = emptyAt + drainMillis - now - limit.windowMillis
    if (emptyAt > now && excess > 0) return Math.ceil(Math.min(emptyAt - now, excess))
    this.#set(key, emptyAt + drainMillis, now)
    return 0
  }

  /** Does the same as `RateLimitStore.addTokens`. */
  add(key: string, limit: TokenRateLimit, tokens: number, now: number): void {
    const emptyAt = Math.max(this.#emptyAt.get(key) ?? now, now)
    this.#set(key, emptyAt + toDrainMillis(limit, tokens), now)
  }

  #set(key: string, emptyAt: number, now: number): void {
    if (emptyAt <= now) {
      this.#emptyAt.delete(key)
      return
    }
    this.#emptyAt.set(key, emptyAt)
    // Sweeps only when the number has doubled, so that the amortized cost per request is constant.
    if (this.#emptyAt.size < this.#nextSweep) return
    for (const [each, at] of this.#emptyAt) if (at <= now) this.#emptyAt.delete(each)
    this.#nextSweep = Math.max(minSweepSize, this.#emptyAt.size * 2)
  }
}

/** How long the tokens take to drain. */
const toDrainMillis = ({ tokens: limit, windowMillis }: TokenRateLimit, tokens: number): number =>
  (tokens * windowMillis) / limit

/** Rate-limit windows in memory; ended windows are swept. */
export class RateLimitWindows {
  readonly #windows = new Map<string, OpenWindow>()
  #nextSweep = minSweepSize

  /** The number of stored windows: at most `minSweepSize`, or twice the number that were open together. */
  get size(): number {
    return this.#windows.size
  }

  /** Does the same as `RateLimitStore.take`, at `now` in milliseconds of a clock that never jumps. */
  take(key: string, { requests, windowMillis }: KeyRateLimit, now: number): number {
    let window = this.#windows.get(key)
    if (window === undefined || window.endsAt <= now) {
      this.#sweep(now)
      window = { count: 0, endsAt: now }
      this.#windows.set(key, window)
    }
    if (window.count >= requests) return Math.ceil(window.endsAt - now - roundingError)
    window.count++
    window.endsAt += windowMillis / requests
    return 0
  }

  /** Does the same as `RateLimitStore.readWindow`. */
  read(key: string, { requests }: KeyRateLimit, now: number): RateLimitWindow {
    const window = this.#windows.get(key)
    return window === undefined || window.endsAt <= now
      ? { left: requests, endsInMillis: 0 }
      : {
          left: Math.max(0, requests - window.count),
          endsInMillis: Math.ceil(window.endsAt - now - roundingError)
        }
  }

  /** Sweeps only when the number has doubled, so that the amortized cost per request is constant. */
  #sweep(now: number): void {
    if (this.#windows.size < this.#nextSweep) return
    for (const [key, { endsAt }] of this.#windows) if (endsAt <= now) this.#windows.delete(key)
    this.#nextSweep = Math.max(minSweepSize, this.#windows.size * 2)
  }
}

/** Milliseconds: more than a sum of parts of a window differs from it. */
const roundingError = 1e-3

const minSweepSize = 1000

/** The slots of parallel requests, in memory: for each key, who holds one and until when. */
class RequestSlots {
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
