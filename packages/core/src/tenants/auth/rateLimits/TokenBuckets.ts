/** Tokens taken from rate limits, in memory: a bucket for each key, which drains evenly. */
import type { TokenRateLimit } from "../keys/ApiKey.ts"

/**
 * A bucket is the time at which it will be empty, as in the generic cell rate algorithm
 * (https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm): tokens are the milliseconds in which they drain.
 */
export class TokenBuckets {
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

const minSweepSize = 1000
